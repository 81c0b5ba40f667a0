import type { ThemeMode } from '@atoll/contract/fields';

/** The launch data that the messaging app puts into the address of a mini-app. */
export interface Launch {
  initData: string;
  version: string;
  platform: string;
  themeParams: Record<string, string>;
}

/** Below this brightness a background counts as dark (spec section 9). */
const darkThreshold = 120;

/** Null when the page was not opened by the messaging app. Version and platform are always there, init data is not. */
export function parseLaunch(hash: string): Launch | null {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const version = params.get('tgWebAppVersion');
  const platform = params.get('tgWebAppPlatform');
  if (!version || !platform) return null;
  return { version, platform, initData: params.get('tgWebAppData') ?? '', themeParams: parseTheme(params) };
}

function parseTheme(params: URLSearchParams): Record<string, string> {
  try {
    const parsed: unknown = JSON.parse(params.get('tgWebAppThemeParams') ?? '{}');
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, string>) : {};
  } catch {
    return {};
  }
}

/** The mode that fits the messaging app's own background; undefined when it sent none. */
export function launchMode(launch: Launch): ThemeMode | undefined {
  const brightness = brightnessOf(launch.themeParams.bg_color);
  return brightness === undefined ? undefined : brightness < darkThreshold ? 'dark' : 'light';
}

function brightnessOf(colour: unknown): number | undefined {
  const match = typeof colour === 'string' && /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour);
  if (!match) return undefined;
  const [red = 0, green = 0, blue = 0] = match.slice(1).map((part) => Number.parseInt(part, 16));
  return (red * 299 + green * 587 + blue * 114) / 1000;
}

/** Compares part by part: 7.10 is newer than 7.7. */
export function isAtLeast(version: string, wanted: string): boolean {
  const have = version.split('.').map(Number);
  const want = wanted.split('.').map(Number);
  for (let index = 0; index < Math.max(have.length, want.length); index++) {
    const difference = (have[index] || 0) - (want[index] || 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

export type HostEvent = [name: string, data?: Record<string, unknown>];

/** Events for the host at start-up, without those that its version does not know. */
export function launchEvents(launch: Launch, background: string): HostEvent[] {
  const since = (version: string, event: HostEvent): HostEvent[] => (isAtLeast(launch.version, version) ? [event] : []);
  const header: HostEvent[] = isAtLeast(launch.version, '6.9')
    ? [['web_app_set_header_color', { color: background }]]
    : since('6.1', ['web_app_set_header_color', { color_key: 'bg_color' }]);
  return [
    ['web_app_ready'],
    ...header,
    ...since('6.1', ['web_app_set_background_color', { color: background }]),
    ...since('7.7', ['web_app_setup_swipe_behavior', { allow_vertical_swipe: false }]),
    ['web_app_expand'],
  ];
}
