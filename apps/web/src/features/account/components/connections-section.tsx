import { Button } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { client } from '../../../platform/client.ts';
import { Panel } from '../../../ui/page.tsx';
import { NothingHere, Row, Rows } from '../../../ui/rows.tsx';
import { toastError } from '../../../ui/toast.ts';
import { When } from '../../../ui/when.tsx';
import { isProvider } from '../../sign-in/model.ts';
import { goToProvider } from '../../sign-in/provider.ts';
import { configQuery } from '../../sign-in/queries.ts';
import { useRemoval } from '../mutations.ts';
import { settingsQuery } from '../queries.ts';

export function ConnectionsSection() {
  const { connections } = useSuspenseQuery(settingsQuery).data;
  const { providers } = useSuspenseQuery(configQuery).data.sign_in;
  const connect = useMutation({
    mutationFn: async (id: string) => {
      if (isProvider(id)) await goToProvider(id, 'connect', '/profile?section=connections');
    },
    onError: (error) => toastError(error),
  });
  const disconnect = useRemoval(
    (provider) => client.account.disconnect({ provider }),
    settingsQuery.queryKey,
    'Account disconnected.',
  );
  const known = new Map(connections.map((connection) => [connection.provider, connection]));
  const others = connections.filter(({ provider }) => !providers.some(({ id }) => id === provider));
  const list = [...providers, ...others.map(({ provider }) => ({ id: provider, name: provider }))];

  return (
    <Panel title="Connections" description="Other accounts you can sign in with.">
      {list.length ? (
        <Rows label="Connections">
          {list.map(({ id, name }) => {
            const connection = known.get(id);
            return (
              <Row
                key={id}
                icon={<IconPlugConnected size={17} />}
                title={name}
                detail={
                  connection ? (
                    <>
                      {connection.name ? `${connection.name}, connected ` : 'Connected '}
                      <When time={connection.connected_at} />
                    </>
                  ) : (
                    'Not connected'
                  )
                }
                action={
                  connection ? (
                    <Button
                      size="xs"
                      variant="default"
                      loading={disconnect.isPending && disconnect.variables === id}
                      aria-label={`Disconnect ${name}`}
                      onClick={() => disconnect.mutate(id)}
                    >
                      Disconnect
                    </Button>
                  ) : (
                    <Button
                      size="xs"
                      variant="default"
                      loading={connect.isPending && connect.variables === id}
                      aria-label={`Connect ${name}`}
                      onClick={() => connect.mutate(id)}
                    >
                      Connect
                    </Button>
                  )
                }
              />
            );
          })}
        </Rows>
      ) : (
        <NothingHere>
          No sign-in providers are set up in this workspace. You sign in with your e-mail address.
        </NothingHere>
      )}
    </Panel>
  );
}
