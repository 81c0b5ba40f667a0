import type { FeatureState } from '@atoll/contract/features';
import type { Session } from '@atoll/contract/session/entity';
import { IconHome } from '@tabler/icons-react';
import { describe, expect, it } from 'vitest';
import { type NavEntry, places, visible } from './model.ts';

const viewer = (over: Partial<Session> = {}): Session =>
  ({ is_admin: false, is_guest: false, features: {}, ...over }) as Session;
const state = (enabled: boolean): FeatureState => ({ enabled, reason: null });
const entry = (over: Partial<NavEntry>): NavEntry => ({ label: 'X', icon: IconHome, to: '/dashboard', ...over });

describe('visible', () => {
  it('keeps the theme for admins', () => {
    const labels = (person: Session) => visible(places, person).map(({ label }) => label);
    expect(labels(viewer())).toEqual(['Home']);
    expect(labels(viewer({ is_admin: true }))).toEqual(['Home', 'Theme']);
  });

  it('follows the feature flags, and hides what is not known', () => {
    const entries = [entry({ feature: 'projects' }), entry({ feature: 'trade' }), entry({ feature: 'teams' })];
    const features = { projects: state(true), trade: state(false) } as Session['features'];
    expect(visible(entries, viewer({ features })).map(({ feature }) => feature)).toEqual(['projects']);
  });

  it('hides members’ places from guests', () => {
    expect(visible([entry({ role: 'member' })], viewer({ is_guest: true }))).toEqual([]);
  });
});
