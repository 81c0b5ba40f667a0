import { Button, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { client } from '../../../platform/client.ts';
import { Panel } from '../../../ui/page.tsx';
import { When } from '../../../ui/when.tsx';
import { AdminTable, CsvButton, More } from '../components/list-parts.tsx';
import { actionWords } from '../model.ts';
import { useAdminButton } from '../mutations.ts';
import { listCsv, undeliveredMailQuery } from '../queries.ts';

export function UndeliveredMail() {
  const list = useInfiniteQuery(undeliveredMailQuery());
  const retry = useAdminButton(
    (id: string) => client.admin.retryMail({ id }),
    'Could not send the mail',
    'Mail queued',
  );
  return (
    <Panel title="Undelivered mail" aside={<CsvButton href={listCsv('undelivered_mail')} />}>
      <AdminTable
        label="Undelivered mail"
        entries={list.data?.pages.flatMap(({ entries }) => entries)}
        list={list}
        empty={<Text c="dimmed">All mail was delivered.</Text>}
        columns={[
          { label: 'When', cell: ({ created_at }) => <When time={created_at} /> },
          { label: 'To', cell: ({ to }) => to, detail: ({ event }) => actionWords(event) },
          {
            label: 'Reason',
            cell: ({ reason }) => reason,
            detail: ({ attempts }) => (attempts === 1 ? '1 attempt' : `${attempts} attempts`),
          },
          {
            label: 'Actions',
            type: 'actions',
            cell: ({ id, next_attempt_at }) =>
              next_attempt_at ? (
                <Text size="sm" c="dimmed">
                  Next attempt <When time={next_attempt_at} />
                </Text>
              ) : (
                <Button variant="default" size="xs" disabled={retry.isPending} onClick={() => retry.mutate(id)}>
                  Send again
                </Button>
              ),
          },
        ]}
      />
      <More list={list} />
    </Panel>
  );
}
