import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { done, empty, id, line, list } from '../fields.ts';
import {
  apiKey,
  apiKeyScope,
  credentialsUpdate,
  preferences,
  preferencesUpdate,
  richContent,
  settings,
  settingsUpdate,
} from './entity.ts';

const tag = 'Account';
const aboutPage = z.object({ content_rich: richContent.nullable(), content_rich_draft: richContent.nullable() });

export const accountEndpoints = {
  settings: endpoint('GET', '/v1/settings', { permission: 'account.view', tag, summary: 'My profile' })
    .input(empty)
    .output(settings),

  updateSettings: endpoint('PATCH', '/v1/settings', {
    permission: 'account.edit',
    tag,
    summary: 'Update my profile',
  })
    .input(settingsUpdate)
    .output(settings),

  updateCredentials: endpoint('PATCH', '/v1/settings/credentials', {
    permission: 'account.secure',
    keyScope: 'never',
    limit: 'sign_in',
    tag,
    summary: 'Change my e-mail address or password',
    description: 'Needs a sign-in within the last two hours. A new password ends every other session.',
  })
    .input(credentialsUpdate)
    .output(settings),

  disconnect: endpoint('DELETE', '/v1/me/connections/{provider}', {
    permission: 'account.secure',
    keyScope: 'never',
    tag,
    summary: 'Disconnect an external account',
    description: 'Refused with 409 when it is the only way in that is left.',
  })
    .input(z.strictObject({ provider: line(60).min(1) }))
    .output(done),

  preferences: endpoint('GET', '/v1/preferences', { permission: 'preferences.view', tag, summary: 'My preferences' })
    .input(empty)
    .output(preferences),

  updatePreferences: endpoint('PATCH', '/v1/preferences', {
    permission: 'preferences.edit',
    tag,
    summary: 'Update my preferences',
  })
    .input(preferencesUpdate)
    .output(preferences),

  updateAboutPage: endpoint('PUT', '/v1/me/about_page', {
    permission: 'account.edit',
    tag,
    summary: 'Edit or publish my about page',
  })
    .input(
      z.strictObject({
        content_rich: richContent.nullable().optional(),
        content_rich_draft: richContent.nullable().optional(),
      }),
    )
    .output(aboutPage),

  aboutPage: endpoint('GET', '/v1/users/{id}/about_page', {
    permission: 'user.view',
    tag,
    summary: "A person's about page",
    description: 'The draft is only in the answer for its author.',
  })
    .input(z.strictObject({ id }))
    .output(aboutPage),

  apiKeys: endpoint('GET', '/v1/me/api_keys', {
    permission: 'api_key.list',
    keyScope: 'never',
    tag,
    summary: 'My API keys',
  })
    .input(empty)
    .output(list(apiKey)),

  createApiKey: endpoint('POST', '/v1/me/api_keys', {
    permission: 'api_key.create',
    keyScope: 'never',
    tag,
    summary: 'Create an API key',
    description: 'The key is in this answer only; it cannot be read again.',
  })
    .input(
      z.strictObject({
        name: line(60).min(1),
        scopes: z.array(apiKeyScope).min(1).max(3).default(['read']),
        expires_in_days: z.int().min(1).max(366).nullable().default(90),
      }),
    )
    .output(apiKey.extend({ key: z.string() })),

  revokeApiKey: endpoint('DELETE', '/v1/me/api_keys/{id}', {
    permission: 'api_key.revoke',
    keyScope: 'never',
    tag,
    summary: 'Revoke an API key',
  })
    .input(z.strictObject({ id }))
    .output(done),
};
