import { Badge, Button } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { client } from '../../../platform/client.ts';
import { Panel } from '../../../ui/page.tsx';
import { Row, Rows } from '../../../ui/rows.tsx';
import { When } from '../../../ui/when.tsx';
import { useRemoval } from '../mutations.ts';
import { sessionsQuery } from '../queries.ts';
import { describeAgent, isPhone } from '../user-agent.ts';

export function SessionsPanel() {
  const { entries } = useSuspenseQuery(sessionsQuery).data;
  const end = useRemoval((id) => client.session.end({ id }), sessionsQuery.queryKey, 'Session signed out.');
  return (
    <Panel title="Sessions" description="Sign out sessions you do not recognise, then change your password.">
      <Rows label="Sessions">
        {entries.map(({ id, user_agent, ip, last_seen_at, is_current }) => (
          <Row
            key={id}
            icon={isPhone(user_agent) ? <IconDeviceMobile size={17} /> : <IconDeviceDesktop size={17} />}
            title={
              <>
                <span title={user_agent}>{describeAgent(user_agent)}</span>
                {is_current && (
                  <Badge size="sm" color="success">
                    This session
                  </Badge>
                )}
              </>
            }
            detail={
              <>
                {ip}, last seen <When time={last_seen_at} />
              </>
            }
            action={
              !is_current && (
                <Button
                  size="xs"
                  variant="default"
                  loading={end.isPending && end.variables === id}
                  aria-label={`Sign out ${describeAgent(user_agent)}`}
                  onClick={() => end.mutate(id)}
                >
                  End
                </Button>
              )
            }
          />
        ))}
      </Rows>
    </Panel>
  );
}
