import type { StaticDataRouteOption } from '@tanstack/react-router';

interface Named {
  staticData: StaticDataRouteOption;
  loaderData?: unknown;
}

/** What a page is called: what its loader found out (a project's name), or else its fixed title. */
export function nameOf({ staticData, loaderData }: Named): string | undefined {
  const found = loaderData && typeof loaderData === 'object' && 'title' in loaderData ? loaderData.title : undefined;
  return typeof found === 'string' ? found : staticData.title;
}
