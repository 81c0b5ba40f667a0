/**
 * What a caller can be allowed to do. Every endpoint names exactly one; the server's policies hold a rule for each and
 * the server refuses to boot when one is missing. A permission on an entity also travels with it, in `permissions`.
 */
export const permissions = [
  'system.view',
  'theme.view',
  'theme.edit',
  'session.view',
  'session.open',
  'session.close',
  'session.list',
  'session.end',
  'session.connect',
  'account.view',
  'account.edit',
  'account.secure',
  'account.confirm',
  'preferences.view',
  'preferences.edit',
  'api_key.list',
  'api_key.create',
  'api_key.revoke',
  'passkey.list',
  'passkey.create',
  'passkey.delete',
  'user.view',
  'upload.create',
  'upload.write',
  'asset.view',
  'site.contact',
  'slack.notify',
] as const;

export type Permission = (typeof permissions)[number];
