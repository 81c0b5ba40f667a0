"""What strategies may import and call, and what they are told about the rest."""

import builtins
import sys
import types

import atoll_strategy as api

ALLOWED = {
    *("__future__", "abc", "array", "atoll_strategy", "bisect", "cmath", "collections", "copy", "dataclasses"),
    *("datetime", "decimal", "enum", "fractions", "functools", "heapq", "itertools", "json", "math", "numbers"),
    *("operator", "re", "statistics", "string", "typing", "numpy", "pandas", "scipy"),
}
NO_CLOCK = "Strategies have no clock: use self.now or market.time()"
NO_CHANCE = "Strategies have no randomness of their own: use self.random()"
NO_NETWORK = "Strategies have no network"
NO_FILES = "Strategies have no files"
NO_CODE = "Strategies cannot make code"
REASONS = {
    **dict.fromkeys(("time", "calendar", "sched", "zoneinfo"), NO_CLOCK),
    **dict.fromkeys(("random", "secrets", "uuid"), NO_CHANCE),
    **dict.fromkeys(("socket", "ssl", "http", "urllib", "requests", "httpx", "aiohttp", "asyncio"), NO_NETWORK),
    **dict.fromkeys(("io", "pathlib", "shutil", "tempfile", "pickle", "sqlite3", "glob"), NO_FILES),
}


def refusing(message):
    def refuse(*_, **__):
        raise api.StrategyError(message)

    return refuse


class Refused:
    """Stands where something is that strategies must not use."""

    def __init__(self, message):
        object.__setattr__(self, "_message", message)

    def __getattr__(self, _):
        raise api.StrategyError(object.__getattribute__(self, "_message"))


def timeless():
    """`datetime` without the clock."""
    import datetime as real

    module = types.ModuleType("datetime", real.__doc__)
    module.__dict__.update({name: getattr(real, name) for name in dir(real) if not name.startswith("__")})
    refuse = classmethod(refusing(NO_CLOCK))
    module.date = type("date", (real.date,), {"today": refuse})
    module.datetime = type("datetime", (real.datetime,), {"now": refuse, "utcnow": refuse, "today": refuse})
    return module


def importing(name, namespace=None, local=None, wanted=(), level=0):
    top = name.partition(".")[0]
    if level > 0 or top not in ALLOWED:
        raise api.StrategyError(REASONS.get(top, f"Strategies cannot import {top or 'files beside them'}"))
    if name == "numpy.random" or (name == "numpy" and "random" in (wanted or ())):
        raise api.StrategyError(NO_CHANCE)
    if top == "datetime":
        return DATETIME
    numpy = sys.modules.get("numpy")
    if numpy is not None and "random" in vars(numpy):
        # Libraries want the real one while they are loaded, and numpy itself loads it late.
        del numpy.random
        if "numpy.random" in sys.modules:
            numpy.random = sys.modules["numpy.random"]
    module = builtins.__import__(name, namespace, local, wanted, level)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random = Refused(NO_CHANCE)
    pandas = sys.modules.get("pandas")
    if pandas is not None and hasattr(pandas, "Timestamp"):
        for file in [each for each in vars(pandas) if each.startswith("read_")]:
            setattr(pandas, file, refusing(NO_FILES))
        for now in ("now", "today", "utcnow"):
            setattr(pandas.Timestamp, now, classmethod(refusing(NO_CLOCK)))
    return module


DATETIME = timeless()


def builtins_for(log):
    names = {name: value for name, value in vars(builtins).items() if not name.startswith("_")}
    for name in ("eval", "exec", "compile"):
        names[name] = refusing(NO_CODE)
    for name in ("open", "input"):
        names[name] = refusing(NO_FILES)
    for name in ("breakpoint", "exit", "quit", "help"):
        names[name] = refusing("Strategies have nothing but their markets")
    names["print"] = lambda *parts, sep=" ", end="", file=None, flush=False: log(sep.join(map(str, parts)))
    return {**names, "__import__": importing, "__build_class__": builtins.__build_class__, "__name__": "builtins"}
