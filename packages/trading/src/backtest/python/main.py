"""
Runs people's strategies beside the engine, which asks through two pipes: `main.py <megabytes>`.

This process never evaluates a strategy. Each run is a fork of it, which begins with nothing of the run before and ends with
it; when a fork is killed, this process ends too, and says how.
"""

import os
import re
import sys

from atoll_runner.confinement import confine
from atoll_runner.frames import Pipes, doubles
from atoll_runner.load import description, warm_up
from atoll_runner.problems import problem_of
from atoll_runner.run import Run


def in_fork(pipes, megabytes, order, stored):
    held = sum(len(each) for columns in stored.values() for each in columns) * 8
    confine(megabytes * 1024 * 1024 + 2 * held, order["ms"])
    run = Run(pipes, megabytes)
    try:
        if order["do"] == "load":
            pipes.send(description(run, order["code"]))
        elif order["do"] == "warmUp":
            pipes.send({"bars": warm_up(run, order["code"], order["parameters"])})
        else:
            run.take(order["markets"], stored, order["isFollowed"])
            run.follow(order)
    except BaseException as error:
        problem = problem_of(error, megabytes)
        problem["step"] = run.step
        problem["logs"], problem["dropped"] = run.logs, run.dropped
        problem["random"] = run.random_state
        del error
        pipes.send(problem)
        while order["do"] == "run":
            run.obey(*pipes.receive())


def serve(megabytes):
    pipes = Pipes()
    stored = {}
    while True:
        order, data = pipes.receive()
        what = order["do"]
        if what == "hello":
            pipes.send({"version": versions()})
        elif what == "bars":
            for each in order["forget"]:
                stored.pop(each, None)
            stored.setdefault(order["id"], []).extend(doubles(data, 1))
            pipes.send({})
        else:
            prepare(order["code"])
            child = os.fork()
            if child == 0:
                in_fork(pipes, megabytes, order, stored)
                os._exit(0)
            _, status = os.waitpid(child, 0)
            if status != 0:
                os._exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else 1)


def versions():
    """Of Python and of the libraries that strategies compute with: others can give other last digits."""
    from importlib import metadata

    known = ["%d.%d.%d" % sys.version_info[:3]]
    for name in ("numpy", "pandas", "scipy"):
        try:
            known.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            pass
    return " ".join(known)


def prepare(code):
    """What takes a while to load is loaded once, and not in each fork."""
    used = set(re.findall(r"\b(?:numpy|pandas|scipy(?:\.\w+)*)\b", code))
    used.update(f"scipy.{part}" for line in re.findall(r"from scipy import ([\w, ]+)", code) for part in re.findall(r"\w+", line))
    if used or ".column(" in code:
        used.add("numpy")
    for name in sorted(used):
        if name not in sys.modules:
            try:
                __import__(name)
            except Exception:
                pass


if __name__ == "__main__":
    serve(int(sys.argv[1]))
