import type { Preferences } from '@atoll/contract/account/entity';
import {
  type NotificationGroup,
  notificationGroupNames,
  notificationGroups,
} from '@atoll/contract/notifications/declared';
import { NativeSelect, Stack, Switch } from '@mantine/core';
import { Panel } from '../../ui/page.tsx';
import { useSavePreferences } from '../account/preferences.ts';
import { TagsField } from './components/tags-field.tsx';

const choices = [
  { value: 'off', label: 'Off' },
  { value: 'app', label: 'In app' },
  { value: 'email', label: 'In app and by e-mail' },
];
const periods = [
  { value: 'hourly', label: 'Every hour' },
  { value: 'daily', label: 'Once a day' },
  { value: 'weekly', label: 'Once a week' },
];

/** What one hears of, and how; kept at once. */
export function ChoicesPanel({ preferences }: { preferences: Preferences }) {
  const save = useSavePreferences();
  const choose = (group: NotificationGroup, choice: string) =>
    save.mutate({
      notifications: { ...preferences.notifications, [group]: choice } as Preferences['notifications'],
    });
  return (
    <Panel title="Notifications" description="E-mails contain notifications you have not read yet.">
      <Stack>
        {notificationGroupNames.map((group) => (
          <NativeSelect
            key={group}
            label={notificationGroups[group].label}
            description={notificationGroups[group].text}
            maw={420}
            data={choices}
            value={preferences.notifications[group]}
            onChange={(event) => choose(group, event.currentTarget.value)}
          />
        ))}
        <TagsField />
        <Switch
          label="E-mail notifications"
          description="Sign-in mails are always sent."
          checked={preferences.email_notifications}
          onChange={(event) => save.mutate({ email_notifications: event.currentTarget.checked })}
        />
        {preferences.email_notifications && (
          <NativeSelect
            label="Frequency"
            maw={200}
            data={periods}
            value={preferences.email_digest}
            onChange={(event) =>
              save.mutate({ email_digest: event.currentTarget.value as Preferences['email_digest'] })
            }
          />
        )}
      </Stack>
    </Panel>
  );
}
