import type { Context, Services } from './context.ts';

/** Contexts in the server's own name: what is kept must not hold on to the request that needed it first. */
export function createState(system: () => Context): Services['state'] {
  const values = new Map<unknown, unknown>();
  return {
    get<Value>(create: (system: Context) => Value): Value {
      if (!values.has(create)) values.set(create, create(system()));
      return values.get(create) as Value;
    },
  };
}

/** Instead of a variable of a module: made when it is first needed, the same for all contexts of one app. */
export const appState =
  <Value>(create: (system: Context) => Value) =>
  ({ state }: Pick<Services, 'state'>): Value =>
    state.get(create);
