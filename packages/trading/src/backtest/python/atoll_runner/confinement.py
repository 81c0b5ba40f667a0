"""What the kernel keeps a fork from, whatever its code finds in the interpreter."""

import ctypes
import os
import resource
import signal
import struct


def confine(most_bytes, milliseconds):
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    limit(milliseconds)
    resource.setrlimit(resource.RLIMIT_DATA, (most_bytes, most_bytes))
    # Ends with the process that it is a fork of, also where there is no sandbox that would end both.
    ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)
    for each in (resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
        resource.setrlimit(each, (0, 0))
    without_processes()


def limit(milliseconds):
    """
    A fork that takes longer is ended where it stands. The time is the processor's: a busy machine accuses no code. Code that
    means harm can turn it off: then the task's own limit ends both.
    """
    signal.setitimer(signal.ITIMER_PROF, max(milliseconds, 1) / 1_000 if milliseconds else 0)


# By machine: its name for seccomp, and clone, fork, vfork, execve, execveat and clone3.
PROCESS_CALLS = {
    "x86_64": (0xC000003E, (56, 57, 58, 59, 322, 435)),
    "aarch64": (0xC00000B7, (220, 221, 281, 435)),
}


def without_processes():
    """No threads, processes and programs from here on."""
    machine, calls = PROCESS_CALLS.get(os.uname().machine, (0, ()))
    if not calls:
        return
    load, equal, least, end = 0x20, 0x15, 0x35, 0x06
    refused = 0x00050000 | 1
    # Calls of another architecture have other numbers: all of them are refused.
    steps = [(load, 0, 0, 4), (equal, 0, len(calls) + 3, machine), (load, 0, 0, 0), (least, len(calls) + 1, 0, 0x40000000)]
    steps += [(equal, len(calls) - at, 0, call) for at, call in enumerate(calls)]
    steps += [(end, 0, 0, 0x7FFF0000), (end, 0, 0, refused)]
    program = ctypes.create_string_buffer(b"".join(struct.pack("<HBBI", *step) for step in steps))
    header = struct.pack("@HP", len(steps), ctypes.addressof(program))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, ctypes.c_char_p(header), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "The sandbox of the strategy could not be closed")
