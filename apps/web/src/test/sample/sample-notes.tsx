import type { PanelProps } from '../../platform/features/panel.ts';

export const SampleNotes = ({ project, file }: PanelProps) => (
  <p>
    Notes on {file?.name} of {project.name}
  </p>
);
