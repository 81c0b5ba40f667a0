import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inPython, strategyApi } from './api.ts';

const engine = join(import.meta.dirname, '../../../../../../packages/trading/src/backtest');
const typescript = readFileSync(join(engine, 'engine/strategy.ts'), 'utf8');
const python = readFileSync(join(engine, 'python/atoll_strategy.py'), 'utf8');
const names = new Set(strategyApi.map(({ name }) => name));

/** Members of what strategies get to hold: all that stands at the first level of an interface. */
const declared = [
  ...typescript.matchAll(/^export interface (Series|Bars|OrderOptions|Market|StrategyContext)\b[^{]*\{(.*?)^\}/gms),
]
  .flatMap(([, , body = '']) => [...body.matchAll(/^ {2}(?:readonly )?(\w+)[?(:]/gm)])
  .map(([, name = '']) => name);

test('everything a strategy can use is offered, and nothing else', () => {
  expect(declared.length).toBeGreaterThan(50);
  expect(declared.filter((name) => !names.has(name))).toEqual([]);
  const known = new Set([...declared, 'strategy', 'integer', 'number', 'boolean', 'choice']);
  const definition = ['parameters', 'markets', 'timeframes', 'warmUp', 'start', 'onBar', 'onFill'];
  expect([...names].filter((name) => !known.has(name) && !definition.includes(name))).toEqual([]);
});

test('in Python by the names it has there', () => {
  const missing = strategyApi
    .map(inPython)
    .filter(({ name }) => !['strategy', 'parameters'].includes(name) && !new RegExp(`\\b${name}\\b`).test(python));
  expect(missing.map(({ name }) => name)).toEqual([]);
  expect(inPython({ of: 'market', name: 'buy', call: '({ percent, takeProfit })', text: '' }).call).toBe(
    '(percent=, take_profit=)',
  );
});
