import { apiPrefix, contract, type TopicContract, topics } from '@atoll/contract';
import { minifyContractRouter } from '@orpc/contract';
import type { Plugin } from 'vite';

const modules: Record<string, () => string> = {
  'virtual:contract': () => `export const contract = ${JSON.stringify(minifyContractRouter(contract), onlyRouting)};`,
  'virtual:topics': () => `export const topics = ${JSON.stringify(topicOutlines())};`,
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

/** Each topic's name and which of its commands are applied at most once. */
function topicOutlines(): Record<string, object> {
  const outlines = Object.entries<TopicContract>(topics).map(([key, { pattern, hasPresence, isPassing, commands }]) => {
    const writing = Object.keys(commands).filter((name) => commands[name]?.isWriting);
    return [key, { pattern, hasPresence, isPassing, writing }];
  });
  return Object.fromEntries(outlines);
}
