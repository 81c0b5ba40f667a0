"""What notebooks use beside the language: tables by pages, SQL over files and frames, the list of variables.

Given to every Python kernel when it starts. It imports nothing heavy by itself and must never fail.
"""
import base64
import json
import sys
import weakref

_frames = {}
_next_frame = 0
_connection = None
_page = 20
_most_columns = 200
_longest = 200


def _answer(value):
    return base64.b64encode(json.dumps(value).encode()).decode()


def _short(text, most=_longest):
    return text if len(text) <= most else text[: most - 1] + "…"


# Tables


def _pandas():
    return sys.modules.get("pandas")


def _is_pandas(value):
    pandas = _pandas()
    return pandas is not None and isinstance(value, (pandas.DataFrame, pandas.Series))


def _is_polars(value):
    polars = sys.modules.get("polars")
    return polars is not None and isinstance(value, (polars.DataFrame, polars.Series))


def _as_frame(value):
    """A pandas frame with its index as columns where that says something."""
    pandas = _pandas()
    if _is_polars(value):
        value = value.to_pandas()
        pandas = _pandas()
    if isinstance(value, pandas.Series):
        value = value.to_frame(value.name if value.name is not None else "value")
    if not isinstance(value.index, pandas.RangeIndex):
        names = [str(name) if name is not None else "" for name in value.index.names]
        index = value.index.to_frame(index=False)
        index.columns = names if len(names) > 1 or names[0] else [""]
        value = pandas.concat([index, value.reset_index(drop=True)], axis=1)
    return value


def _plain(value):
    if value is None:
        return None
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if -(2**53) < value < 2**53 else str(value)
    if isinstance(value, float):
        return value if value == value and value not in (float("inf"), float("-inf")) else (None if value != value else str(value))
    item = getattr(value, "item", None)
    if item is not None:
        try:
            return _plain(item()) if type(value).__module__ == "numpy" else _short(str(value))
        except Exception:
            pass
    try:
        if _pandas() is not None and _pandas().isna(value) is True:
            return None
    except Exception:
        pass
    text = str(value)
    # A day is a day: most columns of times have no time in them.
    return _short(text[:-9] if text.endswith(" 00:00:00") else text)


def _type_name(dtype):
    kind = getattr(dtype, "kind", "O")
    name = str(dtype)
    if kind in "iu":
        return "integer"
    if kind == "f":
        return "number"
    if kind == "b":
        return "boolean"
    if kind == "M" or name.startswith("datetime"):
        return "time"
    return {"Int64": "integer", "Float64": "number"}.get(name, "text" if kind == "O" or name in ("string", "str", "category") else name)


