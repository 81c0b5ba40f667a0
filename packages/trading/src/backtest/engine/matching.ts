import { intervalMs } from '../../port.ts';
import type { Book } from './book.ts';
import { rowAt } from './columns.ts';
import type { Lot, Order } from './order.ts';

/** Of a run: what is written when something is filled. */
export interface Ledger {
  readonly setup: { fees: { maker: number; taker: number }; slippage: number };
  readonly times: Float64Array;
  readonly step: number;
  ambiguousBars: number;
  decidedByFinerBars: number;
  fillBuy(book: Book, order: Order, price: number, rate: number, step: number): Lot | null;
  fillSell(book: Book, order: Order, price: number, rate: number, step: number): void;
  exitLot(book: Book, lot: Lot, price: number, rate: number, step: number, cause: 2 | 3): void;
  end(order: Order, state: Order['state'], note: string): void;
}

/**
 * What a bar fills of what waits in a market; market orders are filled before. The rules are in docs/strategy-fills.md: gaps
 * at the open, then down to the low, then up to the high, unless finer bars say how it was.
 */
export function matchBar(ledger: Ledger, book: Book, open: number, high: number, low: number, close: number): void {
  const finer = book.market.finer;
  if (finer) {
    const { time, open: o, high: h, low: l, close: c } = finer.columns;
    const from = ledger.times[ledger.step] as number;
    const until = from + intervalMs[book.frame.interval];
    let row = rowAt(time, from);
    if (row < time.length && (time[row] as number) < until) {
      const wasAmbiguous = isConflict(book, high, low);
      const before = ledger.ambiguousBars;
      for (; row < time.length && (time[row] as number) < until; row++) {
        matchPart(ledger, book, o[row] as number, h[row] as number, l[row] as number, c[row] as number);
      }
      if (ledger.ambiguousBars > before) ledger.ambiguousBars = before + 1;
      else if (wasAmbiguous) ledger.decidedByFinerBars++;
      expireOrders(ledger, book);
      return;
    }
  }
  matchPart(ledger, book, open, high, low, close);
  expireOrders(ledger, book);
}

/** What has had its last bar ends with it, and blocks no cash when the strategy is asked. */
export function expireOrders(ledger: Ledger, book: Book): void {
  const next = ledger.step + 1;
  if (next >= book.nextExpiry) {
    let kept = 0;
    for (const order of book.resting) {
      if (next < order.expiresAt) book.resting[kept++] = order;
      else ledger.end(order, 'expired', 'Its time was over');
    }
    book.resting.length = kept;
  }
  book.updateTriggers();
}

const reached = (price: number, high: number, low: number) => price >= low && price <= high;

/** Whether a bar could both stop and take profit: which came first is not to be seen in it. */
function isConflict(book: Book, high: number, low: number): boolean {
  let [canFall, canRise] = [false, false];
  for (const lot of book.lots) {
    if (lot.stop >= low) canFall = true;
    if (lot.takeProfit <= high) canRise = true;
  }
  for (const order of book.resting) {
    const price = order.isWaitingForTrigger ? order.trigger : order.limit;
    if (!order.isBuy && reached(price, high, low)) {
      if (order.isDown) canFall = true;
      else canRise = true;
    } else if (order.isBuy && reached(price, high, low)) {
      if (order.isDown ? order.takeProfit <= high : order.stop >= low) return true;
    }
  }
  return canFall && canRise;
}

