import type { Voucher } from '@atoll/contract/wallet/entity';
import { Badge, Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../platform/client.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { useForm } from '../../../ui/form.ts';
import { Form, FormActions } from '../../../ui/form-parts.tsx';
import { Page, Panel } from '../../../ui/page.tsx';
import { When } from '../../../ui/when.tsx';
import { AdminTable, CsvButton, Pages } from '../components/list-parts.tsx';
import { useAdminAct, useAdminButton } from '../mutations.ts';
import { PersonCell } from '../people/person-cell.tsx';
import { creditRequestsQuery, listCsv, usersOnPage, vouchersQuery } from '../queries.ts';

export function UnitsPage() {
  const [page, setPage] = useState(1);
  const [isCreating, setCreating] = useState(false);
  const vouchers = useQuery(vouchersQuery(page));
  return (
    <Page
      title="Units"
      description="Changes that wait for a second admin, and vouchers"
      width="wide"
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
          Create voucher
        </Button>
      }
    >
      <Stack>
        <Waiting />
        <Panel title="Vouchers" aside={<CsvButton href={listCsv('vouchers')} />}>
          <AdminTable
            label="Vouchers"
            entries={vouchers.data?.entries}
            list={vouchers}
            empty={<Text c="dimmed">No vouchers yet. Create one, and give its code to people.</Text>}
            columns={[
              {
                label: 'Voucher',
                cell: ({ note, approval }) => (
                  <Group gap="xs">
                    {note || 'Without a note'}
                    {approval !== 'approved' && (
                      <Badge variant="light" color={approval === 'waiting' ? 'yellow' : 'gray'}>
                        {approval === 'waiting' ? 'Waiting' : 'Rejected'}
                      </Badge>
                    )}
                  </Group>
                ),
              },
              { label: 'Units', type: 'number', cell: ({ units }) => units.toLocaleString('en') },
              {
                label: 'Redeemed',
                type: 'number',
                cell: ({ redeemed, count }) => `${redeemed.toLocaleString('en')} of ${count.toLocaleString('en')}`,
              },
              { label: 'Ends', cell: ({ expires_at }) => (expires_at ? <When time={expires_at} /> : '–') },
              { label: 'Created', cell: ({ created_at }) => <When time={created_at} /> },
            ]}
          />
          <Pages
            label="Pages of vouchers"
            page={page}
            size={usersOnPage}
            total={vouchers.data?.total}
            onChange={setPage}
          />
        </Panel>
      </Stack>
      {isCreating && <VoucherDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

const voucherWords = ({ units, count }: { units: number; count: number }) =>
  `Voucher of ${units.toLocaleString('en')} units for ${count === 1 ? '1 person' : `${count.toLocaleString('en')} people`}`;

function Waiting() {
  const list = useQuery(creditRequestsQuery());
  const approve = useAdminButton(
    (id: string) => client.wallet.approveCredit({ id }),
    'Could not approve it',
    'Approved',
  );
  const reject = useAdminButton((id: string) => client.wallet.rejectCredit({ id }), 'Could not reject it', 'Rejected');
  const limit = list.data?.limit.toLocaleString('en');
  return (
    <Panel
      title="Waiting for a second admin"
      description={limit && `Changes and vouchers of more than ${limit} units in a day.`}
      aside={<CsvButton href={listCsv('credit_requests')} />}
    >
      <AdminTable
        label="Waiting changes"
        entries={list.data?.entries}
        list={list}
        empty={<Text c="dimmed">Nothing waits.</Text>}
        columns={[
          {
            label: 'For',
            cell: ({ person, voucher }) => (voucher ? voucherWords(voucher) : <PersonCell person={person} />),
          },
          { label: 'Units', type: 'number', cell: ({ amount }) => amount.toLocaleString('en') },
          { label: 'Reason', cell: ({ reason }) => reason || '–' },
          { label: 'Requested by', cell: ({ requested_by }) => <PersonCell person={requested_by} /> },
          { label: 'When', cell: ({ created_at }) => <When time={created_at} /> },
          {
            label: 'Actions',
            type: 'actions',
            cell: ({ id, is_yours }) => (
              <Button.Group>
                <Button variant="default" size="xs" disabled={is_yours} onClick={() => approve.mutate(id)}>
                  Approve
                </Button>
                <Button variant="default" size="xs" onClick={() => reject.mutate(id)}>
                  {is_yours ? 'Withdraw' : 'Reject'}
                </Button>
              </Button.Group>
            ),
          },
        ]}
      />
    </Panel>
  );
}

function VoucherDialog({ onClose }: { onClose(): void }) {
  const [made, setMade] = useState<(Voucher & { code: string }) | null>(null);
  const create = useAdminAct((input: { units: number; count: number; note: string }) =>
    client.wallet.createVoucher(input).then(setMade),
  );
  const form = useForm({
    initial: { units: '', count: '1', note: '' },
    checks: {
      units: (value) => (Number(value) > 0 ? null : 'Enter how many units it brings'),
      count: (value) => (Number(value) > 0 ? null : 'Enter how many people can redeem it'),
    },
    submit: ({ units, count, note }) => create.mutateAsync({ units: Number(units), count: Number(count), note }),
  });
  return (
    <Modal opened onClose={onClose} title="Create voucher">
      {made ? (
        <Stack>
          <Text size="sm">The code is shown this once. Copy it now.</Text>
          {made.approval === 'waiting' && (
            <Text size="sm">
              It can be redeemed once another admin has approved it, as it is above your limit of a day.
            </Text>
          )}
          <Group>
            <Code>{made.code}</Code>
            <CopyButton value={made.code} label="Copy the code" />
          </Group>
        </Stack>
      ) : (
        <Form form={form}>
          <TextInput label="Units" required inputMode="numeric" data-autofocus {...form.text('units')} />
          <TextInput label="People who can redeem it" required inputMode="numeric" {...form.text('count')} />
          <TextInput label="Note" maxLength={200} {...form.text('note')} />
          <FormActions form={form}>Create voucher</FormActions>
        </Form>
      )}
    </Modal>
  );
}
