"""The Python half of the kernel. Everything goes to and from JavaScript as text, so that no proxy has to be kept alive."""

import ast
import asyncio
import base64
import builtins
import getpass
import inspect
import io
import json
import linecache
import os
import pprint
import rlcompleter
import sys
import time
import traceback
import types

RED, GREEN, CYAN, RESET = "\x1b[31m", "\x1b[32m", "\x1b[36m", "\x1b[0m"
TEXTUAL = {
    "_repr_html_": "text/html",
    "_repr_markdown_": "text/markdown",
    "_repr_svg_": "image/svg+xml",
    "_repr_latex_": "text/latex",
    "_repr_json_": "application/json",
    "_repr_javascript_": "application/javascript",
}
BINARY = {"_repr_png_": "image/png", "_repr_jpeg_": "image/jpeg", "_repr_pdf_": "application/pdf"}


def plain(value):
    if type(value) in (list, tuple, dict, set, frozenset):
        return pprint.pformat(value, width=79, sort_dicts=False)
    return repr(value)


def mime_bundle(value):
    data, metadata = {}, {}
    # A class has the methods of its instances, but nothing to show.
    if not isinstance(value, type):
        method = getattr(value, "_repr_mimebundle_", None)
        if callable(method):
            shown = method(include=None, exclude=None)
            if isinstance(shown, tuple):
                shown, metadata = shown
            data.update(shown or {})
        for name, mime in {**TEXTUAL, **BINARY}.items():
            method = getattr(value, name, None)
            if mime in data or not callable(method):
                continue
            shown = method()
            if isinstance(shown, tuple):
                shown, metadata[mime] = shown
            if shown is not None:
                data[mime] = base64.b64encode(shown).decode() if isinstance(shown, bytes) else shown
    data.setdefault("text/plain", plain(value))
    return data, metadata


