"""Packages for the kernel, fetched by the server: what runs here has no network.

The kernel says what it wants and reads the answer from a folder that it cannot write to.
"""
import importlib
import json
import os
import re
import shlex
import sys
import time
import uuid

_folder = None
_used = None
_send = None
_host = None
_wait = 0.1
_pip = re.compile(r"^\s*(?:python3?\s+-m\s+)?pip3?\s+(.*)$")
_quiet = {"-q", "--quiet", "-U", "--upgrade", "--no-input", "--disable-pip-version-check", "--no-cache-dir", "--user"}


class PackageError(Exception):
    """Says what could not be installed, and why."""

    def _render_traceback_(self):
        return [str(self)]


def _read(name):
    if _host is not None:
        content = _host.read(name)
        return None if content is None else content.to_bytes().decode()
    try:
        with open(os.path.join(_folder, name), encoding="utf-8") as file:
            return file.read()
    except OSError:
        return None


def request(content):
    """Asks the server, shows what it says meanwhile, and returns its answer."""
    name = uuid.uuid4().hex
    _send({"id": name, **content})
    shown = 0
    while True:
        answer = _read("answers/%s.json" % name)
        lines = _read("answers/%s.log" % name) or ""
        if len(lines) > shown:
            print(lines[shown:], end="", flush=True)
            shown = len(lines)
        if answer is not None:
            answer = json.loads(answer)
            if answer["problem"]:
                raise PackageError(answer["problem"])
            return answer
        time.sleep(_wait)


def use_current():
    """What was installed for the project, also by another kernel of it before this one started."""
    global _used
    layer = _read("current") if _folder else None
    if not layer or layer == _used:
        return
    _use(layer)
    _used = layer


def _use(layer):
    if _host is not None:
        for name in sorted(json.loads(_host.list(layer) or "[]")):
            if name.endswith(".whl"):
                _unpack("%s/%s" % (layer, name))
        importlib.invalidate_caches()
        return
    place = os.path.join(_folder, layer)
    kept = [each for each in sys.path if os.path.dirname(each) != _folder]
    # Before the packages for everybody, of which a project may want other versions; after the language itself.
    index = next((at for at, each in enumerate(kept) if each.endswith(("site-packages", "dist-packages"))), len(kept))
    sys.path[:] = [*kept[:index], place, *kept[index:]]
    importlib.invalidate_caches()


def pip(line):
    """What %pip and !pip do here: install, and a few that only look."""
    # Of a package that cannot be had nobody wants to read how it was asked for.
    __tracebackhide__ = True
    words = shlex.split(line, comments=True)
    command, words = (words[0], words[1:]) if words else ("", [])
    if command in ("list", "freeze", "show"):
        return _list(words if command == "show" else None)
    if command != "install":
        raise PackageError("Only “pip install”, “pip list” and “pip show” work here. To remove a package, delete its line from requirements.txt and stop the kernel.")
    wanted, words = [], iter(words)
    for word in words:
        if word in ("-r", "--requirement"):
            with open(next(words, ""), encoding="utf-8") as file:
                wanted += file.read().splitlines()
        elif word in _quiet:
            continue
        elif word.startswith("-"):
            raise PackageError("“%s” is not supported here: name the packages to install." % word)
        else:
            wanted.append(word)
    if _folder is None:
        raise PackageError("Packages cannot be installed on this server. An admin can allow it.")
    answer = request({"kind": "install", "requirements": wanted})
    loaded = [each["name"] for each in answer["installed"] if _is_loaded(each)]
    use_current()
    if answer["installed"]:
        print("Installed " + ", ".join("%(name)s %(version)s" % each for each in answer["installed"]))
    else:
        print("Already installed: " + ", ".join(answer["requirements"]))
    _record(answer["requirements"])
    if loaded:
        print("Restart the kernel to use the new version of %s." % ", ".join(sorted(loaded)))


