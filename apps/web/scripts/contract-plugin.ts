import { apiPrefix, contract } from '@atoll/contract';
import { minifyContractRouter } from '@orpc/contract';
import type { Plugin } from 'vite';

const modules: Record<string, () => string> = {
  'virtual:contract': () => `export const contract = ${JSON.stringify(minifyContractRouter(contract), onlyRouting)};`,
  'virtual:api-prefix': () => `export const apiPrefix = ${JSON.stringify(apiPrefix)};`,
};

/** The browser needs to know where a call goes, not how its answer is validated: zod and every schema stay here. */
export function contractClient(): Plugin {
  return {
    name: 'contract-client',
    resolveId: (id) => (id in modules ? `\0${id}` : undefined),
    load: (id) => (id.startsWith('\0virtual:') ? modules[id.slice(1)]?.() : undefined),
  };
}

function onlyRouting(key: string, value: unknown): unknown {
  if (key === 'meta') return {};
  if (key === 'summary' || key === 'description' || key === 'tags') return undefined;
  return value;
}
