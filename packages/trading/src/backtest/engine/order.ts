import type { OrderType, Side } from '../../port.ts';
import type { OrderRecord } from '../job.ts';

/** An order within a run. */
export class Order {
  readonly id: number;
  readonly market: number;
  readonly isBuy: boolean;
  readonly type: OrderType;
  /** When it was decided, as a step of the run. */
  readonly step: number;
  /** 0: sized by `budget` when it is filled. */
  amount = 0;
  budget = 0;
  limit = Number.NaN;
  trigger = Number.NaN;
  /** Which way the price has to go to reach the trigger. */
  isTriggerAbove = false;
  isTriggered = false;
  stop = Number.NaN;
  takeProfit = Number.NaN;
  expiresAt = Number.POSITIVE_INFINITY;
  reason = '';
  /** Of weights: what is too small is left out without a word. */
  isQuiet = false;
  state: OrderRecord['state'] = 'open';
  /** Cash kept for it. */
  reserved = 0;
  filled = 0;
  price = Number.NaN;
  fee = 0;
  filledStep = -1;
  note = '';
  constructor(id: number, market: number, isBuy: boolean, type: OrderType, step: number) {
    this.id = id;
    this.market = market;
    this.isBuy = isBuy;
    this.type = type;
    this.step = step;
  }
  get side(): Side {
    return this.isBuy ? 'buy' : 'sell';
  }
  get isWaitingForTrigger(): boolean {
    return !this.isTriggered && !Number.isNaN(this.trigger);
  }
  /** Whether the price has to fall for the next thing to happen to it. */
  get isDown(): boolean {
    return this.isWaitingForTrigger ? !this.isTriggerAbove : this.isBuy;
  }
}

/** What was bought by one order and is not sold yet. */
export class Lot {
  amount: number;
  price: number;
  /** Paid for the amount that is left. */
  fee: number;
  readonly step: number;
  stop: number;
  takeProfit: number;
  readonly reason: number;
  readonly order: number;
  constructor(amount: number, price: number, fee: number, order: Order, step: number, reason: number) {
    this.amount = amount;
    this.price = price;
    this.fee = fee;
    this.step = step;
    this.stop = order.stop;
    this.takeProfit = order.takeProfit;
    this.reason = reason;
    this.order = order.id;
  }
}
