import type { ProjectAbility } from '@atoll/contract';
import { allow, allowOnRow, anyone, identified, type Policy, registered } from '../../platform/policy/policy.ts';

/** What one may do with a publication was worked out when it was loaded. */
export interface PublicationAccess {
  isReadable: boolean;
  publication: { isExecutionEnabled: boolean };
  abilities: ProjectAbility[];
}

export const publicationsPolicy: Policy = {
  'publication.list': allow(anyone),
  'publication.view': allowOnRow<PublicationAccess>(anyone, (_actor, { isReadable }) => isReadable),
  'publication.clap': allowOnRow<PublicationAccess>(registered, (_actor, { isReadable }) => isReadable),
  'publication.execute': allowOnRow<PublicationAccess>(
    identified,
    (_actor, { isReadable, publication }) => isReadable && publication.isExecutionEnabled,
  ),
  // What everybody can read takes an account.
  'publication.publish': allowOnRow<{ abilities: ProjectAbility[] }>(registered, (_actor, { abilities }) =>
    abilities.includes('publish'),
  ),
};