def _filtered(frame, filters, search):
    pandas = _pandas()
    for each in filters:
        column = frame.iloc[:, each["column"]]
        comparison, text = each["comparison"], each["value"]
        if comparison == "is_empty":
            frame = frame[column.isna()]
            continue
        if comparison == "is_not_empty":
            frame = frame[column.notna()]
            continue
        if comparison == "contains":
            frame = frame[column.astype(str).str.contains(text, case=False, regex=False)]
            continue
        value = text
        if column.dtype.kind in "iuf":
            value = float(text)
        elif column.dtype.kind == "b":
            value = text.strip().lower() in ("true", "1", "yes")
        elif column.dtype.kind == "M":
            value = pandas.Timestamp(text)
            if getattr(column.dt, "tz", None) is not None and value.tzinfo is None:
                value = value.tz_localize(column.dt.tz)
        else:
            column = column.astype(str)
        operations = {"=": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
        frame = frame[getattr(column, operations[comparison])(value)]
    if search:
        found = None
        for index in range(frame.shape[1]):
            has = frame.iloc[:, index].astype(str).str.contains(search, case=False, regex=False)
            found = has if found is None else found | has
        if found is not None:
            frame = frame[found]
    return frame


def _page_of(frame, frame_id, offset=0, limit=_page, sort=(), filters=(), search=""):
    whole = frame = _as_frame(frame)
    frame = _filtered(frame, filters, search)
    if sort:
        by = [each["column"] for each in sort]
        ordered = frame.iloc[:, by].copy()
        ordered.columns = range(len(by))
        descending = [not each["is_descending"] for each in sort]
        try:
            order = ordered.reset_index(drop=True).sort_values(list(ordered.columns), ascending=descending, kind="stable").index
        except TypeError:
            order = ordered.astype(str).reset_index(drop=True).sort_values(list(ordered.columns), ascending=descending, kind="stable").index
        frame = frame.iloc[order]
    rows = frame.iloc[offset : offset + limit, :_most_columns]
    columns = [{"name": _short(str(name)), "type": _type_name(dtype)} for name, dtype in zip(rows.columns, rows.dtypes)]
    values = [rows.iloc[:, index].tolist() for index in range(rows.shape[1])]
    return {
        "frame_id": frame_id,
        "columns": columns,
        "columns_total": int(frame.shape[1]),
        "rows": [[_plain(column[index]) for column in values] for index in range(len(rows))],
        "offset": offset,
        "total": len(frame),
        "all": len(whole),
    }


def _keep(frame):
    global _next_frame
    for frame_id, kept in list(_frames.items()):
        if kept() is None:
            del _frames[frame_id]
        elif kept() is frame:
            return frame_id
    _next_frame += 1
    frame_id = "frame-%d" % _next_frame
    _frames[frame_id] = weakref.ref(frame)
    return frame_id


def _bundle(frame, include=None, exclude=None):
    try:
        return {"application/vnd.atoll.dataframe+json": _page_of(frame, _keep(frame))}
    except Exception:
        return {}


def page(namespace, frame_id=None, name=None, offset=0, limit=50, sort=(), filters=(), search=""):
    try:
        if frame_id is not None:
            kept = _frames.get(frame_id)
            frame = kept() if kept else None
            if frame is None:
                return _answer({"problem": "This table is no longer in the kernel. Run its cell again."})
        else:
            frame = namespace.get(name)
            if not (_is_pandas(frame) or _is_polars(frame)):
                return _answer({"problem": "There is no table of this name."})
            frame_id = _keep(frame)
        return _answer(_page_of(frame, frame_id, offset, limit, sort, filters, search))
    except Exception as error:
        return _answer({"problem": _short("%s: %s" % (type(error).__name__, error), 500)})


def columns(namespace, name):
    frame = namespace.get(name)
    if not (_is_pandas(frame) or _is_polars(frame)):
        return _answer({"problem": "There is no table of this name."})
    if _is_polars(frame):
        return _answer({"columns": [{"name": str(each), "type": str(kind)} for each, kind in zip(frame.columns, frame.dtypes)]})
    frame = frame.to_frame() if hasattr(frame, "to_frame") and not hasattr(frame, "columns") else frame
    return _answer({"columns": [{"name": str(each), "type": _type_name(kind)} for each, kind in zip(frame.columns, frame.dtypes)]})


# Variables

_hidden = {"In", "Out", "exit", "quit", "get_ipython", "open"}


def variables(namespace):
    import types

    found = []
    for name, value in list(namespace.items()):
        if name.startswith("_") or name in _hidden or isinstance(value, (types.ModuleType,)):
            continue
        if isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType)) and getattr(value, "__module__", "") != "__main__":
            continue
        found.append(_described(name, value))
        if len(found) >= 1000:
            break
    return _answer(sorted(found, key=lambda each: each["name"].lower()))


