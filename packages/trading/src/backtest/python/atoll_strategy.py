"""What strategies in Python are written against: docs/strategy-api.md."""

from bisect import bisect_right
from operator import index as whole

__all__ = ["Strategy", "integer", "number", "boolean", "choice"]

NAN = float("nan")
COLUMNS = ("time", "open", "high", "low", "close", "volume")


class StrategyError(Exception):
    """Something that a strategy must not do, in words for the person who wrote it."""


class Parameter:
    def __init__(self, kind, options):
        self.declared = {"kind": kind, **{name: value for name, value in options.items() if value is not None}}


def integer(*, default, min, max, step=None, label=None, help=None):
    return Parameter("integer", {"default": default, "min": min, "max": max, "step": step, "label": label, "help": help})


def number(*, default, min, max, step=None, label=None, help=None):
    return Parameter("number", {"default": default, "min": min, "max": max, "step": step, "label": label, "help": help})


def boolean(*, default, label=None, help=None):
    return Parameter("boolean", {"default": default, "label": label, "help": help})


def choice(*, default, options, label=None, help=None):
    return Parameter("choice", {"default": default, "options": list(options), "label": label, "help": help})


def not_past(bars):
    return StrategyError(f"{bars} bars ago: only the present bar (0) and those before it (1, 2, …) can be read")


def plain(value):
    """A number as JSON can say it, also where it is none; anything else is for the engine to refuse."""
    if value is None or isinstance(value, (bool, str)):
        return value
    try:
        value = float(value)
    except (TypeError, ValueError, OverflowError):
        return str(value)
    if value - value != 0:
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    return value


class Series:
    """A line of values, one for each bar. Only the present and the past can be read; NaN where there is none yet."""

    __slots__ = ("name", "_values", "_bars", "_index")

    def __init__(self, name, values, bars, index):
        self.name = name
        self._values = values
        self._bars = bars
        self._index = index

    @property
    def value(self):
        row = self._bars._row
        return NAN if row < 0 else self._values[row]

    def ago(self, bars):
        """The value some bars ago: 0 is the present one."""
        if bars.__class__ is not int:
            bars = whole_bars(bars)
        if bars < 0:
            raise not_past(bars)
        row = self._bars._row - bars
        return NAN if row < 0 else self._values[row]

    def crosses_above(self, other):
        row = self._bars._row
        if row < 1:
            return False
        values = self._values
        if other.__class__ is Series:
            if other._bars is self._bars:
                others = other._values
                return values[row] > others[row] and values[row - 1] <= others[row - 1]
            return values[row] > other.value and values[row - 1] <= other.ago(1)
        return values[row] > other and values[row - 1] <= other

    def crosses_below(self, other):
        row = self._bars._row
        if row < 1:
            return False
        values = self._values
        if other.__class__ is Series:
            if other._bars is self._bars:
                others = other._values
                return values[row] < others[row] and values[row - 1] >= others[row - 1]
            return values[row] < other.value and values[row - 1] >= other.ago(1)
        return values[row] < other and values[row - 1] >= other

    def __repr__(self):
        return f"<Series {self.name}: {self.value}>"


def whole_bars(bars):
    try:
        return whole(bars)
    except TypeError:
        raise not_past(bars) from None


class Bands:
    def __init__(self, upper, middle, lower):
        self.upper, self.middle, self.lower = upper, middle, lower


class Macd:
    def __init__(self, line, signal, histogram):
        self.line, self.signal, self.histogram = line, signal, histogram


class Columns:
    """The bars of a whole frame, for an indicator of one's own: numpy arrays where numpy is there."""

    def __init__(self, columns):
        for name, values in zip(COLUMNS, columns):
            setattr(self, name, values)


