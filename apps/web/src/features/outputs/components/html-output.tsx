import { useMode, useTheme } from '../../../ui/theme-context.tsx';
import { SandboxFrame } from './sandbox-frame.tsx';

const tallest = 640;

/** What code shows as HTML; its scripts run where they can reach nothing. */
export function HtmlOutput({ html }: { html: string }) {
  const theme = useTheme();
  const { mode } = useMode();
  const { text, surface, border } = theme.palettes[mode];
  const style = `:root{color-scheme:${mode};overflow-x:auto}
    body{margin:0;padding:4px 12px;font:13px/1.5 system-ui,sans-serif;color:${text};background:${surface}}
    table{border-collapse:collapse;font-size:12px}th,td{padding:3px 10px;border:1px solid ${border};text-align:right}
    img,svg,video{max-width:100%}`;
  const content = `<!doctype html><meta charset="utf-8"><style>${style}</style>${html}`;
  return <SandboxFrame content={content} title="Output of the cell" tallest={tallest} />;
}
