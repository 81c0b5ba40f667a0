"""A project's files in a kernel on another machine: brought before code runs, fetched while it does and after it."""

import atexit
import base64
import json
import os
import shutil
import tempfile
import threading
import time

_root = None
_seen = {}


def _place(path):
    return os.path.join(_root, *path.split("/"))


def _state(place):
    status = os.stat(place)
    return status.st_size, str(status.st_mtime_ns)


def write(path, text, goes_on):
    place = _place(path)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "ab" if goes_on else "wb") as file:
        file.write(base64.b64decode(text))
    _seen[path] = _state(place)


def folder(path):
    os.makedirs(_place(path), exist_ok=True)


def remove(path):
    _seen.pop(path, None)
    try:
        os.remove(_place(path))
    except OSError:
        pass


def changes(fresh):
    """What is different from what was read. Links are not followed, and not told.

    What was written in the last `fresh` seconds is left for the next time: it may be half a file."""
    found = {}
    now = time.time()
    for here, _, names in os.walk(_root):
        for name in names:
            place = os.path.join(here, name)
            if os.path.islink(place) or not os.path.isfile(place):
                continue
            try:
                found[os.path.relpath(place, _root).replace(os.sep, "/")] = _state(place)
            except OSError:
                pass
    changed = [
        [path, *state]
        for path, state in found.items()
        if _seen.get(path) != state and not 0 <= now - int(state[1]) / 1e9 < fresh
    ]
    gone = [path for path in _seen if path not in found]
    for path in gone:
        del _seen[path]
    return _text(json.dumps({"changed": changed, "gone": gone}).encode("utf-8", "surrogateescape"))


def read(path, start, length, state=None):
    """With its state for the last piece: as it was then, it has been read."""
    with open(_place(path), "rb") as file:
        file.seek(start)
        text = _text(file.read(length))
    if state:
        _seen[path] = state
    return text


def _text(content):
    return base64.b64encode(content).decode()


def _leave_alone():
    events = get_ipython().events
    trigger = events.trigger

    def trigger_here(*args, **kwargs):
        """Whoever asks beside code that runs has not ended it: its figures would be drawn, and closed, half done."""
        if not threading.current_thread().name.startswith("subshell-"):
            trigger(*args, **kwargs)

    events.trigger = trigger_here


def _install():
    global _root
    _root = os.path.realpath(tempfile.mkdtemp(prefix="atoll-"))
    os.chdir(_root)
    atexit.register(shutil.rmtree, _root, True)
    try:
        _leave_alone()
    except (AttributeError, TypeError):
        # A Python without IPython: it has no such events.
        pass
