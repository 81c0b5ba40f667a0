import { expect, test } from 'vitest';
import { parseWalletSearch, unitWords, walletFilterOf } from './model.ts';

test('an address keeps what can be filtered by', () => {
  expect(parseWalletSearch({ kind: 'voucher', from: '2026-11-01', to: '2026-11-30' })).toEqual({
    kind: 'voucher',
    from: '2026-11-01',
    to: '2026-11-30',
  });
  expect(parseWalletSearch({ kind: 'gift', from: 'yesterday', to: 5 })).toEqual({});
});

test('the last day is included, also at the end of a month', () => {
  const { from, to } = walletFilterOf({ from: '2026-11-30', to: '2026-11-30' });
  expect(from).toBe(new Date(2026, 10, 30).toISOString());
  expect(to).toBe(new Date(2026, 11, 1).toISOString());
});

test('units are counted in words', () => {
  expect([1, 0, 2_900].map(unitWords)).toEqual(['1 unit', '0 units', '2,900 units']);
});
