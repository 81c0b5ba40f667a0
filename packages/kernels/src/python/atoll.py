"""What code in a notebook gets from the server it runs on.

atoll.trading: prices of the markets, and the demo account of the person whose notebook it is.
"""
import json
import sys
import types
import uuid

_marker = "@@atoll-call "


class AtollError(Exception):
    """The server did not do it, and says why."""


def _call(name, **arguments):
    # Of a call that is refused nobody wants to read how it was made.
    __tracebackhide__ = True
    given = {key: value for key, value in arguments.items() if value is not None}
    try:
        text = input(_marker + json.dumps({"id": str(uuid.uuid4()), "call": name, "arguments": given}))
    except Exception as error:
        if type(error).__name__ != "StdinNotImplementedError":
            raise
        raise AtollError("This works in the cells of a notebook, not in runs.") from None
    answer = json.loads(text)
    if "error" in answer:
        raise AtollError(answer["error"])
    return answer["value"]


def _time(value):
    if value is None or isinstance(value, str):
        return value
    if getattr(value, "tzinfo", None) is None:
        raise ValueError("Times need a time zone: datetime(2026, 1, 1, tzinfo=timezone.utc).")
    return value.isoformat()


def candles(symbol, interval="1h", limit=500, end=None, exchange="demo"):
    """Open, high, low, close and volume, the oldest first: a DataFrame where pandas is installed, else lists by column."""
    columns = _call("trading.candles", symbol=symbol, interval=interval, limit=limit, end=_time(end), exchange=exchange)
    try:
        import pandas
    except ImportError:
        return columns
    time = pandas.to_datetime(columns.pop("time"), unit="s", utc=True)
    return pandas.DataFrame(columns, index=pandas.DatetimeIndex(time, name="time"))


def balances():
    """What there is on the demo account: a list of {asset, free, used, value}; amounts are text, as they are exact."""
    return _call("trading.balances")


def transactions(limit=50, symbol=None):
    """Orders on the demo account, the newest first."""
    return _call("trading.transactions", limit=limit, symbol=symbol)


def order(symbol, side, amount, type="market", price=None, stop_price=None):
    """Places an order on the demo account. It passes the same limits as one that is placed by hand."""
    text = {"price": price, "stop_price": stop_price}
    text = {key: None if value is None else str(value) for key, value in text.items()}
    return _call("trading.order", symbol=symbol, side=side, amount=str(amount), type=type, **text)


def _install():
    own = sys.modules["atoll"]
    trading = types.ModuleType("atoll.trading", "Prices, and the demo account.")
    for each in (candles, balances, transactions, order):
        setattr(trading, each.__name__, each)
        delattr(own, each.__name__)
    own.trading, own.__path__ = trading, []
    sys.modules["atoll.trading"] = trading
