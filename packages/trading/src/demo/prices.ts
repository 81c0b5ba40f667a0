import { emptyCandles } from '../candles.ts';
import type { Candles } from '../port.ts';
import { type DemoAsset, demoAssets } from './markets.ts';
import { addNoise, mix, normal, uniform } from './noise.ts';

/**
 * Prices of the demo are a function of seed, asset and time, so they are the same after a restart, on every server and in
 * every test. The logarithm of a price is a sum of random lines, each twice as long and √2 times as high as the one before
 * (which moves like a random walk), with nervous and calm weeks, moves that all assets share, and gaps.
 */
const minuteMs = 60_000;
const minutesOfYear = 525_600;
/** The longest line is four years. */
const octaves = 22;
/** Lines up to four hours become longer in nervous times. */
const nervousOctaves = 8;
const gapBlock = 4_096;
const gapChance = 0.3;
const gapSize = 0.02;
/** The streams of randomness of one asset. */
const streams = { nervousness: 40, gapAt: 50, gapTo: 51, wick: 60, order: 61, volume: 62 };

/** Of the variance of a walk after a minute, so that a year comes to the asset's volatility (measured, in the tests). */
const walk = 0.62;

/** Doubles, in the minutes from `from`. */
interface Path {
  from: number;
  /** At the start of each minute, one more than there are minutes. */
  log: Float64Array;
  nervousness: Float64Array;
}

function sharedSeed(seed: number): number {
  return mix(seed, 7, 7);
}
function assetSeed(seed: number, asset: DemoAsset): number {
  return mix(seed, 11, demoAssets.indexOf(asset) + 1);
}

function addWalk(
  into: Float64Array,
  from: number,
  seed: number,
  amplitude: number,
  lowest: number,
  highest: number,
): void {
  for (let octave = lowest; octave < highest; octave++) {
    addNoise(into, from, seed, octave, 2 ** octave, amplitude * walk * Math.SQRT2 ** octave);
  }
}

/** The longer lines bend only where the shortest of them does: they are added up there, and drawn as one. */
const slowMinutes = 2 ** nervousOctaves;
function addSlowWalk(into: Float64Array, from: number, seed: number, amplitude: number): void {
  const first = Math.floor(from / slowMinutes);
  const points = new Float64Array(Math.floor((from + into.length - 1) / slowMinutes) - first + 2);
  for (let octave = nervousOctaves; octave < octaves; octave++) {
    const length = 2 ** (octave - nervousOctaves);
    addNoise(points, first, seed, octave, length, amplitude * walk * Math.SQRT2 ** octave);
  }
  let within = from - first * slowMinutes;
  for (let index = 0, cell = 0; index < into.length; cell++, within = 0) {
    const left = points[cell] as number;
    const rise = (points[cell + 1] as number) - left;
    const end = Math.min(index + slowMinutes - within, into.length);
    for (; index < end; index++, within++) into[index] = (into[index] as number) + left + (rise * within) / slowMinutes;
  }
}

function pathOf(seed: number, asset: DemoAsset, from: number, minutes: number): Path {
  const size = minutes + 1;
  const perMinute = asset.volatility / Math.sqrt(minutesOfYear);
  const shareOfAll = Math.min(0.7 * asset.beta, 0.9);
  const ofAll = (perMinute * shareOfAll) / Math.SQRT2;
  const own = (perMinute * Math.sqrt(1 - shareOfAll ** 2)) / Math.SQRT2;
  const ownSeed = assetSeed(seed, asset);
  const nervousness = new Float64Array(size);
  addNoise(nervousness, from, sharedSeed(seed), streams.nervousness, 10_080, 0.35);
  addNoise(nervousness, from, ownSeed, streams.nervousness, 1_440, 0.35);
  addNoise(nervousness, from, ownSeed, streams.nervousness + 1, 240, 0.25);
  for (let index = 0; index < size; index++) nervousness[index] = Math.exp(nervousness[index] as number);

  const log = new Float64Array(size);
  addWalk(log, from, sharedSeed(seed), ofAll, 0, nervousOctaves);
  addWalk(log, from, ownSeed, own, 0, nervousOctaves);
  for (let index = 0; index < size; index++) log[index] = (log[index] as number) * (nervousness[index] as number);
  addSlowWalk(log, from, sharedSeed(seed), ofAll);
  addSlowWalk(log, from, ownSeed, own);
  return { from, log, nervousness };
}

