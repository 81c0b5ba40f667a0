import { expect, test } from 'vitest';
import { parseWalletSearch, priceWords, unitWords, walletFilterOf } from './model.ts';

test('an address keeps what can be filtered by', () => {
  expect(parseWalletSearch({ kind: 'voucher', from: '2026-11-01', to: '2026-11-30' })).toEqual({
    kind: 'voucher',
    from: '2026-11-01',
    to: '2026-11-30',
  });
  expect(parseWalletSearch({ kind: 'gift', from: 'yesterday', to: 5, purchase: '../x', canceled: 'x' })).toEqual({});
  const purchase = '01890000-0000-7000-8000-000000000000';
  expect(parseWalletSearch({ purchase, canceled: true })).toEqual({ purchase, canceled: true });
});

test('the last day is included, also at the end of a month', () => {
  const { from, to } = walletFilterOf({ from: '2026-11-30', to: '2026-11-30' });
  expect(from).toBe(new Date(2026, 10, 30).toISOString());
  expect(to).toBe(new Date(2026, 11, 1).toISOString());
});

test('prices are in dollars', () => {
  expect([100, 2_950].map(priceWords)).toEqual(['$1.00', '$29.50']);
});

test('units are counted in words', () => {
  expect([1, 0, 2_900].map(unitWords)).toEqual(['1 unit', '0 units', '2,900 units']);
});
