import type { FeatureState } from '@atoll/contract/features';
import type { Platform } from '@atoll/contract/platforms';
import type { Session } from '@atoll/contract/session/entity';
import { IconHome } from '@tabler/icons-react';
import { describe, expect, it } from 'vitest';
import type { NavigationEntry, WebFeature } from '../../platform/features/web-feature.ts';
import { placesOf } from './model.ts';

const viewer = (over: Partial<Session> = {}): Session =>
  ({ is_admin: false, is_guest: false, features: {}, ...over }) as Session;
const state = (enabled: boolean): FeatureState => ({ enabled, reason: null });
const page = { icon: IconHome, to: '/dashboard' } as const;
const feature = (name: string, over: Partial<WebFeature> = {}, entry: Partial<NavigationEntry> = {}): WebFeature => ({
  name,
  navigation: [{ label: name, ...page, ...entry }],
  ...over,
});
const labels = (features: WebFeature[], person: Session, platform: Platform = 'atoll') =>
  placesOf(features, person, platform).main.map(({ label }) => label);

describe('places', () => {
  it('of admins come last, for admins', () => {
    const features = [feature('theme', { navigation: [], adminPages: [{ label: 'Theme', ...page }] }), feature('home')];
    expect(labels(features, viewer())).toEqual(['home']);
    expect(labels(features, viewer({ is_admin: true }))).toEqual(['home', 'Theme']);
  });

  it('follow the feature flags, and are hidden where one is not known', () => {
    const entries = (['projects', 'trade', 'teams'] as const).map((flag) => feature(flag, { flag }));
    const features = { projects: state(true), trade: state(false) } as Session['features'];
    expect(labels(entries, viewer({ features }))).toEqual(['projects']);
  });

  it('of members are hidden from guests', () => {
    const features = [feature('own', {}, { isForMembers: true })];
    expect(labels(features, viewer())).toEqual(['own']);
    expect(labels(features, viewer({ is_guest: true }))).toEqual([]);
  });

  it('that a variant is about come right after the first', () => {
    const features = [feature('home'), feature('projects'), feature('exchanges', {}, { leadsOn: 'crypto' })];
    expect(labels(features, viewer())).toEqual(['home', 'projects', 'exchanges']);
    expect(labels(features, viewer(), 'crypto')).toEqual(['home', 'exchanges', 'projects']);
  });

  it('about the product stand apart', () => {
    const { main, foot } = placesOf([feature('home'), feature('about', {}, { isFoot: true })], viewer(), 'atoll');
    expect([main, foot].map((places) => places.map(({ label }) => label))).toEqual([['home'], ['about']]);
  });
});
