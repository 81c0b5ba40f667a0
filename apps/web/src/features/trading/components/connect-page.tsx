import '@mantine/core/styles/List.layer.css';
import { type ExchangeType, exchangeInfo } from '@atoll/contract/trading/values';
import { Alert, Anchor, Code, List, PasswordInput, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, client } from '../../../platform/client.ts';
import { required } from '../../../ui/checks.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { useForm } from '../../../ui/form.ts';
import { Form, FormProblem, SubmitButton } from '../../../ui/form-parts.tsx';
import { LinkButton } from '../../../ui/links.tsx';
import { Page, Panel } from '../../../ui/page.tsx';
import { toast } from '../../../ui/toast.ts';
import { EnvironmentBadge } from '../environment-badge.tsx';
import { connectionsQuery } from '../queries.ts';

const keyPages: Partial<Record<ExchangeType, string>> = {
  binance: 'https://www.binance.com/en/my/settings/api-management',
  binance_testnet: 'https://testnet.binance.vision/',
};

/** A key, explained and checked before it is stored. */
export function ConnectPage({ type }: { type: ExchangeType }) {
  const { name, environment, isComingSoon } = exchangeInfo[type];
  if (isComingSoon || type === 'demo')
    return (
      <Page title={`Connect ${name}`} width="text">
        <Stack align="flex-start">
          <Text c="dimmed">{isComingSoon ? `${name} is coming soon.` : 'Your demo account is there already.'}</Text>
          <LinkButton to="/exchanges" variant="default">
            Back to exchanges
          </LinkButton>
        </Stack>
      </Page>
    );
  return (
    <Page
      title={`Connect ${name}`}
      description={
        <>
          <EnvironmentBadge environment={environment} /> Your key is checked, sealed, and never shown again.
        </>
      }
      width="text"
    >
      <KeyHelp type={type} />
      <Panel title="Key">
        <KeyForm type={type} />
      </Panel>
    </Page>
  );
}

function KeyHelp({ type }: { type: ExchangeType }) {
  const { data } = useQuery(connectionsQuery);
  const page = keyPages[type];
  const isLive = exchangeInfo[type].environment === 'live';
  return (
    <Panel title="How to create a key">
      <List size="sm" spacing="xs" listStyleType="disc">
        <List.Item>
          Create an API key at{' '}
          <Anchor href={page} target="_blank" rel="noreferrer" inherit underline="always">
            {exchangeInfo[type].name}
          </Anchor>
          .
        </List.Item>
        <List.Item>Allow reading and spot trading.</List.Item>
        <List.Item>Do not allow withdrawals or transfers: a key that can is refused.</List.Item>
        {isLive && (
          <List.Item>
            {data?.address ? (
              <>
                Restrict it to the address <Code>{data.address}</Code>{' '}
                <CopyButton value={data.address} label="Copy address" />
              </>
            ) : (
              'Restrict it to the address of this server; ask its operator for it.'
            )}
          </List.Item>
        )}
      </List>
    </Panel>
  );
}

function KeyForm({ type }: { type: ExchangeType }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const form = useForm({
    initial: { label: '', api_key: '', secret: '' },
    checks: { api_key: required('An API key'), secret: required('A secret key') },
    submit: async (values) => {
      const { warnings } = await client.trading.connect({ type, ...values });
      toast(warnings[0] ?? 'Connected.');
      await queryClient.invalidateQueries({ queryKey: api.trading.connections.key() });
      await navigate({ to: '/exchanges' });
    },
  });
  const isPem = form.values.secret.includes('-----BEGIN');
  return (
    <Form form={form}>
      <TextInput label="API key" autoComplete="off" spellCheck={false} {...form.text('api_key')} />
      {isPem ? (
        <Textarea label="Secret key" autosize minRows={4} {...form.text('secret')} />
      ) : (
        <PasswordInput label="Secret key" autoComplete="off" {...form.text('secret')} />
      )}
      <TextInput label="Name" description="To tell it from others. Optional." maxLength={60} {...form.text('label')} />
      {exchangeInfo[type].environment === 'live' && (
        <Alert color="warning">
          Connecting only reads. Orders with real money are allowed in a second step, with limits.
        </Alert>
      )}
      <FormProblem problem={form.problem} />
      <SubmitButton pending={form.pending}>Check and connect</SubmitButton>
    </Form>
  );
}
