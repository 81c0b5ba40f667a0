import { Button, Skeleton } from '@mantine/core';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useMode, useTheme } from '../../../ui/theme/theme-context.tsx';
import { type ChartLibrary, chartPage, chartScript } from '../chart-page.ts';
import classes from './outputs.module.css';
import { SandboxFrame } from './sandbox-frame.tsx';

const tallest = 2_000;

/** A chart, drawn by its library inside the sandboxed frame: a figure can hold anything. */
export function ChartOutput({ library, spec }: { library: ChartLibrary; spec: unknown }) {
  const theme = useTheme();
  const { mode } = useMode();
  const { text, surface, border } = theme.palettes[mode];
  const [script, setScript] = useState<string | null>(null);
  const [isMissing, setMissing] = useState(false);
  const load = useCallback(() => {
    setMissing(false);
    chartScript(library).then(setScript, () => setMissing(true));
  }, [library]);
  useEffect(load, [load]);
  const content = useMemo(() => {
    if (!script) return null;
    return chartPage({ library, spec, script, look: { text, surface, border, isDark: mode === 'dark' } });
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
  if (!content) return <Skeleton height={library === 'widgets' ? 60 : 360} mx={12} />;
  const isWidget = library === 'widgets';
  const title = isWidget ? 'Widget' : 'Chart';
  return <SandboxFrame content={content} title={title} tallest={tallest} first={isWidget ? 60 : 420} />;
}
