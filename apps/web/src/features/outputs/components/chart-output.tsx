import { Button, Skeleton } from '@mantine/core';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useMode, useTheme } from '../../../ui/theme-context.tsx';
import plotlyUrl from '../frame-scripts/plotly.ts?worker&url';
import vegaUrl from '../frame-scripts/vega.ts?worker&url';
import classes from './outputs.module.css';
import { SandboxFrame } from './sandbox-frame.tsx';

export type ChartLibrary = 'plotly' | 'vega' | 'vega-lite';

const tallest = 2_000;
const scripts = new Map<string, Promise<string>>();

/** A library as text: the frame has no network and cannot fetch it itself. */
function scriptOf(library: ChartLibrary): Promise<string> {
  const url = library === 'plotly' ? plotlyUrl : vegaUrl;
  const known = scripts.get(url);
  if (known) return known;
  const promise = fetch(url).then(async (answer) => {
    if (!answer.ok) throw new Error(`Answered with ${answer.status}`);
    return (await answer.text()).replace(/<\/script/gi, '<\\/script').replaceAll('<!--', '<\\!--');
  });
  promise.catch(() => scripts.delete(url));
  scripts.set(url, promise);
  return promise;
}

/** A chart, drawn by its library inside the sandboxed frame: a figure can hold anything. */
export function ChartOutput({ library, spec }: { library: ChartLibrary; spec: unknown }) {
  const theme = useTheme();
  const { mode } = useMode();
  const { text, surface, border } = theme.palettes[mode];
  const [script, setScript] = useState<string | null>(null);
  const [isMissing, setMissing] = useState(false);
  const load = useCallback(() => {
    setMissing(false);
    scriptOf(library).then(setScript, () => setMissing(true));
  }, [library]);
  useEffect(load, [load]);
  const content = useMemo(() => {
    if (!script) return null;
    const look = { text, surface, border, isDark: mode === 'dark' };
    const given = JSON.stringify({ spec, look, mode: library }).replaceAll('<', '\\u003c');
    const style = `:root{color-scheme:${mode}}body{margin:0;padding:0 12px;color:${text};background:${surface};
      font:13px/1.5 system-ui,sans-serif}#chart{width:100%}`;
    return `<!doctype html><meta charset="utf-8"><style>${style}</style><div id="chart"></div>
      <script type="application/json" id="given">${given}</script><script>${script}</script>`;
  }, [script, spec, library, mode, text, surface, border]);
  if (isMissing) {
    return (
      <p className={classes.markdown} role="alert">
        Could not load the chart library. Check your connection.{' '}
        <Button size="compact-xs" variant="default" onClick={load}>
          Try again
        </Button>
      </p>
    );
  }
  if (!content) return <Skeleton height={360} mx={12} />;
  return <SandboxFrame content={content} title="Chart" tallest={tallest} first={420} />;
}
