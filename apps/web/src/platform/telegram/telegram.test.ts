import { describe, expect, it } from 'vitest';
import { isAtLeast, launchEvents, launchMode, parseLaunch } from './telegram.ts';

const hash = (theme: object, version = '8.0') =>
  `#${new URLSearchParams({
    tgWebAppData: 'auth_date=1&hash=ab',
    tgWebAppVersion: version,
    tgWebAppPlatform: 'ios',
    tgWebAppThemeParams: JSON.stringify(theme),
  })}`;
const launch = (theme: object, version?: string) => {
  const parsed = parseLaunch(hash(theme, version));
  if (!parsed) throw new Error('Not a launch');
  return parsed;
};

describe('parseLaunch', () => {
  it('reads the launch parameters', () =>
    expect(parseLaunch(hash({ bg_color: '#ffffff' }))).toEqual({
      initData: 'auth_date=1&hash=ab',
      version: '8.0',
      platform: 'ios',
      themeParams: { bg_color: '#ffffff' },
    }));
  it.each(['', '#', '#section', '#tgWebAppData=x'])('is null for %j', (text) => expect(parseLaunch(text)).toBeNull());
  it('survives a theme that is not JSON', () =>
    expect(parseLaunch('#tgWebAppVersion=7.0&tgWebAppPlatform=web&tgWebAppThemeParams=%7B')?.themeParams).toEqual({}));
});

describe('launchMode', () => {
  it.each([
    ['#000000', 'dark'],
    ['#777777', 'dark'],
    ['#787878', 'light'],
    ['#ffffff', 'light'],
    ['red', undefined],
  ])('%s is %s', (bg_color, expected) => expect(launchMode(launch({ bg_color }))).toBe(expected));
});

describe('isAtLeast', () => {
  it.each([
    ['7.10', '7.7', true],
    ['7.7', '7.10', false],
    ['8', '7.10', true],
    ['6.0', '6', true],
  ])('%s ≥ %s is %s', (have, want, expected) => expect(isAtLeast(have, want)).toBe(expected));
});

describe('launchEvents', () => {
  const names = (version: string) => launchEvents(launch({}, version), '#101010').map(([name]) => name);
  it('sends everything to a new host', () =>
    expect(names('8.0')).toEqual([
      'web_app_ready',
      'web_app_set_header_color',
      'web_app_set_background_color',
      'web_app_setup_swipe_behavior',
      'web_app_expand',
    ]));
  it('sends an old host the events it knows', () => expect(names('6.0')).toEqual(['web_app_ready', 'web_app_expand']));
  it('names a header colour key before 6.9', () =>
    expect(launchEvents(launch({}, '6.8'), '#101010')[1]).toEqual([
      'web_app_set_header_color',
      { color_key: 'bg_color' },
    ]));
});