/** How far the gaps up to this minute have moved the logarithm. */
function gapLevel(seed: number, minute: number): number {
  const block = Math.floor(minute / gapBlock);
  for (let back = 0; back < 40; back++) {
    const each = block - back;
    if (uniform(seed, streams.gapTo + 10, each) >= gapChance) continue;
    const at = each * gapBlock + Math.floor(uniform(seed, streams.gapAt, each) * gapBlock);
    if (at <= minute) return normal(seed, streams.gapTo, each) * gapSize;
  }
  return 0;
}

export interface DemoPrices {
  /** Whole minutes: `from` is a number of minutes since 1970. Written over `into`, where that has as many. */
  minutes(asset: DemoAsset, from: number, count: number, into?: Candles): Candles;
  /** The last price at a moment. */
  priceAt(asset: DemoAsset, at: number): number;
  nervousnessAt(asset: DemoAsset, at: number): number;
  /** When, after `from` and not after `to`, the price first is at or beyond the limit; null if never. */
  crossing(asset: DemoAsset, from: number, to: number, limit: number, direction: 'down' | 'up'): number | null;
  seed: number;
}

/** The points that a minute passes through, as shares of the minute and prices. */
interface Course {
  shares: [number, number, number, number];
  prices: [number, number, number, number];
}

