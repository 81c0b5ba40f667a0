import type { Secret } from '@atoll/contract/secrets/endpoints';
import { Button, Group } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { api, client } from '../../../platform/client.ts';
import { Row } from '../../../ui/rows.tsx';
import { When } from '../../../ui/when.tsx';
import { useRemoval } from '../mutations.ts';
import classes from './inline-form.module.css';
import { SecretForm } from './secret-form.tsx';

export function SecretRow({ secret }: { secret: Secret }) {
  const [isChanging, setChanging] = useState(false);
  const [isSure, setSure] = useState(false);
  const remove = useRemoval((id) => client.secrets.delete({ id }), api.secrets.list.key(), `“${secret.key}” deleted.`);
  if (isChanging) {
    return (
      <Row
        title={<SecretForm secret={secret} onDone={() => setChanging(false)} />}
        detail={null}
        action={
          <Button size="xs" variant="subtle" color="gray" onClick={() => setChanging(false)}>
            Cancel
          </Button>
        }
      />
    );
  }
  return (
    <Row
      icon={<IconLock size={17} />}
      title={<code className={classes.code}>{secret.key}</code>}
      detail={
        <>
          Created <When time={secret.created_at} />
          {secret.updated_at !== secret.created_at && (
            <>
              , changed <When time={secret.updated_at} />
            </>
          )}
        </>
      }
      action={
        <Group gap="sm">
          <Button size="xs" variant="default" aria-label={`Change ${secret.key}`} onClick={() => setChanging(true)}>
            Change
          </Button>
          {/* Nobody can read the value back, so there is no undo: it takes a second press. */}
          <Button
            size="xs"
            variant={isSure ? 'filled' : 'default'}
            color="danger"
            loading={remove.isPending}
            aria-label={isSure ? `Delete ${secret.key} permanently` : `Delete ${secret.key}`}
            onClick={() => (isSure ? remove.mutate(secret.id) : setSure(true))}
            onBlur={() => setSure(false)}
          >
            {isSure ? 'Delete permanently' : 'Delete'}
          </Button>
        </Group>
      }
    />
  );
}
