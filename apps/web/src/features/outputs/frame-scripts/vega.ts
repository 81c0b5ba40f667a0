import embed, { type EmbedOptions, vega } from 'vega-embed';
import { expressionInterpreter } from 'vega-interpreter';
import { drawForPrint, element, given, type Still } from './given.ts';

const { look, mode } = given;

function draw(spec: unknown, options: EmbedOptions) {
  const background = (spec as { background?: unknown }).background ?? look.surface;
  return embed(element, { ...(spec as object), background } as never, {
    mode: mode === 'vega' ? 'vega' : 'vega-lite',
    ast: true,
    expr: expressionInterpreter as never,
    ...(look.isDark ? { theme: 'dark' as const } : {}),
    config: { background: look.surface },
    ...options,
  });
}

async function still(spec: unknown): Promise<Still> {
  const loader = vega.loader();
  const load = loader.load.bind(loader);
  let missing: string | null = null;
  // The frame has no network, and the library draws a chart without data.
  loader.load = (address, options) =>
    load(address, options).catch((error: unknown) => {
      missing = address;
      throw error;
    });
  const { view, finalize } = await draw(spec, { actions: false, loader });
  const picture = await view.toSVG();
  finalize();
  if (missing) throw new Error(`Its data at ${missing} cannot be loaded.`);
  const [width = 0, height = 0] = ['width', 'height'].map((name) =>
    Number(new RegExp(`^<svg[^>]*? ${name}="([\\d.]+)"`).exec(picture)?.[1]),
  );
  return { picture, width, height };
}

if (given.isPrinted) drawForPrint(still);
else
  draw(given.spec, { actions: { export: true, source: false, compiled: false, editor: false } }).catch(
    (error: unknown) => {
      element.textContent = `This chart could not be drawn: ${error instanceof Error ? error.message : 'unknown reason'}`;
    },
  );