export function demoPrices(seed: number): DemoPrices {
  /** Whoever looks at a market looks at the same few minutes. */
  const recent = new Map<string, Candles>();
  const recentMinutes = 16;

  function minutes(asset: DemoAsset, from: number, count: number, into?: Candles): Candles {
    const { log, nervousness } = pathOf(seed, asset, from, count);
    const ownSeed = assetSeed(seed, asset);
    const scale = 10 ** asset.priceDigits;
    const round = (price: number) => Math.max(Math.round(price * scale), 1) / scale;
    const perMinute = asset.volatility / Math.sqrt(minutesOfYear);
    const amounts = 10 ** asset.amountDigits;
    const candles = into?.time.length === count ? into : emptyCandles(count);
    const { time, open: opens, high: highs, low: lows, close: closes, volume } = candles;
    const base = Math.log(asset.basePrice);
    let gap = 1;
    let gapUntil = -1;
    let next = Math.exp(base + (log[0] ?? 0));
    for (let index = 0; index < count; index++) {
      const minute = from + index;
      // Gaps are rare: looked up again where a block begins or a gap lies.
      if (minute >= gapUntil) {
        gap = Math.exp(gapLevel(ownSeed, minute));
        const block = Math.floor(minute / gapBlock);
        const at = block * gapBlock + Math.floor(uniform(ownSeed, streams.gapAt, block) * gapBlock);
        gapUntil = minute < at ? at : (block + 1) * gapBlock;
      }
      const open = next * gap;
      next = Math.exp(base + (log[index + 1] as number));
      const close = next * gap;
      const nervous = nervousness[index] as number;
      const wick = perMinute * nervous;
      const above = uniform(ownSeed, streams.wick, minute * 2) * wick;
      const below = uniform(ownSeed, streams.wick, minute * 2 + 1) * wick;
      time[index] = minute * minuteMs;
      opens[index] = round(open);
      closes[index] = round(close);
      highs[index] = round(Math.max(open, close) * (1 + above));
      lows[index] = round(Math.min(open, close) * (1 - below));
      const share = (0.4 + 1.2 * uniform(ownSeed, streams.volume, minute)) * nervous * Math.sqrt(nervous);
      volume[index] = Math.round(((share * asset.minuteVolume) / open) * amounts) / amounts;
    }
    return candles;
  }

  /** The minute at `minute`, and where it is in the columns. */
  function around(asset: DemoAsset, minute: number): [Candles, number] {
    const from = Math.floor(minute / recentMinutes) * recentMinutes;
    const key = `${asset.asset} ${from}`;
    let candles = recent.get(key);
    if (!candles) {
      candles = minutes(asset, from, recentMinutes);
      if (recent.size > 500) recent.clear();
      recent.set(key, candles);
    }
    return [candles, minute - from];
  }

  function courseOf(asset: DemoAsset, candles: Candles, index: number): Course {
    const minute = (candles.time[index] ?? 0) / minuteMs;
    const bits = mix(assetSeed(seed, asset), streams.order, minute);
    const first = 0.1 + ((bits & 255) / 255) * 0.35;
    const second = 0.55 + (((bits >>> 8) & 255) / 255) * 0.35;
    const [high, low] = [candles.high[index] ?? 0, candles.low[index] ?? 0];
    const [one, two] = (bits >>> 16) & 1 ? [high, low] : [low, high];
    return { shares: [0, first, second, 1], prices: [candles.open[index] ?? 0, one, two, candles.close[index] ?? 0] };
  }

  function priceAt(asset: DemoAsset, at: number): number {
    const minute = Math.floor(at / minuteMs);
    const [candles, index] = around(asset, minute);
    const { shares, prices } = courseOf(asset, candles, index);
    const share = at / minuteMs - minute;
    const part = share < shares[1] ? 0 : share < shares[2] ? 1 : 2;
    const [s0, s1] = [shares[part] ?? 0, shares[part + 1] ?? 1];
    const [p0, p1] = [prices[part] ?? 0, prices[part + 1] ?? 0];
    const scale = 10 ** asset.priceDigits;
    return Math.round((p0 + ((p1 - p0) * (share - s0)) / (s1 - s0)) * scale) / scale;
  }

  /** Within one minute, from a share of it on. */
  function crossingIn(course: Course, fromShare: number, limit: number, direction: 'down' | 'up'): number | null {
    const reaches = (price: number) => (direction === 'down' ? price <= limit : price >= limit);
    for (let part = 0; part < 3; part++) {
      const [s0, s1] = [course.shares[part] ?? 0, course.shares[part + 1] ?? 1];
      if (s1 <= fromShare) continue;
      const [p0, p1] = [course.prices[part] ?? 0, course.prices[part + 1] ?? 0];
      const start = Math.max(s0, fromShare);
      const atStart = p0 + ((p1 - p0) * (start - s0)) / (s1 - s0);
      if (reaches(atStart)) return start;
      if (reaches(p1)) return s0 + ((limit - p0) * (s1 - s0)) / (p1 - p0);
    }
    return null;
  }

  function crossing(
    asset: DemoAsset,
    from: number,
    to: number,
    limit: number,
    direction: 'down' | 'up',
  ): number | null {
    const last = Math.floor(to / minuteMs);
    let minute = Math.floor(from / minuteMs);
    while (minute <= last) {
      // A server that was down for a week looks through it in pieces.
      const isNear = last - minute < recentMinutes * 4;
      const [candles, start] = isNear ? around(asset, minute) : [minutes(asset, minute, 1_440), 0];
      for (let index = start; index < candles.time.length && minute <= last; index++, minute++) {
        const isBeyond =
          direction === 'down' ? (candles.low[index] ?? 0) <= limit : (candles.high[index] ?? 0) >= limit;
        if (!isBeyond) continue;
        const share = crossingIn(courseOf(asset, candles, index), from / minuteMs - minute, limit, direction);
        if (share === null) continue;
        const at = (minute + share) * minuteMs;
        return at <= to ? at : null;
      }
    }
    return null;
  }

  const lately = new Map<string, { minute: number; nervousness: number }>();
  function nervousnessAt(asset: DemoAsset, at: number): number {
    const minute = Math.floor(at / minuteMs);
    const known = lately.get(asset.asset);
    if (known?.minute === minute) return known.nervousness;
    const nervousness = pathOf(seed, asset, minute, 0).nervousness[0] ?? 1;
    lately.set(asset.asset, { minute, nervousness });
    return nervousness;
  }

  return { minutes, priceAt, nervousnessAt, crossing, seed };
}
