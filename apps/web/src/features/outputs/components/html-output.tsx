import { useMode, useTheme } from '../../../ui/theme/theme-context.tsx';
import { htmlPage } from '../html-page.ts';
import { SandboxFrame } from './sandbox-frame.tsx';

const tallest = 640;

/** What code shows as HTML; its scripts run where they can reach nothing. */
export function HtmlOutput({ html }: { html: string }) {
  const theme = useTheme();
  const { mode } = useMode();
  const content = htmlPage(html, { ...theme.palettes[mode], isDark: mode === 'dark' });
  return <SandboxFrame content={content} title="Output of the cell" tallest={tallest} />;
}
