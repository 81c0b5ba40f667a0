/** What Binance streams of everything at once, and of the order books that are looked at, over one connection. */
export interface StreamHandlers {
  onPrices(prices: StreamedPrice[]): void;
  onBook(market: string, book: { bids: StreamedLevel[]; asks: StreamedLevel[] }): void;
  onLive(isLive: boolean): void;
}
export interface StreamedPrice {
  /** BTCUSDT. */
  market: string;
  last: string;
  open: string;
  volume: string;
}
type StreamedLevel = [price: string, amount: string];

export interface PriceStream {
  followBook(market: string): void;
  unfollowBook(market: string): void;
  stop(): void;
}

const everything = '!miniTicker@arr';
const bookSuffix = '@depth10';
/** Something changes every second: whoever is silent for so long is gone. */
const silenceMs = 15_000;
const longestWaitMs = 60_000;

export function followBinance(url: string, { onPrices, onBook, onLive }: StreamHandlers): PriceStream {
  const books = new Set<string>();
  let socket: WebSocket | null = null;
  let failures = 0;
  let isStopped = false;
  let silence: NodeJS.Timeout | undefined;
  let lastRequest = 0;

  const ask = (method: 'SUBSCRIBE' | 'UNSUBSCRIBE', markets: Iterable<string>) => {
    const params = [...markets].map((market) => `${market.toLowerCase()}${bookSuffix}`);
    if (params.length > 0 && socket?.readyState === WebSocket.OPEN)
      socket.send(JSON.stringify({ method, params, id: ++lastRequest }));
  };

  function connect(): void {
    const opened = new WebSocket(`${url}/stream?streams=${everything}`);
    socket = opened;
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(() => opened.close(), silenceMs).unref();
    };
    heard();
    opened.onopen = () => ask('SUBSCRIBE', books);
    opened.onmessage = ({ data }) => {
      heard();
      const message = read(data);
      if (!message) return;
      if (message.stream === everything && Array.isArray(message.data)) {
        failures = 0;
        onLive(true);
        onPrices(message.data.flatMap(priceOf));
      } else if (message.stream.endsWith(bookSuffix)) {
        const market = message.stream.slice(0, -bookSuffix.length).toUpperCase();
        onBook(market, message.data as { bids: StreamedLevel[]; asks: StreamedLevel[] });
      }
    };
    // An error is followed by its close.
    opened.onclose = () => {
      clearTimeout(silence);
      if (isStopped) return;
      onLive(false);
      const waitMs = Math.min(1_000 * 2 ** failures++, longestWaitMs);
      setTimeout(() => !isStopped && connect(), waitMs).unref();
    };
  }
  connect();

  return {
    followBook(market) {
      books.add(market);
      ask('SUBSCRIBE', [market]);
    },
    unfollowBook(market) {
      books.delete(market);
      ask('UNSUBSCRIBE', [market]);
    },
    stop() {
      isStopped = true;
      clearTimeout(silence);
      socket?.close();
    },
  };
}

function read(data: unknown): { stream: string; data: unknown } | null {
  try {
    const message = JSON.parse(String(data)) as { stream?: unknown; data?: unknown };
    return typeof message.stream === 'string' ? { stream: message.stream, data: message.data } : null;
  } catch {
    return null;
  }
}

/** As documented: s the market, c the last price, o the one a day ago, q what was traded since, in the quote. */
function priceOf(each: Record<string, unknown>): StreamedPrice[] {
  const { s: market, c: last, o: open, q: volume } = each;
  if (![market, last, open, volume].every((value) => typeof value === 'string')) return [];
  return [{ market, last, open, volume } as StreamedPrice];
}
