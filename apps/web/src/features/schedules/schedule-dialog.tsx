import type { ProjectDetail } from '@atoll/contract/projects/entity';
import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FormSkeleton } from '../../ui/form-parts.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { projectQuery } from '../projects/queries.ts';
import { useWithheldSecrets } from '../runs/withheld-secrets.ts';
import { ScheduleForm } from './components/schedule-form.tsx';
import { type ScheduleSubject, scheduleQuery } from './queries.ts';

interface ScheduleDialogProps {
  subject: ScheduleSubject;
  onClose(): void;
}

/** When a file is run, or a publication is run, published and delivered. */
export function ScheduleDialog({ subject, onClose }: ScheduleDialogProps) {
  const isNarrow = useIsNarrow();
  const found = useQuery(scheduleQuery(subject));
  const project = useQuery(projectQuery(subject.projectId));
  const problem = found.error ?? project.error;
  const what = subject.publicationId === undefined ? 'Schedule runs' : 'Schedule publication and delivery';
  return (
    <Modal opened onClose={onClose} title={what} fullScreen={isNarrow}>
      {found.data && project.data ? (
        <Form project={project.data} subject={subject} schedule={found.data.schedule} onClose={onClose} />
      ) : (
        <FormSkeleton problem={problem} />
      )}
    </Modal>
  );
}

function Form({ project, ...rest }: { project: ProjectDetail } & Omit<Parameters<typeof ScheduleForm>[0], 'isShared'>) {
  return <ScheduleForm {...rest} isShared={useWithheldSecrets(project)} />;
}
