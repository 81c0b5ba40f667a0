import { messageOf } from '../../../platform/api-error.ts';
import { LinkButton } from '../../../ui/links.tsx';
import { AuthHeading } from '../auth-parts.tsx';

/** For a link that does not work, with the way to a new one. */
export function DeadLink({
  error,
  to,
  label,
}: {
  error?: unknown;
  to: '/sign-in' | '/forgot-password' | '/profile';
  label: string;
}) {
  return (
    <div role="alert">
      <AuthHeading title="This link does not work">
        {error ? messageOf(error) : 'The link is incomplete.'} Links work once and expire after a short time. Request a
        new one.
      </AuthHeading>
      <LinkButton to={to} fullWidth>
        {label}
      </LinkButton>
    </div>
  );
}