function matchPart(ledger: Ledger, book: Book, open: number, high: number, low: number, close: number): void {
  const { fees, slippage } = ledger.setup;
  const { step } = ledger;
  let isAmbiguous = false;

  const stopLot = (lot: Lot, price: number) => ledger.exitLot(book, lot, price * (1 - slippage), fees.taker, step, 2);
  const takeProfitOf = (lot: Lot, price: number) => ledger.exitLot(book, lot, price, fees.maker, step, 3);
  const drop = (order: Order) => {
    const at = book.resting.indexOf(order);
    if (at >= 0) book.resting.splice(at, 1);
  };
  /** At the market, against the order by the slippage; or at a limit's own price. */
  const fill = (order: Order, price: number, isMaker: boolean): Lot | null => {
    drop(order);
    const rate = isMaker ? fees.maker : fees.taker;
    const isAtMarket = Number.isNaN(order.limit);
    if (order.isBuy) return ledger.fillBuy(book, order, isAtMarket ? price * (1 + slippage) : price, rate, step);
    ledger.fillSell(book, order, isAtMarket ? price * (1 - slippage) : price, rate, step);
    return null;
  };
  const isWithinLimit = (order: Order, price: number) =>
    Number.isNaN(order.limit) || (order.isBuy ? price <= order.limit : price >= order.limit);

  // 1. What the open itself passes, at the open.
  for (const lot of [...book.lots]) {
    if (lot.stop >= open) stopLot(lot, open);
    else if (lot.takeProfit <= open) takeProfitOf(lot, open);
  }
  for (const isBuy of [false, true]) {
    for (const order of [...book.resting]) {
      if (order.isBuy !== isBuy) continue;
      if (order.isWaitingForTrigger) {
        if (order.isTriggerAbove ? open < order.trigger : open > order.trigger) continue;
        order.isTriggered = true;
        if (isWithinLimit(order, open)) fill(order, open, false);
      } else if (isWithinLimit(order, open)) {
        // One that could be filled at once when it came takes from the book; one that waited is taken.
        fill(order, open, step - order.step > 1);
      }
    }
  }

  const [stops, profits] = [book.lots.some((lot) => lot.stop >= low), book.lots.some((lot) => lot.takeProfit <= high)];
  const sells = book.resting.filter((order) => !order.isBuy);
  const falls = stops || sells.some((order) => order.isDown && nextPrice(order) >= low);
  const rises = profits || sells.some((order) => !order.isDown && nextPrice(order) <= high);
  if (falls && rises) isAmbiguous = true;

  // 2. Down to the low, from the highest price on.
  const boughtFalling = new Set<Lot>();
  const passed = new Set<Order>();
  for (;;) {
    let price = Number.NEGATIVE_INFINITY;
    let lotNext: Lot | null = null;
    let orderNext: Order | null = null;
    for (const lot of book.lots) {
      if (lot.stop >= low && lot.stop > price) [price, lotNext] = [lot.stop, lot];
    }
    for (const order of book.resting) {
      const at = nextPrice(order);
      if (order.isDown && at >= low && at > price && !passed.has(order))
        [price, lotNext, orderNext] = [at, null, order];
    }
    if (lotNext) stopLot(lotNext, lotNext.stop);
    else if (orderNext) {
      const lot = touch(orderNext, price);
      if (lot) boughtFalling.add(lot);
    } else break;
  }

  // 3. Up to the high, from the lowest price on.
  const boughtRising: Lot[] = [];
  for (;;) {
    let price = Number.POSITIVE_INFINITY;
    let lotNext: Lot | null = null;
    let orderNext: Order | null = null;
    for (const lot of book.lots) {
      if (!(lot.takeProfit <= high) || lot.takeProfit >= price) continue;
      if (boughtFalling.has(lot) && close < lot.takeProfit) {
        // The high may have been before the purchase.
        isAmbiguous = true;
        continue;
      }
      if (boughtRising.includes(lot) && lot.stop >= low) continue;
      [price, lotNext] = [lot.takeProfit, lot];
    }
    for (const order of book.resting) {
      const at = nextPrice(order);
      if (!order.isDown && at <= high && at < price && !passed.has(order))
        [price, lotNext, orderNext] = [at, null, order];
    }
    if (lotNext) takeProfitOf(lotNext, lotNext.takeProfit);
    else if (orderNext) {
      const lot = touch(orderNext, price);
      if (lot) boughtRising.push(lot);
    } else break;
  }

  // 4. What was bought on the way up and whose stop the bar reaches: the low may have been before or after.
  for (const lot of boughtRising) {
    if (!(lot.stop >= low) || !book.lots.includes(lot)) continue;
    if (close > lot.stop || lot.takeProfit <= high) isAmbiguous = true;
    stopLot(lot, lot.stop);
  }
  if (isAmbiguous) ledger.ambiguousBars++;

  /** The price came to it: filled, or from now on a limit that waits for the next bar. */
  function touch(order: Order, price: number): Lot | null {
    if (!order.isWaitingForTrigger) return fill(order, price, true);
    order.isTriggered = true;
    if (isWithinLimit(order, price)) return fill(order, price, false);
    passed.add(order);
    return null;
  }
}

const nextPrice = (order: Order) => (order.isWaitingForTrigger ? order.trigger : order.limit);