def make(emit, write, ask, arm, leave, packages):
    sys.modules["__main__"] = types.ModuleType("__main__")
    names = sys.modules["__main__"].__dict__
    names.update({"__builtins__": builtins, "In": [""], "Out": {}, "_": "", "__": "", "___": ""})
    state = {"count": 0, "input": True, "task": None, "interrupted": False, "displays": 0}
    own_file = (lambda: 0).__code__.co_filename

    def send(kind, content, metadata=None):
        emit(kind, json.dumps(content, default=str), json.dumps(metadata or {}, default=str))

    class Stream(io.TextIOBase):
        encoding = "utf-8"

        def __init__(self, name):
            self.name = name

        def writable(self):
            return True

        def write(self, text):
            if not isinstance(text, str):
                raise TypeError(f"write() argument must be str, not {type(text).__name__}")
            write(self.name, text)
            return len(text)

    sys.stdout, sys.stderr = Stream("stdout"), Stream("stderr")

    def read(prompt, password):
        if not state["input"]:
            raise RuntimeError("input() was called, but nobody can answer here.")
        answer = ask(str(prompt), password)
        if answer is None:
            raise KeyboardInterrupt("Interrupted by user")
        return answer

    builtins.input = lambda prompt="", /: read(prompt, False)
    getpass.getpass = lambda prompt="Password: ", stream=None: read(prompt, True)

    import pyodide.webloop
    import posix

    # Pyodide's own sleep lets the event loop run, and an interrupt would be raised somewhere in there.
    sleep = getattr(pyodide.webloop, "_orig_sleep", time.sleep)
    os._exit = posix._exit = lambda status: leave(status)
    os.abort = posix.abort = lambda: leave(134)

    def interruptible_sleep(seconds, /):
        # The original holds the thread: no interrupt is seen and no output sent until it is over.
        until = time.monotonic() + seconds
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        while (left := until - time.monotonic()) > 0:
            sleep(min(left, 0.02))

    time.sleep = interruptible_sleep

    class DisplayHandle:
        def __init__(self, display_id):
            self.display_id = display_id

        def display(self, value):
            show(value, "display_data", self.display_id)

        def update(self, value):
            show(value, "update_display_data", self.display_id)

    def show(value, kind, display_id, raw=False):
        data, metadata = (value, {}) if raw else mime_bundle(value)
        send(kind, {"data": data, "metadata": metadata, "transient": {"display_id": display_id} if display_id else {}})

    def display(*values, display_id=None, raw=False, **_):
        if display_id is True:
            state["displays"] += 1
            display_id = f"display-{state['displays']}"
        for value in values:
            show(value, "display_data", display_id, raw)
        return DisplayHandle(display_id) if display_id else None

    builtins.display = display

    def shown_as(name, method):
        return type(name, (), {"__init__": lambda self, data="": setattr(self, "data", data), method: lambda self: self.data})

    module = types.ModuleType("IPython.display", "What notebooks use most of IPython's display.")
    module.display = display
    module.update_display = lambda value, *, display_id: show(value, "update_display_data", display_id)
    module.clear_output = lambda wait=False: send("clear_output", {"wait": wait})
    for name, method in (("HTML", "_repr_html_"), ("Markdown", "_repr_markdown_"), ("SVG", "_repr_svg_"),
                         ("Latex", "_repr_latex_"), ("JSON", "_repr_json_"), ("Javascript", "_repr_javascript_")):
        setattr(module, name, shown_as(name, method))
    package = types.ModuleType("IPython", "Only IPython.display: this kernel is not IPython.")
    package.display, package.__path__ = module, []
    sys.modules.update({"IPython": package, "IPython.display": module})

    def explain(error):
        value = str(error)
        if isinstance(error, ImportError) and error.name:
            root = error.name.partition(".")[0]
            if isinstance(error, ModuleNotFoundError) and root not in sys.modules:
                value = (f"No module named '{error.name}'. Packages without compiled code can be installed: %pip install "
                         f"{root}. For all others choose a Python kernel of the server, if there is one.")
        return value

    def frames(error):
        lines = []
        for frame, number in traceback.walk_tb(error.__traceback__):
            file = frame.f_code.co_filename
            if file == own_file or "/_pyodide/" in file or file.startswith("<frozen"):
                continue
            cell = file.startswith("Cell In[")
            where = "" if frame.f_code.co_name == "<module>" else f", in {CYAN}{frame.f_code.co_name}{RESET}"
            lines.append(f"{file if cell else 'File ' + file}, line {number}{where}" if cell
                         else f"File {GREEN}{file}:{number}{RESET}{where}")
            source = linecache.getlines(file, frame.f_globals)
            for at in range(max(1, number - 2), min(len(source), number + 2) + 1):
                mark = f"{GREEN}----> {at}{RESET} " if at == number else f"      {at} "
                lines.append(mark + source[at - 1].rstrip("\n"))
            lines.append("")
        return lines

    def failure(error):
        name, value = type(error).__name__, explain(error)
        lines = [f"{RED}{'-' * 75}{RESET}"]
        chain, seen = [], set()
        while error is not None and id(error) not in seen:
            seen.add(id(error))
            chain.append(error)
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        for index, one in enumerate(reversed(chain)):
            if index:
                lines += ["", "The above exception was the direct cause of the following exception:" if one.__cause__
                          else "During handling of the above exception, another exception occurred:", ""]
            kind = type(one).__name__
            lines.append(f"{RED}{kind}{RESET}{'Traceback (most recent call last)':>{max(34, 75 - len(kind))}}")
            lines += frames(one)
            if isinstance(one, SyntaxError) and one.text:
                lines.append(f"{one.filename}, line {one.lineno}")
                lines.append(one.text.rstrip("\n"))
                lines.append(" " * max(0, (one.offset or 1) - 1) + "^")
            lines.append(f"{RED}{kind}{RESET}: {explain(one)}")
            lines += getattr(one, "__notes__", [])
        return {"ename": name, "evalue": value, "traceback": "\n".join(lines).split("\n")}

    async def run(code):
        value = eval(code, names)
        return await value if code.co_flags & inspect.CO_COROUTINE else value

    async def run_cell(text, file):
        original = text
        try:
            tree = ast.parse(text, file)
        except SyntaxError:
            helper = sys.modules.get("atoll_packages")
            if helper is None or (text := helper.transform(text)) == original:
                raise
            tree = ast.parse(text, file)
        last = None
        if tree.body and isinstance(tree.body[-1], ast.Expr) and not text.rstrip().endswith(";"):
            last = ast.Expression(tree.body.pop().value)
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        if tree.body:
            await run(compile(tree, file, "exec", flags, dont_inherit=True))
        return await run(compile(last, file, "eval", flags, dont_inherit=True)) if last else None

    async def outcome(text, file):
        # Returned, not raised: the event loop has its own ways with KeyboardInterrupt and SystemExit.
        try:
            try:
                if arm(True):
                    raise KeyboardInterrupt()
                return await run_cell(text, file), None
            finally:
                arm(False)
        except BaseException as error:
            if state["interrupted"] and isinstance(error, asyncio.CancelledError):
                error = KeyboardInterrupt().with_traceback(error.__traceback__)
            return None, error

    def show_figures():
        pyplot = sys.modules.get("matplotlib.pyplot")
        for number in pyplot.get_fignums() if pyplot else []:
            figure, picture = pyplot.figure(number), io.BytesIO()
            figure.savefig(picture, format="png", bbox_inches="tight")
            data = {"image/png": base64.b64encode(picture.getvalue()).decode(), "text/plain": repr(figure)}
            send("display_data", {"data": data, "metadata": {}, "transient": {}})
            pyplot.close(figure)

    def result(value, count):
        if value is None:
            return
        names["___"], names["__"], names["_"] = names["__"], names["_"], value
        names["Out"][count] = value
        data, metadata = mime_bundle(value)
        send("execute_result", {"data": data, "metadata": metadata, "execution_count": count})

    async def execute(request):
        request = json.loads(request)
        text, silent = request["code"], request["silent"]
        keeps = request["store"] and not silent
        if keeps:
            state["count"] += 1
        count = state["count"]
        if not silent:
            send("execute_input", {"code": text, "execution_count": count})
        file = f"Cell In[{count}]"
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)
        if keeps:
            names["In"].append(text)
        state.update({"input": request["input"], "interrupted": False})
        reply = {"status": "ok", "execution_count": count, "user_expressions": {}}
        if "atoll_packages" in sys.modules:
            sys.modules["atoll_packages"].use_current()
        state["task"] = asyncio.ensure_future(outcome(text, file))
        value, error = await state["task"]
        state["task"] = None
        if error is None and not silent:
            try:
                result(value, count)
                show_figures()
            except BaseException as raised:
                error = raised
        if error is not None:
            reply.update({"status": "error", **failure(error)})
            if not silent:
                send("error", {name: reply[name] for name in ("ename", "evalue", "traceback")})
        else:
            for name, expression in request["expressions"].items():
                try:
                    data, metadata = mime_bundle(eval(expression, names))
                    reply["user_expressions"][name] = {"status": "ok", "data": data, "metadata": metadata}
                except Exception as error:
                    reply["user_expressions"][name] = {"status": "error", **failure(error)}
        return json.dumps(reply, default=str)

    def interrupt():
        if state["task"] is not None:
            state["interrupted"] = True
            state["task"].cancel()

    def last_name(text):
        start = len(text)
        while start and (text[start - 1].isidentifier() or text[start - 1].isdigit() or text[start - 1] == "."):
            start -= 1
        return text[start:]

    def complete(before):
        line = before.rpartition("\n")[2]
        words = line.split()
        if words and words[0] in ("import", "from") and (len(words) == 1 or "import" not in words[1:]):
            token = "" if line.endswith(" ") else words[-1]
            known = sorted({*sys.stdlib_module_names, *sys.modules})
            return json.dumps({"token": token, "matches": [name for name in known if name.startswith(token) and (token.startswith("_") or not name.startswith("_"))]})
        token, matches, completer = last_name(before), [], rlcompleter.Completer(names)
        if token:
            while len(matches) < 500 and (match := completer.complete(token, len(matches))) is not None:
                matches.append(match)
        return json.dumps({"token": token, "matches": sorted({match.rstrip("( :") for match in matches})})

    def look(before, after, detail):
        token = last_name(before)
        for letter in after:
            if not (letter.isidentifier() or letter.isdigit()):
                break
            token += letter
        token = token.strip(".") or last_name(before.rpartition("(")[0])
        first, *rest = token.split(".")
        if not first or (first not in names and not hasattr(builtins, first)):
            return "null"
        try:
            value = names[first] if first in names else getattr(builtins, first)
            for name in rest:
                value = getattr(value, name)
        except Exception:
            return "null"
        lines = []
        try:
            lines.append(f"{RED}Signature:{RESET} {token}{inspect.signature(value)}")
        except (TypeError, ValueError):
            lines.append(f"{RED}String form:{RESET} {plain(value)[:1000]}")
        lines.append(f"{RED}Type:{RESET}      {type(value).__name__}")
        try:
            if detail and (inspect.isroutine(value) or inspect.isclass(value)):
                lines.append(f"{RED}Source:{RESET}\n{inspect.getsource(value)}")
        except (OSError, TypeError):
            pass
        if document := inspect.getdoc(value):
            lines.append(f"{RED}Docstring:{RESET} {document}")
        return json.dumps({"text/plain": "\n".join(lines)})

    def prepare(environment):
        try:
            os.environ.update(json.loads(environment))
            return ""
        except Exception as error:
            return type(error).__name__

    for name in [name for name in sys.modules if name.partition(".")[0] in ("js", "pyodide_js")]:
        del sys.modules[name]
    # All that is left of it: asyncio.run asks for this setting.
    settings = types.ModuleType("pyodide_js._api")
    settings.config = types.SimpleNamespace(enableRunUntilComplete=True)
    sys.modules["pyodide_js._api"] = settings

    # Without a screen: what is drawn is shown after the cell.
    os.environ.setdefault("MPLBACKEND", "agg")
    if packages is not None:
        host = types.ModuleType("atoll_host")
        host.send, host.read, host.list, host.modules = packages.send, packages.read, packages.list, packages.modules
        sys.modules["atoll_host"] = host
    os.chdir("/home/user/project")
    sys.path.insert(0, "")
    return execute, interrupt, complete, look, prepare


make
