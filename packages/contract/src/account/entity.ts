import { z } from 'zod';
import { email, id, line, password, text, themeMode, time, userName, webUrl } from '../fields.ts';
import { defaultNotificationSettings, digestPeriods, notificationSettings } from '../notifications/entity.ts';
import { apiKeyScopes } from './scopes.ts';

/** How a person likes the workspace. Stored as a whole object; unknown keys are refused. */
export const preferences = z.object({
  theme_mode: z.union([themeMode, z.literal('system')]),
  code_theme: themeMode.nullable(),
  is_rail_collapsed: z.boolean(),
  language: z.string(),
  time_zone: z.string().nullable(),
  reduced_motion: z.boolean(),
  email_notifications: z.boolean(),
  email_digest: z.enum(digestPeriods),
  notifications: notificationSettings,
  editor_font_size: z.int(),
});
export type Preferences = z.infer<typeof preferences>;

export const defaultPreferences: Preferences = {
  theme_mode: 'system',
  code_theme: null,
  is_rail_collapsed: false,
  language: 'en',
  time_zone: null,
  reduced_motion: false,
  email_notifications: true,
  email_digest: 'daily',
  notifications: defaultNotificationSettings,
  editor_font_size: 14,
};

export const preferencesUpdate = z.strictObject({
  theme_mode: preferences.shape.theme_mode.optional(),
  code_theme: preferences.shape.code_theme.optional(),
  is_rail_collapsed: z.boolean().optional(),
  language: z
    .string()
    .max(20)
    .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'Must be a language tag such as en or pt-BR')
    .optional(),
  time_zone: line(60).nullable().optional(),
  reduced_motion: z.boolean().optional(),
  email_notifications: z.boolean().optional(),
  email_digest: z.enum(digestPeriods).optional(),
  // Groups that came with a later version are not everybody's to know.
  notifications: notificationSettings.partial().strict().optional(),
  editor_font_size: z.int().min(10).max(24).optional(),
});

const optionalUrl = z.union([webUrl, z.literal('').transform(() => null)]).nullable();

/** The account's own data: the profile fields of the spec's User entity. */
export const settings = z.object({
  user_name: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string().nullable(),
  is_email_confirmed: z.boolean(),
  headline: z.string(),
  company_name: z.string(),
  company_position: z.string(),
  social_urls: z.object({
    twitter: z.string().nullable(),
    linkedin: z.string().nullable(),
    blog: z.string().nullable(),
    website: z.string().nullable(),
    facebook: z.string().nullable(),
  }),
  avatar: z.string().nullable(),
  avatar_icon: z.string().nullable(),
  is_discoverable: z.boolean(),
  has_password: z.boolean(),
  connections: z.array(z.object({ provider: z.string(), name: z.string().nullable(), connected_at: time })),
});
export type Settings = z.infer<typeof settings>;

export const settingsUpdate = z.strictObject({
  user_name: userName.optional(),
  first_name: line(60).optional(),
  last_name: line(60).optional(),
  headline: line(160).optional(),
  company_name: line(100).optional(),
  company_position: line(100).optional(),
  social_urls: z
    .strictObject({
      twitter: optionalUrl.optional(),
      linkedin: optionalUrl.optional(),
      blog: optionalUrl.optional(),
      website: optionalUrl.optional(),
      facebook: optionalUrl.optional(),
    })
    .optional(),
  avatar_upload_id: id.nullable().optional().describe('A finished upload, or null to remove the picture'),
  avatar_icon: line(16).nullable().optional(),
  is_discoverable: z.boolean().optional(),
});
export type SettingsUpdate = z.infer<typeof settingsUpdate>;

/** A new address or password needs a recent sign-in, so it goes apart from the harmless fields. */
export const credentialsUpdate = z
  .strictObject({ email: email.optional(), password: password.optional() })
  .refine((value) => value.email !== undefined || value.password !== undefined, 'Give an e-mail address or a password');

/** A document of the rich editor; its outline is checked, its nodes are rendered without HTML. */
export const richContent = z.strictObject({ type: z.literal('markdown'), text: text(50_000) });
export type RichContent = z.infer<typeof richContent>;

export const apiKeyScope = z
  .enum(apiKeyScopes)
  .describe('`trade_live` is for orders with real money, which `write` alone does not place');
export const apiKey = z.object({
  id,
  name: z.string(),
  hint: z.string().describe('The first and last characters, to distinguish keys'),
  scopes: z.array(apiKeyScope),
  created_at: time,
  expires_at: time.nullable(),
  last_used_at: time.nullable(),
  permissions: z.array(z.string()),
});
export type ApiKey = z.infer<typeof apiKey>;
