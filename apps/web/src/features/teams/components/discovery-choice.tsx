import '@mantine/core/styles/Radio.layer.css';
import type { TeamDiscovery } from '@atoll/contract/teams/access';
import { Radio, Stack } from '@mantine/core';
import { useSession } from '../../session/queries.ts';
import { discoveryWords } from '../model.ts';

interface DiscoveryChoiceProps {
  value: string;
  onChange(value: TeamDiscovery): void;
}

/** Who is shown to everybody must have proven who they are. */
export function DiscoveryChoice({ value, onChange }: DiscoveryChoiceProps) {
  const session = useSession();
  const isAllowed = session.is_email_confirmed || session.is_admin;
  return (
    <Radio.Group
      label="Discovery"
      description={isAllowed ? undefined : 'Confirm your e-mail address to create a public team.'}
      value={value}
      onChange={(next) => onChange(next as TeamDiscovery)}
    >
      <Stack gap={8} mt={4}>
        {(Object.keys(discoveryWords) as TeamDiscovery[]).map((each) => (
          <Radio
            key={each}
            value={each}
            disabled={each !== 'private' && !isAllowed && value !== each}
            label={discoveryWords[each].label}
            description={discoveryWords[each].text}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
