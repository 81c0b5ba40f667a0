import { decimal } from '../decimal.ts';
import type { Book, Level, Market } from '../port.ts';
import type { DemoAsset } from './markets.ts';
import { mix } from './noise.ts';
import type { DemoPrices } from './prices.ts';

/** Half of the spread and the distance of levels, as shares of the price. */
const halfSpread = 0.000_15;
const levelDistance = 0.000_25;
/** How much of a minute's volume stands at the first level. */
const depthShare = 0.25;

/** From the best price on, as far as one looks: an order rarely needs more than the first. */
export function* demoLevels(
  prices: DemoPrices,
  asset: DemoAsset,
  market: Market,
  side: 'bid' | 'ask',
  at: number,
  depth = 20,
): Generator<Level> {
  const last = prices.priceAt(asset, at);
  const scale = 10 ** asset.priceDigits;
  const tick = 1 / scale;
  const nervous = prices.nervousnessAt(asset, at);
  const spread = Math.max(last * halfSpread * nervous, tick / 2);
  const distance = Math.max(last * levelDistance * nervous, tick);
  const second = Math.floor(at / 1000);
  const direction = side === 'ask' ? 1 : -1;
  let previous = Number.NaN;
  for (let index = 0; index < depth; index++) {
    const exact = (last + direction * (spread + index * distance)) * scale;
    const ticks = direction > 0 ? Math.ceil(exact) : Math.floor(exact);
    if (ticks <= 0) break;
    if (ticks === previous) continue;
    previous = ticks;
    const share = 0.5 + (mix(prices.seed, direction + 80, second * 64 + index) & 1023) / 1023;
    const amount = (share * (1 + index * 0.4) * asset.minuteVolume * depthShare) / last;
    yield {
      price: decimal(ticks).times(market.priceTick).toFixed(),
      amount: decimal(Math.max(Math.floor(amount * 10 ** asset.amountDigits), 1))
        .times(market.amountStep)
        .toFixed(),
    };
  }
}

export const demoBook = (prices: DemoPrices, asset: DemoAsset, market: Market, at: number, depth: number): Book => ({
  bids: [...demoLevels(prices, asset, market, 'bid', at, depth)],
  asks: [...demoLevels(prices, asset, market, 'ask', at, depth)],
  at,
});
