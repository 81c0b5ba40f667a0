"""Code in a thread beside the main one is interrupted, asks and is counted as code in the main one.

The exception that interrupts is raised between two steps of Python in that thread: a call that waits outside of Python is
ended by it only when it returns.
"""

import asyncio
import builtins
import ctypes
import getpass
import threading
import time

_guard = threading.Lock()
_running = {}
_asking = threading.Lock()
_own = threading.local()
_step = 0.1
_sleep = time.sleep


def _is_beside():
    return threading.current_thread().name.startswith("subshell-")


def _began(info):
    """From here on, and no sooner or later, an exception ends the code and not the thread."""
    _own.code = info.raw_cell
    if not _is_beside():
        return
    task = asyncio.current_task()
    is_async = task is not None and getattr(task.get_coro(), "__name__", "") == "run_cell_async"
    with _guard:
        _running[threading.get_ident()] = task if is_async else None


def _ended(*_):
    while True:
        try:
            with _guard:
                _running.pop(threading.get_ident(), None)
            return
        except KeyboardInterrupt:
            pass


def interrupt(subshell):
    for thread in threading.enumerate():
        if thread.name != f"subshell-{subshell}":
            continue
        with _guard:
            if thread.ident not in _running:
                return
            task = _running[thread.ident]
            if task is not None:
                task.get_loop().call_soon_threadsafe(task.cancel)
            else:
                raised = ctypes.py_object(KeyboardInterrupt)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), raised)


def _patient_sleep(seconds, /):
    """In short steps: else an interruption would wait for its end."""
    if not _is_beside():
        return _sleep(seconds)
    until = time.monotonic() + seconds
    _sleep(min(seconds, _step))
    while (left := until - time.monotonic()) > 0:
        _sleep(min(left, _step))


def _of_each_thread(hook):
    """IPython has one result under way, whoever else has one meanwhile; nobody's may be lost or be another's."""

    class Hook(type(hook)):
        msg = property(lambda self: getattr(_own, "msg", None), lambda self, msg: setattr(_own, "msg", msg))

        @property
        def prompt_count(self):
            return getattr(_own, "count", None) or super().prompt_count

        def quiet(self):
            try:
                return self.semicolon_at_end_of_expression(_own.code)
            except Exception:
                return super().quiet()

    hook.__class__ = Hook


def _install():
    shell = get_ipython()
    kernel = shell.kernel
    _of_each_thread(shell.displayhook)
    publish = kernel._publish_execute_input

    def counted(code, parent, execution_count):
        _own.count = execution_count
        publish(code, parent, execution_count)

    kernel._publish_execute_input = counted
    # They count who is inside, which threads that come and go at once get wrong: from now on somebody always is.
    for trap in (shell.display_trap, shell.builtin_trap):
        trap.__enter__()
        trap._nested_level += 1_000_000
    shell.events.register("pre_run_cell", _began)
    shell.events.register("post_run_cell", _ended)
    own = threading.get_ident()
    trigger = shell.events.trigger

    def trigger_elsewhere(*args, **kwargs):
        """What is asked from this thread ends nobody's code: figures would be drawn, and closed, half done."""
        if threading.get_ident() != own:
            trigger(*args, **kwargs)

    shell.events.trigger = trigger_elsewhere
    time.sleep = _patient_sleep
    request = kernel._input_request

    def ask(*args, **kwargs):
        """One question at a time: there is one way for the answers."""
        while not _asking.acquire(timeout=_step):
            pass
        try:
            return request(*args, **kwargs)
        finally:
            _asking.release()

    kernel._input_request = ask
    # What one cell puts back at its end would be taken from the others.
    builtins.input = kernel._sys_raw_input = kernel.raw_input
    getpass.getpass = kernel._save_getpass = kernel.getpass
