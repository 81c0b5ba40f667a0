import type { Look } from './frame-scripts/given.ts';
import plotlyUrl from './frame-scripts/plotly.ts?worker&url';
import vegaUrl from './frame-scripts/vega.ts?worker&url';
import widgetsUrl from './frame-scripts/widgets.ts?worker&url';

/** Widgets are drawn as charts are: by a library, from what was saved. */
export type ChartLibrary = 'plotly' | 'vega' | 'vega-lite' | 'widgets';

const urls: Record<ChartLibrary, string> = {
  plotly: plotlyUrl,
  vega: vegaUrl,
  'vega-lite': vegaUrl,
  widgets: widgetsUrl,
};

const scripts = new Map<string, Promise<string>>();

/** A library as text: the frame has no network and cannot fetch it itself. */
export function chartScript(library: ChartLibrary): Promise<string> {
  const url = urls[library];
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

interface Chart {
  library: ChartLibrary;
  spec: unknown;
  look: Look;
  script: string;
  /** Draws what it is sent, for a page that prints it. */
  isPrinted?: boolean;
}

/** A whole page for the sandboxed frame: a figure can hold anything. */
export function chartPage({ library, spec, look, script, isPrinted = false }: Chart): string {
  const given = JSON.stringify({ spec, look, mode: library, isPrinted }).replaceAll('<', '\\u003c');
  const style = `:root{color-scheme:${look.isDark ? 'dark' : 'light'}}body{margin:0;padding:0 12px;color:${look.text};background:${look.surface};
      font:13px/1.5 system-ui,sans-serif}#chart{width:100%}`;
  return `<!doctype html><meta charset="utf-8"><style>${style}</style><div id="chart"></div>
      <script type="application/json" id="given">${given}</script><script>${script}</script>`;
}