class Bars:
    """Bars of one market in one time frame, up to the last closed one."""

    def __init__(self, run, market, interval, length):
        self._run = run
        self._market = market
        self._interval = interval
        self._length = length
        self._row = -1
        self._fresh = False
        self._lines = {}
        self._makers = {}

    def _take(self, columns, rows):
        self._time, self._open, self._high, self._low, self._close, self._volume = columns
        self._rows = rows

    def _show_longer(self, now):
        time, length = self._time, self._length
        row = self._row
        if row < 0:
            row = bisect_right(time, now - length, 0, self._rows) - 1
        else:
            while row + 1 < self._rows and time[row + 1] + length <= now:
                row += 1
        self._fresh = row != self._row and row >= 0 and time[row] + length == now
        self._row = row

    @property
    def interval(self):
        return self._interval

    @property
    def count(self):
        """How many bars there are up to now."""
        return self._row + 1

    @property
    def is_fresh(self):
        """Whether a bar closed at this time: of a longer time frame it does so seldom, and a market may have gaps."""
        return self._fresh

    def _read(self, values, bars):
        if bars.__class__ is not int:
            bars = whole_bars(bars)
        if bars < 0:
            raise not_past(bars)
        row = self._row - bars
        return NAN if row < 0 else values[row]

    def time(self, bars_ago=0):
        """When the bar opened, in ms."""
        return self._read(self._time, bars_ago)

    def open(self, bars_ago=0):
        return self._read(self._open, bars_ago)

    def high(self, bars_ago=0):
        return self._read(self._high, bars_ago)

    def low(self, bars_ago=0):
        return self._read(self._low, bars_ago)

    def close(self, bars_ago=0):
        return self._read(self._close, bars_ago)

    def volume(self, bars_ago=0):
        return self._read(self._volume, bars_ago)

    def _ask(self, kind, numbers, of):
        if isinstance(of, Series):
            if of._bars is not self:
                raise StrategyError(f"{kind}: the series is not one of this market and time frame")
            of = {"line": of._index}
        return self._run.lines(self, kind, [plain(each) for each in numbers], of)

    def sma(self, length, of=None):
        return self._ask("sma", [length], of)[0]

    def ema(self, length, of=None):
        return self._ask("ema", [length], of)[0]

    def rsi(self, length, of=None):
        return self._ask("rsi", [length], of)[0]

    def atr(self, length):
        """Of Wilder."""
        return self._ask("atr", [length], None)[0]

    def standard_deviation(self, length, of=None):
        return self._ask("standardDeviation", [length], of)[0]

    def bollinger(self, length, deviations, of=None):
        return Bands(*self._ask("bollinger", [length, deviations], of))

    def donchian(self, length):
        """The highest high and lowest low of so many bars, the present one included."""
        return Bands(*self._ask("donchian", [length], None))

    def macd(self, fast, slow, signal, of=None):
        return Macd(*self._ask("macd", [fast, slow, signal], of))

    def highest(self, length, of=None):
        return self._ask("highest", [length], of)[0]

    def lowest(self, length, of=None):
        return self._ask("lowest", [length], of)[0]

    def momentum(self, length, of=None):
        """The change over so many bars, as a share."""
        return self._ask("momentum", [length], of)[0]

    def column(self, name, compute):
        """An indicator of one's own over the whole frame; must not look ahead, which is tested with every backtest."""
        if not isinstance(name, str) or not callable(compute):
            raise StrategyError('column takes a name and a function: column("mine", lambda columns: values)')
        return self._run.column(self, name, compute)


KEEP = object()


