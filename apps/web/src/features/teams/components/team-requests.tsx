import type { JoinRequest, TeamDetail } from '@atoll/contract/teams/entity';
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../platform/api-error.ts';
import { Panel } from '../../../ui/page.tsx';
import { NothingHere, Rows } from '../../../ui/rows.tsx';
import { When } from '../../../ui/when.tsx';
import { PersonLine } from '../../people/person-line.tsx';
import { useAnswerRequest } from '../mutations.ts';
import { joinRequestsQuery } from '../queries.ts';
import classes from '../teams.module.css';

export function TeamRequests({ team }: { team: TeamDetail }) {
  const { data, error } = useQuery(joinRequestsQuery(team.id));
  return (
    <Panel title="Join requests" description="Members can see everything shared with the team.">
      {error && <NothingHere>{messageOf(error)}</NothingHere>}
      {data?.entries.length === 0 && (
        <NothingHere>
          {team.discovery === 'private'
            ? 'Private teams get no join requests. Invite people instead.'
            : 'No join requests.'}
        </NothingHere>
      )}
      <Rows label="Requests">
        {data?.entries.map((request) => (
          <RequestRow key={request.id} request={request} />
        ))}
      </Rows>
    </Panel>
  );
}

function RequestRow({ request }: { request: JoinRequest }) {
  const answer = useAnswerRequest();
  const give = (isApproved: boolean) => answer.mutate({ id: request.team.id, requestId: request.id, isApproved });
  return (
    <li className={classes.request}>
      <div className={classes.row}>
        <PersonLine person={request.user} isLink detail={<When time={request.created_at} />} />
        <Button size="xs" variant="default" disabled={answer.isPending} onClick={() => give(false)}>
          Reject
        </Button>
        <Button size="xs" loading={answer.isPending && answer.variables.isApproved} onClick={() => give(true)}>
          Approve
        </Button>
      </div>
      {request.reason && (
        <Text size="sm" className={classes.reason}>
          {request.reason}
        </Text>
      )}
    </li>
  );
}