def _described(name, value):
    shape = None
    size = None
    is_table = False
    try:
        is_table = _is_pandas(value) or _is_polars(value)
        given = getattr(value, "shape", None)
        if isinstance(given, tuple):
            shape = " × ".join(str(each) for each in given)
        elif isinstance(value, (list, tuple, dict, set, str, bytes)):
            shape = str(len(value))
        if _is_pandas(value):
            usage = value.memory_usage(deep=False)
            size = int(usage.sum() if hasattr(usage, "sum") else usage)
        else:
            size = int(getattr(value, "nbytes", None) or sys.getsizeof(value))
    except Exception:
        pass
    try:
        preview = _columns(value) if is_table else _preview(value)
    except Exception:
        preview = ""
    return {"name": name, "type": type(value).__name__, "shape": shape, "bytes": size, "preview": preview, "is_table": is_table}


def _columns(value):
    return _short(", ".join(str(name) for name in list(getattr(value, "columns", []))[:30]), 120)


def _preview(value):
    if isinstance(value, (str, bytes)):
        return _short(repr(value[:300]), 120)
    if isinstance(value, (list, tuple)) and len(value) > 50:
        return _short(repr(value[:20])[:-1], 110) + ", …"
    if isinstance(value, (list, tuple, set, dict)) and len(value) > 50:
        return type(value).__name__
    return _short(repr(value), 120)


# SQL


def sql(query, namespace):
    """A query over the project's files ('data.csv') and the frames there are, with variables as $name; the result is a frame."""
    global _connection
    # Of a query that is wrong nobody wants to read how it was asked.
    __tracebackhide__ = True
    try:
        import duckdb
    except ModuleNotFoundError:
        raise RuntimeError("SQL cells need DuckDB, which this kernel does not have. Choose another kernel.") from None
    except ImportError as error:
        raise RuntimeError("SQL cells need DuckDB. %s" % error) from None
    if _connection is None:
        _connection = duckdb.connect()
    for name, value in list(namespace.items()):
        if not name.startswith("_") and name in query and (_is_pandas(value) or _is_polars(value)):
            _connection.register(name, value.to_frame() if not hasattr(value, "columns") else value)
    result = None
    try:
        # One by one: each may be given only what it asks for.
        for statement in _connection.extract_statements(query):
            given = {name: _parameter(name, namespace) for name in statement.named_parameters}
            result = _connection.sql(statement, params=given or None)
        return result.df() if result is not None else None
    except duckdb.Error as error:
        raise error.with_traceback(None) from None


def _parameter(name, namespace):
    """The value of a variable. It is bound, so whatever it is, it never becomes a part of the query."""
    __tracebackhide__ = True
    if name.isdigit():
        raise ValueError("Parameters of a SQL cell have names: write $name for the variable called name.")
    if name not in namespace:
        raise NameError("The query asks for $%s, and there is no variable called %s. Run the cell that sets it first." % (name, name))
    value = namespace[name]
    is_column = _is_pandas(value) or _is_polars(value)
    if is_column and hasattr(value, "columns"):
        raise TypeError("%s is a table: write it without the dollar sign." % name)
    if isinstance(value, (set, frozenset)):
        return list(value)
    if type(value).__module__ == "numpy" or is_column:
        return value.tolist() if hasattr(value, "tolist") else value.to_list()
    return value


def _install():
    # What is printed is gathered so long; the default of 0.2 seconds can be seen, and then all of it has to be stored at once.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "flush_interval"):
            stream.flush_interval = 0.05
            # Who says more than can be read is held; after the default of 10 seconds ipykernel would complain into the output.
            stream.flush_timeout = 600
    try:
        shell = get_ipython()  # noqa: F821
        # What was run is kept in memory; written to a file with each cell it would wait for the disk, for nobody.
        shell.history_manager.db_cache_size = 1_000_000
        bundles = shell.display_formatter.mimebundle_formatter
        bundles.for_type_by_name("pandas.core.frame", "DataFrame", _bundle)
        bundles.for_type_by_name("pandas", "DataFrame", _bundle)
        bundles.for_type_by_name("polars.dataframe.frame", "DataFrame", _bundle)
    except Exception:
        pass
