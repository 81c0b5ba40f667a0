"""Makes a strategy of its code."""

import sys
import types

import atoll_strategy as api

from .allowed import builtins_for

FILE = "strategy.py"
LONGEST_CODE = 200_000


def load(run, code):
    """The class of a strategy, evaluated anew."""
    if len(code) > LONGEST_CODE:
        raise api.StrategyError(f"The code is longer than {LONGEST_CODE} characters")
    namespace = {"__name__": "strategy", "__builtins__": builtins_for(run.log)}
    sys.modules["strategy"] = module = types.ModuleType("strategy")
    module.__dict__.update(namespace)
    exec(compile(code, FILE, "exec", dont_inherit=True), module.__dict__)
    mine = [
        each
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, api.Strategy) and each.__module__ == "strategy"
    ]
    mine = [each for each in dict.fromkeys(mine) if not any(other is not each and issubclass(other, each) for other in mine)]
    if len(mine) != 1:
        raise api.StrategyError(f"A strategy is one class of Strategy; this file has {len(mine) or 'none'}")
    (found,) = mine
    if found.on_bar is api.Strategy.on_bar:
        raise api.StrategyError(f"{found.__name__} needs on_bar(self)")
    for name in ("start", "on_bar", "on_fill"):
        if not isinstance(getattr(found, name), types.FunctionType):
            raise api.StrategyError(f"{name} must be a function")
        if getattr(found, name).__code__.co_flags & (0x20 | 0x80 | 0x200):
            raise api.StrategyError(f"{name} cannot be async or a generator")
    return found


def declared(found):
    names = [name for each in reversed(found.__mro__) for name in vars(each)]
    parameters = {name: getattr(found, name) for name in dict.fromkeys(names)}
    parameters = {name: each for name, each in parameters.items() if isinstance(each, api.Parameter)}
    for name in parameters:
        if hasattr(api.Strategy, name) or name in ("market", "markets"):
            raise api.StrategyError(f"{name}: strategies have this already, call the parameter otherwise")
    return parameters


def instance(run, code, values):
    found = load(run, code)
    run.is_loading = False
    strategy = object.__new__(found)
    for name, parameter in declared(found).items():
        value = values[name]
        setattr(strategy, name, float(value) if parameter.declared["kind"] == "number" else value)
    return strategy


def description(run, code):
    """What it wants to be given."""
    found = load(run, code)
    wanted = found.markets
    least, most = (wanted, wanted) if isinstance(wanted, int) else wanted
    timeframes = [found.timeframes] if isinstance(found.timeframes, str) else found.timeframes
    return {
        "parameters": {name: each.declared for name, each in declared(found).items()},
        "markets": {"min": least, "max": most},
        "timeframes": [str(each) for each in timeframes],
        "warmUp": None if callable(found.warm_up) else api.plain(found.warm_up),
    }


def warm_up(run, code, values):
    bars = instance(run, code, values).warm_up
    return api.plain(bars() if callable(bars) else bars)
