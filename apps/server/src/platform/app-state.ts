import type { Context, Services } from './context.ts';

/**
 * Values are created with a context in the server's own name, so that they do not hold on to the request that needed them
 * first.
 */
export function createState(system: () => Context): Services['state'] {
  const values = new Map<unknown, unknown>();
  return {
    get<Value>(create: (system: Context) => Value): Value {
      if (!values.has(create)) values.set(create, create(system()));
      return values.get(create) as Value;
    },
  };
}

/**
 * Use this instead of a module variable: the value is created when it is first needed and shared by all contexts of one
 * app.
 */
export const appState =
  <Value>(create: (system: Context) => Value) =>
  ({ state }: Pick<Services, 'state'>): Value =>
    state.get(create);
