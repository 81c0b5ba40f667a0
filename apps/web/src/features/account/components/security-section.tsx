import { CredentialsPanel } from './credentials-panel.tsx';
import { PasskeysPanel } from './passkeys-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';

export function SecuritySection() {
  return (
    <>
      <CredentialsPanel />
      <PasskeysPanel />
      <SessionsPanel />
    </>
  );
}
