import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/queries.ts';
import { configQuery } from './queries.ts';

export const useIsMailDelivered = (): boolean => useQuery(configQuery).data?.mail.is_delivered ?? true;

/** Instead of a promise that nothing will keep. */
export function MailMissing() {
  const { is_admin } = useSession();
  return (
    <Text size="sm" role="note">
      {is_admin
        ? 'Mail is not set up on this server. Set SMTP_URL and restart it; until then mails are files in the data folder’s outbox.'
        : 'This workspace sends no mail yet, so your e-mail address cannot be confirmed.'}
    </Text>
  );
}