def _key(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def _is_loaded(each):
    """Whether code has imported another version already, as far as its name says what it is imported as."""
    from importlib import metadata

    try:
        return each["name"].replace("-", "_") in sys.modules and metadata.version(each["name"]) != each["version"]
    except metadata.PackageNotFoundError:
        return False


def _record(requirements):
    """In the project, as any file that code writes: it stays there if whoever runs this may edit it."""
    lines = []
    try:
        with open("requirements.txt", encoding="utf-8") as file:
            lines = file.read().splitlines()
    except OSError:
        pass
    before = list(lines)
    for requirement in requirements:
        name = _key(re.match(r"[A-Za-z0-9._-]*", requirement).group())
        found = [at for at, each in enumerate(lines) if _key(re.match(r"\s*([A-Za-z0-9._-]*)", each).group(1)) == name]
        if found:
            lines[found[0]] = requirement
        else:
            lines.append(requirement)
    if lines != before:
        with open("requirements.txt", "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


def _list(names):
    from importlib import metadata

    wanted = None if names is None else {_key(name) for name in names}
    found = {_key(each.metadata["Name"]): each for each in reversed(list(metadata.distributions())) if each.metadata["Name"]}
    for key in sorted(found):
        if wanted is None or key in wanted:
            print("%s==%s" % (found[key].metadata["Name"], found[key].version))


def transform(text):
    """Code as Python reads it, where nothing but Python does."""
    lines = []
    for line in text.split("\n"):
        match = re.match(r"^(\s*)[%!]\s*(.*)$", line)
        asked = match and _pip.match(match.group(2))
        lines.append("%s__import__('atoll_packages').pip(%r)" % (match.group(1), asked.group(1)) if asked else line)
    return "\n".join(lines)


def _unpack(name, target="site"):
    """Into Pyodide's files, which are in memory."""
    import io
    import site
    import zipfile

    folder = "/usr/lib" if target == "dynlib" else site.getsitepackages()[0]
    with zipfile.ZipFile(io.BytesIO(_host.read(name).to_bytes())) as archive:
        archive.extractall(folder)


class _Distribution:
    """Finds what was built for Pyodide: loaded when it is first imported, wherever that is."""

    def __init__(self, modules):
        self.modules = set(modules)

    def find_spec(self, name, path=None, target=None):
        if name not in self.modules:
            return None
        # What it imports itself while it is loaded is in its files.
        self.modules.discard(name)
        try:
            for file in request({"kind": "modules", "names": [name]})["files"]:
                _unpack(file["name"], file["target"])
        except BaseException as error:
            self.modules.add(name)
            if isinstance(error, PackageError):
                raise ImportError(str(error), name=name) from None
            raise
        importlib.invalidate_caches()
        return importlib.machinery.PathFinder.find_spec(name)


def _install_in_pyodide():
    global _folder, _send, _host, _wait
    import importlib.machinery

    _host = sys.modules.get("atoll_host")
    if _host is None:
        return
    _folder, _wait = "/", 0.05
    _send = lambda content: _host.send(json.dumps(content))
    # Before Pyodide's own, which only says that it would have it.
    index = sys.meta_path.index(importlib.machinery.PathFinder) + 1
    sys.meta_path.insert(index, _Distribution(json.loads(_host.modules)))
    use_current()


def _install():
    global _folder, _send
    if sys.platform == "emscripten":
        return _install_in_pyodide()
    # On another machine pip is what it is there.
    if "ATOLL_PACKAGES" not in os.environ:
        return
    _folder = os.environ["ATOLL_PACKAGES"] or None
    shell = get_ipython()  # noqa: F821
    kernel = shell.kernel

    def send(content):
        kernel.session.send(kernel.iopub_socket, "atoll_packages", content, parent=kernel.get_parent())

    _send = send
    shell.register_magic_function(pip, "line", "pip")
    system = shell.system

    def run(command):
        asked = _pip.match(command)
        return pip(asked.group(1)) if asked else system(command)

    shell.system = run
    use_current()
    shell.events.register("pre_run_cell", lambda *_: use_current())
