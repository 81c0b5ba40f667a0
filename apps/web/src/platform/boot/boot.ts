import type { ThemeMode } from '@atoll/contract/fields';
import type { Session } from '@atoll/contract/session/entity';
import type { Theme } from '@atoll/contract/theme/entity';
import { guestId, keepToken, markUserSource, renewGuestId, tokenInMemory, userSource } from '../credentials.ts';
import { getJson, setRootPath } from '../http.ts';
import { type MeQuery, type SessionStart, startSession } from '../session.ts';
import { readLocal } from '../storage.ts';
import { launchMode } from '../telegram/telegram.ts';
import { findLaunch, greetHost } from '../telegram/telegram-host.ts';
import { showLoading } from './boot-screen.ts';
import { isMode, requestedByPage, resolveMode } from './mode.ts';

export interface Start {
  theme: Theme;
  mode: ThemeMode;
  /** Whether no source sets the mode, so that the person's own preference applies. */
  isModeFree: boolean;
  session: Promise<SessionStart>;
}

/** Loads the theme first, then the loading screen, then the session; the caller downloads the app meanwhile. */
export async function boot(): Promise<Start> {
  const launch = findLaunch();
  const query = new URLSearchParams(location.search);
  tokenInMemory(launch !== null || window.parent !== window);
  markUserSource(location.pathname);

  const theme = await getJson<Theme>('/v1/theme');
  setRootPath(theme.root_path);
  const sources = {
    requested: (launch && launchMode(launch)) ?? requestedByPage(),
    query: query.get('theme'),
    stored: readLocal('code_theme'),
  };
  const mode = resolveMode({ ...sources, platform: theme.theme_default_mode });
  document.documentElement.style.background = theme.palettes[mode].background;
  document.documentElement.style.colorScheme = mode;
  document.documentElement.dataset.mantineColorScheme = mode;
  showLoading(theme, mode);
  if (launch) greetHost(launch, theme.palettes[mode].background);

  const session = openSession({
    telegram_init_data: launch?.initData || undefined,
    referral_code: query.get('referral_code') ?? undefined,
  });
  return { theme, mode, isModeFree: !Object.values(sources).some(isMode), session };
}

export function openSession(extra: MeQuery = {}, isSignedIn = false): Promise<SessionStart> {
  return startSession({ fetchMe, guestId, renewGuestId }, { user_source: userSource(), ...extra }, isSignedIn);
}

async function fetchMe(query: MeQuery): Promise<Session> {
  const session = await getJson<Session>('/v1/me', query);
  keepToken(session.token);
  return session;
}
