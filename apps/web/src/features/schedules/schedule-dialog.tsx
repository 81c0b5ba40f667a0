import type { ProjectDetail } from '@atoll/contract/projects/entity';
import { Alert, Modal, Skeleton, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../platform/api-error.ts';
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
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const found = useQuery(scheduleQuery(subject));
  const project = useQuery(projectQuery(subject.projectId));
  const problem = found.error ?? project.error;
  const what = subject.publicationId === undefined ? 'Schedule runs' : 'Schedule the publication';
  return (
    <Modal opened onClose={onClose} title={what} fullScreen={isNarrow}>
      {found.data && project.data ? (
        <Form project={project.data} subject={subject} schedule={found.data.schedule} onClose={onClose} />
      ) : problem ? (
        <Alert color="danger" variant="light" role="alert">
          {messageOf(problem)}
        </Alert>
      ) : (
        <Stack gap="md" aria-busy>
          {[1, 2, 3, 4].map((shape) => (
            <Skeleton key={shape} height={52} />
          ))}
        </Stack>
      )}
    </Modal>
  );
}

function Form({ project, ...rest }: { project: ProjectDetail } & Omit<Parameters<typeof ScheduleForm>[0], 'isShared'>) {
  return <ScheduleForm {...rest} isShared={useWithheldSecrets(project)} />;
}
