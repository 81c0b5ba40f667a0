import { existsSync, readFileSync } from 'node:fs';
import { type ResolveFnOutput, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Node reads what a package offers anew for every import of it, and for every file of it. Drizzle's list is 180 KB, and hundreds
 * of modules import it: a third of what starting the server takes. All of ours that name a package mean the same one.
 */
const known = new Map<string, ResolveFnOutput>();
/** By folder: what its `package.json`, or that of the nearest folder above, says of files that end in `.js`. */
const types = new Map<string, string | undefined>();

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL, conditions } = context;
    if (!parentURL?.startsWith('file:')) return next(specifier, context);
    if (/^\.\.?\//.test(specifier)) {
      if (!conditions?.includes('import')) return next(specifier, context);
      const { href } = new URL(specifier, parentURL);
      const format = formatOf(href);
      return format ? { url: href, format, shortCircuit: true } : next(specifier, context);
    }
    const isPackage = !/^[./#]|^[a-z]+:/.test(specifier);
    if (!isPackage || parentURL.includes('/node_modules/')) return next(specifier, context);
    const key = `${specifier} ${conditions?.join()}`;
    const found = known.get(key) ?? { ...next(specifier, context), shortCircuit: true };
    known.set(key, found);
    return found;
  },
});

/** Nothing where Node has to look into the file, or into the folder. */
function formatOf(href: string): string | undefined {
  if (href.endsWith('.mjs')) return 'module';
  const isTypeScript = href.endsWith('.ts') && !href.includes('/node_modules/');
  if (!isTypeScript && !href.endsWith('.js')) return;
  const type = typeIn(new URL('.', href).href);
  return type && (isTypeScript ? `${type}-typescript` : type);
}

function typeIn(folder: string): string | undefined {
  if (types.has(folder)) return types.get(folder);
  const file = fileURLToPath(`${folder}package.json`);
  const above = new URL('..', folder).href;
  const type = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { type?: string }).type
    : above !== folder && !/\/node_modules\/$/.test(folder)
      ? typeIn(above)
      : undefined;
  types.set(folder, type);
  return type;
}
