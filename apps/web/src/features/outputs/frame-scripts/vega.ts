import embed from 'vega-embed';
import { expressionInterpreter } from 'vega-interpreter';
import { given } from './given.ts';

const { spec, look, element, mode } = given();
const isLite = mode !== 'vega';
const background = (spec as { background?: unknown }).background ?? look.surface;

embed(element, { ...(spec as object), background } as never, {
  mode: isLite ? 'vega-lite' : 'vega',
  ast: true,
  expr: expressionInterpreter as never,
  actions: { export: true, source: false, compiled: false, editor: false },
  ...(look.isDark ? { theme: 'dark' as const } : {}),
  config: { background: look.surface },
}).catch((error: unknown) => {
  element.textContent = `This chart could not be drawn: ${error instanceof Error ? error.message : 'unknown reason'}`;
});
