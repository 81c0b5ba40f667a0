import type { Schedule } from '@atoll/contract/schedules/entity';
import { Alert, Button, Group, Modal, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { useIsNarrow } from '../../../ui/use-is-narrow.ts';
import { missedWords, timeIn } from '../model.ts';
import { firingsQuery } from '../queries.ts';
import { FiringMark } from './firing-mark.tsx';
import classes from './schedules.module.css';

const onPage = 10;

/** What came of each time. */
export function FiringsDialog({ schedule, onClose }: { schedule: Schedule; onClose(): void }) {
  const isNarrow = useIsNarrow();
  const [page, setPage] = useState(1);
  const { data, error } = useQuery(firingsQuery(schedule.id, page));
  const last = Math.max(1, Math.ceil((data?.total ?? 0) / onPage));
  return (
    <Modal opened onClose={onClose} title="Past runs" size="lg" fullScreen={isNarrow}>
      {error && !data ? (
        <Alert color="danger" role="alert">
          {messageOf(error)}
        </Alert>
      ) : !data ? (
        <Skeleton height={120} />
      ) : data.entries.length === 0 ? (
        <Text c="dimmed">It has not run yet.</Text>
      ) : (
        <ul className={classes.firings} aria-label="Past runs">
          {data.entries.map((firing) => (
            <li key={firing.id}>
              <FiringMark firing={firing} />
              <div>
                <span>
                  {timeIn(firing.scheduled_for, schedule.time_zone)}
                  {firing.trigger === 'manual' && ' · started by hand'}
                </span>
                {[firing.reason, missedWords(firing)].map(
                  (words) =>
                    words && (
                      <span key={words} className={classes.detail}>
                        {words}
                      </span>
                    ),
                )}
              </div>
              {firing.run_id && (
                <Link
                  to="/projects/$projectId"
                  params={{ projectId: schedule.project.id }}
                  search={{ file: schedule.file.id, run: firing.run_id }}
                >
                  Open run
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
      {last > 1 && (
        <Group justify="flex-end" gap="sm" mt="md">
          <Button size="xs" variant="default" disabled={page <= 1} onClick={() => setPage(page - 1)}>
            Newer
          </Button>
          Page {page} of {last}
          <Button size="xs" variant="default" disabled={page >= last} onClick={() => setPage(page + 1)}>
            Older
          </Button>
        </Group>
      )}
    </Modal>
  );
}
