import type { PanelProps } from '../../../platform/features/panel.ts';
import { CommentsPanel } from '../comments-panel.tsx';

/** What is said about a project, or about the file that is open in it. */
export const ProjectComments = ({ project, file, isNarrow }: PanelProps) => (
  <CommentsPanel projectId={project.id} openFile={file} isBare={isNarrow} />
);
