import type { Session } from '@atoll/contract/session/entity';

export const sections = {
  profile: { label: 'Profile', description: 'Your public profile' },
  about: { label: 'About page', description: 'A page about you' },
  security: { label: 'Security', description: 'Password, passkeys and sessions' },
  keys: { label: 'API keys', description: 'For scripts and programs' },
  secrets: { label: 'Secrets', description: 'Passwords and keys for your code' },
  connections: { label: 'Connections', description: 'Other accounts you sign in with' },
  preferences: { label: 'Preferences', description: 'Appearance, editor and notifications' },
} as const;

export type Section = keyof typeof sections;

const isSection = (value: unknown): value is Section => typeof value === 'string' && Object.hasOwn(sections, value);

export const parseSection = (search: Record<string, unknown>): { section?: Section } => ({
  section: isSection(search.section) ? search.section : undefined,
});

/** A guest has preferences and nothing else to keep. */
export const visibleSections = (session: Pick<Session, 'is_guest'>): Section[] =>
  session.is_guest ? ['preferences'] : (Object.keys(sections) as Section[]);