class Market(Bars):
    def __init__(self, run, index, interval, length, names):
        super().__init__(run, index, interval, length)
        self.symbol, self.base, self.quote = names
        self._position = 0.0
        self._entry_price = 0.0
        self._oldest = -1
        self._open_orders = 0
        self._longer = {}

    @property
    def position(self):
        """Held of the base."""
        return self._position

    @property
    def entry_price(self):
        """What is held cost on average, fees not included; 0 without a position."""
        return self._entry_price

    @property
    def bars_held(self):
        """Bars since the oldest of what is held was bought; -1 without a position."""
        return self._run.step - self._oldest if self._oldest >= 0 else -1

    @property
    def open_orders(self):
        return self._open_orders

    def timeframe(self, interval):
        """Closed bars of a longer time frame."""
        if interval == self._interval:
            return self
        return self._longer.get(interval) or self._run.timeframe(self, interval)

    def _order(self, is_buy, options, reason):
        options = {name: plain(value) for name, value in options.items() if value is not None}
        return self._run.act("order", market=self._market, isBuy=is_buy, options=options, reason=text_of(reason))

    def buy(
        self, *, amount=None, quote=None, percent=None, limit=None, trigger=None, stop=None, take_profit=None,
        good_for_bars=None, reason="",
    ):
        """The number of the order, or 0 where it was rejected."""
        sizes = {"amount": amount, "quote": quote, "percent": percent}
        prices = {"limit": limit, "trigger": trigger, "stop": stop, "takeProfit": take_profit}
        return self._order(True, {**sizes, **prices, "goodForBars": good_for_bars}, reason)

    def sell(
        self, *, amount=None, quote=None, percent=None, limit=None, trigger=None, stop=None, take_profit=None,
        good_for_bars=None, reason="",
    ):
        sizes = {"amount": amount, "quote": quote, "percent": percent}
        prices = {"limit": limit, "trigger": trigger, "stop": stop, "takeProfit": take_profit}
        return self._order(False, {**sizes, **prices, "goodForBars": good_for_bars}, reason)

    def close_position(self, reason=""):
        """Sells all that is held, and cancels what waits."""
        return self._run.act("close", market=self._market, reason=text_of(reason))

    def cancel(self, order=None):
        """One order, or all of this market."""
        self._run.act("cancel", market=self._market, order=plain(order))

    def protect(self, *, stop=KEEP, take_profit=KEEP):
        """Moves the stop and take-profit of all that is held; None takes it away."""
        exits = {"stop": stop, "takeProfit": take_profit}
        exits = {name: plain(value) for name, value in exits.items() if value is not KEEP}
        self._run.act("protect", market=self._market, exits=exits)


def text_of(value):
    return value if isinstance(value, str) else ""


class Fill:
    """What was filled of an order."""

    def __init__(self, market, order, side, amount, price, fee):
        self.market, self.order, self.side = market, order, side
        self.amount, self.price, self.fee = amount, price, fee


class Strategy:
    """
    A strategy is one class of this. Parameters are its attributes (`fast = integer(default=20, min=2, max=200)`); `markets`
    is how many it trades, `timeframes` which longer bars it reads, `warm_up` how many bars pass before its first decision.
    """

    markets = (1, 1)
    timeframes = ()
    warm_up = 0
    market: Market
    _run = None

    def start(self):
        """Makes series; before the first bar."""

    def on_bar(self):
        """After each bar of the shortest time frame, for all markets together. Orders are filled from the next bar on."""
        raise NotImplementedError

    def on_fill(self, fill):
        """Before `on_bar`, for each order that was filled since the last one."""

    @property
    def now(self):
        """When the present bar closed, in ms: the only clock there is."""
        return self._run.now()

    @property
    def equity(self):
        """Cash and what is held, at the last close."""
        return self._run.equity()

    @property
    def cash(self):
        return self._run.cash

    @property
    def state(self):
        """Whatever has to survive a restart of a live run: plain data."""
        return self._run.state

    def weights(self, shares, drift=0, reason=""):
        """Brings what is held to shares of the equity, by base or symbol; markets not named go to zero."""
        shares = {str(name): plain(share) for name, share in shares.items()}
        self._run.act("weights", shares=shares, drift=plain(drift), reason=text_of(reason))

    def random(self):
        """From 0 to below 1, the same for the same seed."""
        return self._run.random()

    def log(self, text):
        self._run.log(text)
