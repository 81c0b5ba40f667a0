import type { ThemeMode } from '@atoll/contract/fields';
import type { Theme } from '@atoll/contract/theme/entity';
import { MantineProvider } from '@mantine/core';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { writeLocal } from '../../platform/storage.ts';
import { toMantine, toVariables } from './mantine-theme.ts';

interface ThemeState {
  theme: Theme;
  mode: ThemeMode;
  /** Null goes back to the platform's default. */
  setMode(mode: ThemeMode | null): void;
}

const ThemeContext = createContext<ThemeState | null>(null);

function useThemeState(): ThemeState {
  const state = useContext(ThemeContext);
  if (!state) throw new Error('The theme is used outside its provider');
  return state;
}

export const useTheme = (): Theme => useThemeState().theme;

export function useMode(): Pick<ThemeState, 'mode' | 'setMode'> {
  const { mode, setMode } = useThemeState();
  return { mode, setMode };
}

export function ThemeProvider(props: { theme: Theme; initialMode: ThemeMode; children: ReactNode }) {
  const { theme, initialMode, children } = props;
  const [mode, applyMode] = useState(initialMode);
  const mantine = useMemo(() => toMantine(theme), [theme]);
  const variables = useMemo(() => toVariables(theme), [theme]);

  const state = useMemo<ThemeState>(
    () => ({
      theme,
      mode,
      setMode: (wanted) => {
        writeLocal('code_theme', wanted);
        applyMode(wanted ?? theme.theme_default_mode);
      },
    }),
    [theme, mode],
  );

  useEffect(() => rememberLook(mode, theme), [mode, theme]);

  return (
    <MantineProvider theme={mantine} cssVariablesResolver={variables} forceColorScheme={mode}>
      <ThemeContext value={state}>{children}</ThemeContext>
    </MantineProvider>
  );
}

/** Another theme for one part of the page; nothing around it changes. */
export function ThemeScope(props: { theme: Theme; mode: ThemeMode; id: string; children: ReactNode }) {
  const { theme, mode, id, children } = props;
  const mantine = useMemo(() => toMantine(theme), [theme]);
  const variables = useMemo(() => toVariables(theme), [theme]);
  const state = useMemo<ThemeState>(() => ({ theme, mode, setMode: () => {} }), [theme, mode]);
  return (
    <MantineProvider
      theme={mantine}
      cssVariablesResolver={variables}
      forceColorScheme={mode}
      cssVariablesSelector={`#${id}`}
      getRootElement={() => document.getElementById(id) ?? undefined}
    >
      <ThemeContext value={state}>{children}</ThemeContext>
    </MantineProvider>
  );
}

/** For the first paint of the next visit (src/public). */
function rememberLook(mode: ThemeMode, theme: Theme): void {
  const { background } = theme.palettes[mode];
  document.documentElement.style.background = background;
  document.documentElement.style.colorScheme = mode;
  writeLocal('last_look', JSON.stringify({ mode, background }));
}
