import { readerCommentsAnchor } from '@atoll/contract/comments/place';
import type { Publication } from '@atoll/contract/publications/entity';
import { useSession } from '../session/queries.ts';
import classes from './components/comments.module.css';
import { Discussion } from './components/discussion.tsx';
import { useCommentsLive } from './live.ts';

/** What readers say about a publication, live. */
export function ReaderComments({ publication: { id, project, owner } }: { publication: Publication }) {
  const session = useSession();
  const about = { projectId: project.id, publicationId: id };
  useCommentsLive(about, owner.id === session.id ? ['delete'] : []);
  return (
    <div className={classes.readers}>
      <Discussion
        about={about}
        label="Write a comment"
        canSpeak={!session.is_guest}
        empty="No comments yet."
        anchor={readerCommentsAnchor}
      />
    </div>
  );
}
