"""What is said of a strategy that failed."""

import atoll_strategy as api

from .load import FILE


def problem_of(error, megabytes):
    line = column = None
    if isinstance(error, SyntaxError) and error.filename == FILE:
        line, column = error.lineno, error.offset
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE:
            line = trace.tb_lineno
        trace = trace.tb_next
    if isinstance(error, RecursionError):
        message = "The strategy calls itself without end"
    elif isinstance(error, MemoryError):
        message = f"It needs more than the {megabytes} MB of memory a strategy may take."
    elif isinstance(error, api.StrategyError):
        message = str(error)
    else:
        try:
            text = error.msg if isinstance(error, SyntaxError) else str(error)
        except BaseException:
            text = ""
        message = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return {"ask": "error", "message": message[:1_000], "line": line, "column": column}
