import type { TopicEvent, topics } from '@atoll/contract';
import type { ProjectFile } from '@atoll/contract/files/entity';
import type { Tree } from './tree.ts';

type FilesChanged = TopicEvent<typeof topics.projectFiles, 'files_changed'>;

/** The file known here may be newer than the event: the answer of an own save can arrive before older events. */
const isOlder = (told: ProjectFile, known: ProjectFile): boolean =>
  told.version < known.version || (told.version === known.version && told.updated_at < known.updated_at);

/** Applies an event of the project's topic to the tree; null where the tree must be loaded again. */
export function patchTree(tree: Tree, change: FilesChanged): Tree | null {
  if (change.is_partial) return null;
  const told = new Map(change.files.map((file) => [file.id, file]));
  const gone = new Set(change.deleted_ids);
  const kept = tree.files
    .filter((file) => !gone.has(file.id))
    .map((file) => {
      const news = told.get(file.id);
      told.delete(file.id);
      return news && !isOlder(news, file) ? news : file;
    });
  return { files: [...kept, ...told.values()], directories: change.directories };
}
