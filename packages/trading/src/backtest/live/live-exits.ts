import type { Book } from '../engine/book.ts';
import type { Lot } from '../engine/order.ts';
import type { LiveOrders } from './live-orders.ts';
import type { Decision, LiveBar } from './live-types.ts';

/** What rests for the exits of purchases holds what the strategy now sells itself. */
export function cancelExits(orders: LiveOrders, book: Book): Decision[] {
  const decisions: Decision[] = [];
  for (const [id, { exitOf, placing, isCanceled }] of orders.open) {
    if (exitOf === null || isCanceled || placing.symbol !== book.market.symbol) continue;
    decisions.push(orders.cancel(id, placing.symbol, 'The strategy sells'));
  }
  return decisions;
}

/** Brings what rests at the exchange to what the purchases want: one order for each. */
export function updateExits(orders: LiveOrders): Decision[] {
  const decisions: Decision[] = [];
  for (const book of orders.simulation.books) {
    const isOfBook = (symbol: string) => symbol === book.market.symbol;
    // While the strategy sells, nothing else may hold the amount.
    const isSelling = [...orders.open.values()].some(
      ({ placing, exitOf }) => isOfBook(placing.symbol) && placing.side === 'sell' && exitOf === null,
    );
    if (isSelling) continue;
    const wanted = new Map<string, Lot>();
    for (const lot of book.lots) {
      const purchase = orders.purchases.get(lot.order);
      const hasExit = !(Number.isNaN(lot.stop) && Number.isNaN(lot.takeProfit));
      if (purchase !== undefined && hasExit) wanted.set(purchase, lot);
    }
    for (const [id, { exitOf, placing, filled, isCanceled }] of orders.open) {
      if (exitOf === null || isCanceled || !isOfBook(placing.symbol)) continue;
      const lot = wanted.get(exitOf);
      const price = lot && (Number.isNaN(lot.stop) ? lot.takeProfit : lot.stop);
      const isSame =
        lot && price === (placing.stopPrice ?? placing.price) && Math.abs(placing.amount - filled - lot.amount) < 1e-12;
      if (isSame || placing.type === 'market') wanted.delete(exitOf);
      else decisions.push(orders.cancel(id, placing.symbol, 'The exit changed'));
    }
    for (const [purchase, lot] of wanted) {
      const isStop = !Number.isNaN(lot.stop);
      decisions.push(orders.placeExit(book, lot, purchase, isStop ? 'stop' : 'limit', isStop ? 'Stop' : 'Take profit'));
    }
  }
  return decisions;
}

/** Of purchases that have a stop too: sold at the market once a bar was that high. */
export function watchTakeProfits(orders: LiveOrders, bars: readonly LiveBar[]): Decision[] {
  const decisions: Decision[] = [];
  for (const { symbol, high } of bars) {
    const book = orders.bookOf(symbol);
    for (const lot of book.lots) {
      if (Number.isNaN(lot.stop) || !(lot.takeProfit <= high)) continue;
      const purchase = orders.purchases.get(lot.order) ?? '';
      const exits = [...orders.open].filter(([, each]) => each.exitOf === purchase && !each.isCanceled);
      if (exits.some(([, { placing }]) => placing.type === 'market')) continue;
      for (const [id] of exits) decisions.push(orders.cancel(id, symbol, 'Take profit'));
      decisions.push(orders.placeExit(book, lot, purchase, 'market', 'Take profit'));
    }
  }
  return decisions;
}
