import '@mantine/core/styles/Notification.layer.css';
import '@mantine/notifications/styles.layer.css';
import { Button, Group, Text } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { CopyButton } from '../copy-button.tsx';
import classes from './toasts.module.css';

interface Toast {
  message: string;
  title?: string;
  details?: string | null;
  isError?: boolean;
  action?: { label: string; run: () => void };
  /** Where to go to have it work. */
  help?: { label: string; path: string } | null;
}

export function showToast({ message, title, details, isError, action, help }: Toast): void {
  const id = notifications.show({
    title,
    color: isError ? 'danger' : 'success',
    autoClose: isError || action ? 10_000 : 4_000,
    withBorder: true,
    role: isError ? 'alert' : 'status',
    closeButtonProps: { 'aria-label': 'Close message' },
    message: (
      <>
        <Text size="sm">{message}</Text>
        {(action || details || help) && (
          <Group gap="sm" mt={8}>
            {action && (
              <Button
                size="xs"
                variant="default"
                onClick={() => {
                  action.run();
                  notifications.hide(id);
                }}
              >
                {action.label}
              </Button>
            )}
            {help && (
              <Button component="a" href={help.path} size="xs">
                {help.label}
              </Button>
            )}
            {details && <CopyButton value={details} label="Copy details" />}
          </Group>
        )}
      </>
    ),
  });
}

export function Toasts() {
  return <Notifications className={classes.toasts} position="bottom-right" transitionDuration={120} limit={4} />;
}
