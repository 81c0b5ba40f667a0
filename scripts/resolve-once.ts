import { type ResolveFnOutput, registerHooks } from 'node:module';

/**
 * Node reads what a package offers anew for every import of it. Drizzle's list is 180 KB, and hundreds of our modules import
 * it: a third of what starting the server takes. All of ours that name a package mean the same one.
 */
const known = new Map<string, ResolveFnOutput>();

registerHooks({
  resolve(specifier, context, next) {
    const isPackage = !/^[./#]|^[a-z]+:/.test(specifier);
    const isOurs = context.parentURL !== undefined && !context.parentURL.includes('/node_modules/');
    if (!isPackage || !isOurs) return next(specifier, context);
    const key = `${specifier} ${context.conditions?.join()}`;
    const found = known.get(key) ?? { ...next(specifier, context), shortCircuit: true };
    known.set(key, found);
    return found;
  },
});
