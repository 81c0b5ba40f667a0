"""One pass of a strategy over bars."""

import os
from array import array
from bisect import bisect_right

import atoll_strategy as api

from .confinement import limit
from .frames import doubles
from .load import instance
from .problems import problem_of

LONGEST_TEXT = 500
MOST_LOGS = 2_000


class Run:
    """What the objects of a strategy ask of the engine."""

    def __init__(self, pipes, megabytes):
        self.pipes = pipes
        self.megabytes = megabytes
        self.markets = []
        self.step = -1
        self.quiet = -1
        self.times = array("d")
        self.cash = 0.0
        self.state = {}
        self.random_state = 0
        self.logs = []
        self.dropped = 0
        self.is_loading = True

    # Bars

    def take(self, given, stored, is_followed=False):
        for index, each in enumerate(given):
            market = api.Market(self, index, each["interval"], each["length"], each["names"])
            columns, rows = slice_of(stored, each["bars"])
            # Others may share them, and these will grow.
            market._take([array("d", column[:rows]) for column in columns] if is_followed else columns, rows)
            self.markets.append(market)
        self.align()
        # The frames in the order in which their next bars come.
        self.frames = list(self.markets) if is_followed else None
        if is_followed:
            self.times = array("d", self.times[: self.count])
            if len(self.markets) > 1:
                self.aligned, self.unaligned = [], self.markets

    def align(self):
        first = self.markets[0]
        self.length = first._length
        columns = [(each._time, each._rows) for each in self.markets]
        self.times, self.count = columns[0]
        same = [rows == self.count and (time is self.times or time[:rows] == self.times[: self.count]) for time, rows in columns]
        if not all(same):
            self.times = array("d", sorted(set().union(*(time[:rows] for time, rows in columns))))
            self.count = len(self.times)
        self.unaligned = [each for each in self.markets if each._rows != self.count]
        self.aligned = [each for each in self.markets if each._rows == self.count]
        self.longer = [each for market in self.markets for each in market._longer.values()]

    def show(self, step):
        """The rows of a step, wherever it was before."""
        self.step = step
        time = self.times[step]
        for market in self.aligned:
            market._row = step
            market._fresh = True
        for market in self.unaligned:
            row = bisect_right(market._time, time, 0, market._rows) - 1
            market._row = row
            market._fresh = row >= 0 and market._time[row] == time
        for bars in self.longer:
            bars._show_longer(time + self.length)

    def now(self):
        return api.NAN if self.step < 0 else self.times[self.step] + self.length

    def equity(self):
        equity = self.cash
        for market in self.markets:
            if market._position != 0:
                equity += market._position * market._close[market._row]
        return equity

    # Asking

    def ask(self, message, payload=b""):
        message["step"] = self.step
        if self.logs or self.dropped:
            message["logs"], message["dropped"] = self.logs, self.dropped
            self.logs, self.dropped = [], 0
        message["random"] = self.random_state
        self.pipes.send(message, payload)
        while True:
            answer, data = self.pipes.receive()
            if "do" not in answer:
                break
            self.obey(answer, data)
        if "error" in answer:
            raise api.StrategyError(answer["error"])
        return answer, data

    def obey(self, order, data):
        """What the engine wants to know, or to tell, before it answers."""
        what = order["do"]
        if what == "end":
            self.pipes.send({})
            os._exit(0)
        if what == "limit":
            limit(order["ms"])
            self.pipes.send({})
        elif what == "state":
            self.pipes.send({"state": plain_data(self.state)})
        elif what == "compute":
            bars = self.bars_of(order)
            bars._take(doubles(data, 6), order["rows"])
            try:
                values = self.computed(bars, order["name"], bars._makers[order["line"]])
            except BaseException as error:
                self.pipes.send(problem_of(error, self.megabytes))
            else:
                self.pipes.send({}, values.tobytes())
        elif what == "extend":
            bars = self.bars_of(order)
            columns = doubles(data[: order["rows"] * 48], 6)
            bars._take(columns, order["rows"])
            lines = doubles(data[order["rows"] * 48 :], len(order["lines"]))
            for index, values in zip(order["lines"], lines):
                if index in bars._lines:
                    bars._lines[index]._values = values
            self.align()
            self.pipes.send({})

    def bars_of(self, order):
        market = self.markets[order["market"]]
        return market if order["interval"] == market._interval else market._longer[order["interval"]]

    def lines(self, bars, kind, numbers, of):
        place = {"market": bars._market, "interval": bars._interval}
        answer, data = self.ask({"ask": "lines", **place, "kind": kind, "numbers": numbers, "of": of})
        new = iter(doubles(data, sum(each["isNew"] for each in answer["lines"])))
        for each in answer["lines"]:
            if each["isNew"]:
                bars._lines[each["index"]] = api.Series(each["name"], next(new), bars, each["index"])
        return [bars._lines[each["index"]] for each in answer["lines"]]

    def column(self, bars, name, compute):
        values = self.computed(bars, name, compute)
        place = {"market": bars._market, "interval": bars._interval}
        answer, _ = self.ask({"ask": "column", **place, "name": name}, values.tobytes())
        index = answer["index"]
        bars._makers[index] = compute
        bars._lines[index] = api.Series(name, values, bars, index)
        return bars._lines[index]

    def computed(self, bars, name, compute):
        rows = bars._rows
        columns = [getattr(bars, "_" + each)[:rows] for each in api.COLUMNS]
        try:
            import numpy
        except ImportError:
            numpy = None
        if numpy:
            columns = [numpy.frombuffer(each) for each in columns]
        values = compute(api.Columns(columns))
        try:
            values = array("d", numpy.asarray(values, dtype="d").reshape(-1).tobytes() if numpy else values)
        except (TypeError, ValueError):
            raise api.StrategyError(f"column {name}: its values are not numbers") from None
        if len(values) != rows:
            raise api.StrategyError(f"column {name}: has {len(values)} values, there are {rows} bars")
        return values

    def timeframe(self, market, interval):
        answer, data = self.ask({"ask": "timeframe", "market": market._market, "interval": str(interval)})
        bars = api.Bars(self, market._market, interval, answer["length"])
        columns = doubles(data, 6)
        bars._take(columns, len(columns[0]))
        market._longer[interval] = bars
        self.longer.append(bars)
        if self.frames is not None:
            self.frames.append(bars)
        if self.step >= 0:
            bars._show_longer(self.now())
        return bars

    def act(self, ask, **what):
        answer, _ = self.ask({"ask": ask, **what})
        self.settle(answer)
        return answer["value"]

    def settle(self, answer):
        """What the engine says of the account, and up to which step nothing can happen to it."""
        self.quiet = answer["quiet"]
        self.cash, *figures = answer["account"]
        at = 0
        for market in self.markets:
            market._position, market._entry_price, market._oldest, market._open_orders = figures[at : at + 4]
            at += 4

    def log(self, text):
        if self.is_loading:
            return
        if len(self.logs) < MOST_LOGS:
            self.logs.append([self.step, str(text)[:LONGEST_TEXT]])
        else:
            self.dropped += 1

    def random(self):
        state = self.random_state = (self.random_state + 0x6D2B79F5) & 0xFFFFFFFF
        bits = (state ^ (state >> 15)) * (1 | state) & 0xFFFFFFFF
        bits = (bits + ((bits ^ (bits >> 7)) * (61 | bits) & 0xFFFFFFFF) & 0xFFFFFFFF) ^ bits
        return (bits ^ (bits >> 14)) / 4_294_967_296

    # The pass

    def follow(self, order):
        strategy = instance(self, order["code"], order["parameters"])
        self.random_state = order["random"] & 0xFFFFFFFF
        self.state = order["state"]
        strategy._run = self
        strategy.markets = list(self.markets)
        strategy.market = self.markets[0]
        # As before the first bar, whatever the rows hold.
        strategy.start()
        on_bar, on_fill = strategy.on_bar, strategy.on_fill
        self.sync(order["first"], on_fill)
        if len(self.markets) == 1:
            market = self.markets[0]
            while True:
                on_bar()
                step = self.step + 1
                if step > self.quiet:
                    self.sync(step, on_fill)
                else:
                    self.step = market._row = step
                    if self.longer:
                        now = self.times[step] + self.length
                        for bars in self.longer:
                            bars._show_longer(now)
        while True:
            on_bar()
            step = self.step + 1
            if step > self.quiet:
                self.sync(step, on_fill)
            else:
                self.show(step)

    def sync(self, step, on_fill):
        """Nothing more to say before this step: the engine answers when it is there."""
        before = self.step
        self.step = step
        try:
            answer, data = self.ask({"ask": "step"})
            if self.frames is not None:
                self.grow(answer["rows"], data.cast("d"))
        except BaseException:
            self.step = before
            raise
        self.random_state = answer["random"] & 0xFFFFFFFF
        self.show(answer["step"])
        self.settle(answer)
        for market, *fill in answer["fills"]:
            on_fill(api.Fill(self.markets[market], *fill))


    def grow(self, rows, values):
        """The bars that have closed since the last step."""
        self.times.append(values[0])
        at = 1
        for bars, count in zip(self.frames, rows):
            if count == 0:
                continue
            columns = [getattr(bars, "_" + name) for name in api.COLUMNS]
            columns += [line._values for index, line in bars._lines.items() if index not in bars._makers]
            for _ in range(count):
                for column in columns:
                    column.append(values[at])
                    at += 1
            bars._rows += count
            for index, compute in bars._makers.items():
                bars._lines[index]._values = self.computed(bars, bars._lines[index].name, compute)


def slice_of(stored, bars):
    which, start, end = bars
    columns = stored[which]
    if start > 0:
        return [each[start:end] for each in columns], end - start
    return columns, end


def plain_data(value, depth=0):
    """As JSON in JavaScript has it: what is not a number is null."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, dict) and depth < 50:
        return {str(name): plain_data(each, depth + 1) for name, each in value.items()}
    if isinstance(value, (list, tuple)) and depth < 50:
        return [plain_data(each, depth + 1) for each in value]
    number = api.plain(value)
    if isinstance(number, str):
        return None
    return int(value) if isinstance(value, int) and abs(value) < 1 << 53 else number
