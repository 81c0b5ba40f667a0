import type { ApiKey } from '@atoll/contract/account/entity';
import { Alert, Badge, Button, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../platform/client.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Panel } from '../../../ui/page.tsx';
import { NothingHere, Row, Rows } from '../../../ui/rows.tsx';
import { When } from '../../../ui/when.tsx';
import { scopeWords } from '../model.ts';
import { useRemoval } from '../mutations.ts';
import { apiKeysQuery } from '../queries.ts';
import classes from './inline-form.module.css';
import { NewKeyForm } from './new-key-form.tsx';

export function KeysSection() {
  const { entries } = useSuspenseQuery(apiKeysQuery).data;
  const [made, setMade] = useState<{ name: string; key: string } | null>(null);
  return (
    <>
      <Panel
        title="New API key"
        description="An API key lets your programs act as you. Send it in the X-API-Key header."
      >
        <NewKeyForm onMade={setMade} />
        {made && (
          <Alert
            color="success"
            mt="md"
            role="status"
            title={`“${made.name}” is ready`}
            withCloseButton
            onClose={() => setMade(null)}
            closeButtonLabel="Hide key"
          >
            <Text size="sm">Copy it now: it is shown only once.</Text>
            <div className={classes.key}>
              <code>{made.key}</code>
              <CopyButton value={made.key} label="Copy key" />
            </div>
          </Alert>
        )}
      </Panel>
      <Panel title="Your keys">
        {entries.length ? (
          <KeyList keys={entries} />
        ) : (
          <NothingHere>No API keys yet. Create one above when a program needs it.</NothingHere>
        )}
      </Panel>
    </>
  );
}

function KeyList({ keys }: { keys: ApiKey[] }) {
  const revoke = useRemoval((id) => client.account.revokeApiKey({ id }), apiKeysQuery.queryKey, 'API key revoked.');
  return (
    <Stack gap={0}>
      <Rows label="API keys">
        {keys.map((key) => (
          <Row
            key={key.id}
            icon={<IconKey size={17} />}
            title={
              <>
                {key.name}
                <Badge size="sm" color={key.scopes.includes('write') ? 'warning' : 'primary'}>
                  {scopeWords(key.scopes)}
                </Badge>
              </>
            }
            detail={
              <>
                {key.hint} · created <When time={key.created_at} /> ·{' '}
                {key.last_used_at ? (
                  <>
                    used <When time={key.last_used_at} />
                  </>
                ) : (
                  'not used yet'
                )}{' '}
                ·{' '}
                {key.expires_at ? (
                  <>
                    expires <When time={key.expires_at} />
                  </>
                ) : (
                  'does not expire'
                )}
              </>
            }
            action={
              <Button
                size="xs"
                variant="default"
                loading={revoke.isPending && revoke.variables === key.id}
                aria-label={`Revoke ${key.name}`}
                onClick={() => revoke.mutate(key.id)}
              >
                Revoke
              </Button>
            }
          />
        ))}
      </Rows>
    </Stack>
  );
}
