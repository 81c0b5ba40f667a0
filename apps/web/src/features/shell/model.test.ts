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
  navigation: [{ label: name, group: 'work', ...page, ...entry }],
  ...over,
});
const labels = (features: WebFeature[], person: Session, platform: Platform = 'atoll') =>
  placesOf(features, person, platform).groups.flatMap(({ places }) => places.map(({ label }) => label));

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

  it('of writing are hidden from guests where the product is about reading', () => {
    const features = [feature('editor', {}, { isEditor: true })];
    expect(labels(features, viewer({ is_guest: true }))).toEqual(['editor']);
    expect(labels(features, viewer({ is_guest: true }), 'dpasa')).toEqual([]);
    expect(labels(features, viewer(), 'dpasa')).toEqual(['editor']);
  });

  it('of the group that a variant is about come first', () => {
    const exchanges = feature('exchanges', {}, { group: 'trading', leadsOn: 'crypto' });
    const features = [feature('projects'), exchanges];
    expect(labels(features, viewer())).toEqual(['projects', 'exchanges']);
    expect(labels(features, viewer(), 'crypto')).toEqual(['exchanges', 'projects']);
  });

  it('that were never used sink once others were used', () => {
    const at = (label: string, group: 'work' | 'trading' | 'people') =>
      feature(label, { navigation: [{ label, icon: IconHome, to: `/${label}` as '/projects', group }] });
    const features = [
      at('projects', 'work'),
      at('reports', 'work'),
      at('teams', 'people'),
      at('exchanges', 'trading'),
      at('strategies', 'trading'),
    ];
    const order = (...used: string[]) =>
      placesOf(features, viewer(), 'atoll', new Set(used)).groups.map(({ places }) => places.map(({ label }) => label));
    expect(order('/reports')).toEqual([['projects', 'reports'], ['exchanges', 'strategies'], ['teams']]);
    expect(order('/reports', '/teams', '/users')).toEqual([
      ['reports', 'projects'],
      ['teams'],
      ['exchanges', 'strategies'],
    ]);
  });

  it('of the account and about the product stand apart', () => {
    const features = [
      feature('home'),
      feature('wallet', {}, { group: 'account' }),
      feature('about', {}, { group: 'about' }),
    ];
    const { groups, account, about } = placesOf(features, viewer(), 'atoll');
    expect(groups.map(({ places }) => places.map(({ label }) => label))).toEqual([['home']]);
    expect([account, about].map((places) => places.map(({ label }) => label))).toEqual([['wallet'], ['about']]);
  });
});
