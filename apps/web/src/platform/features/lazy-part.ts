import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** A component of a module that is downloaded when it is first drawn: `lazyPart(() => import('./pane.tsx'), 'Pane')`. */
export const lazyPart = <Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> => lazy(async () => ({ default: (await load())[name] }));
