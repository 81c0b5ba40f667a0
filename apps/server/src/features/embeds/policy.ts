import { allow, allowOnRow, anyone, identified, type Policy } from '../../platform/policy/policy.ts';

export const embedsPolicy: Policy = {
  // That there is a record is the right to read.
  'embed.view': allow(anyone),
  'embed.execute': allowOnRow<{ embed: { isExecutionEnabled: boolean } }>(
    identified,
    (_actor, { embed }) => embed.isExecutionEnabled,
  ),
};
