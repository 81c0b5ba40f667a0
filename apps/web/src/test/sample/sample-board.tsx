import type { DocumentViewProps } from '../../platform/features/document-kind.ts';

export const SampleBoard = ({ file, canEdit }: DocumentViewProps) => (
  <p>
    Board of {file.name}
    {canEdit && ', to be edited'}
  </p>
);
