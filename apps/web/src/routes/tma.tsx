import { createFileRoute, redirect } from '@tanstack/react-router';

/** Where Telegram opens the mini-app: the only page besides embeds that other sites may frame. */
export const Route = createFileRoute('/tma')({
  beforeLoad: () => {
    throw redirect({ to: '/', replace: true });
  },
});
