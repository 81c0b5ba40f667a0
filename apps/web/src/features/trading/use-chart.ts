import type { DeepPartial, IChartApi, TimeChartOptions } from 'lightweight-charts';
import { type RefObject, useEffect, useRef, useState } from 'react';

type Library = typeof import('lightweight-charts');

export interface ChartTools {
  library: Library;
  chart: IChartApi;
  /** A colour of the theme, by its variable. */
  colour(name: string): string;
}

/** A chart in the theme's colours; the library is downloaded with the first one. Drawn anew when the data changes. */
export function useChart(
  draw: (tools: ChartTools) => void,
  depends: readonly unknown[],
  options: DeepPartial<TimeChartOptions> = {},
): { holder: RefObject<HTMLDivElement | null>; isReady: boolean } {
  const holder = useRef<HTMLDivElement>(null);
  const [isReady, setIsReady] = useState(false);
  useEffect(() => {
    const element = holder.current;
    if (!element) return;
    let chart: IChartApi | null = null;
    let isGone = false;
    void import('lightweight-charts').then((library) => {
      if (isGone) return;
      const colour = (name: string) => getComputedStyle(element).getPropertyValue(name).trim();
      chart = library.createChart(element, {
        autoSize: true,
        layout: {
          background: { color: 'transparent' },
          textColor: colour('--ink-muted'),
          fontFamily: 'inherit',
          attributionLogo: false,
        },
        grid: { vertLines: { visible: false }, horzLines: { color: colour('--line') } },
        rightPriceScale: { borderColor: colour('--line') },
        timeScale: { borderColor: colour('--line'), timeVisible: true, minBarSpacing: 0.02 },
        ...options,
      });
      draw({ library, chart, colour });
      chart.timeScale().fitContent();
      setIsReady(true);
    });
    return () => {
      isGone = true;
      chart?.remove();
    };
    // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn depends on the data alone
  }, depends);
  return { holder, isReady };
}
