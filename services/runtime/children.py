"""Programs that are run as children, and end with this process, whatever ends it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence

WATCH = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
if os.getppid() == int(sys.argv[1]):
    os.execv(sys.argv[2], sys.argv[2:])
"""

Child = subprocess.Popen[bytes]


def spawn(
    command: Sequence[str],
    pass_fds: Sequence[int] = (),
    output: int = subprocess.DEVNULL,
    environ: Mapping[str, str] | None = None,
) -> Child:
    """Run `command` without input, deaf to Ctrl-C: we stop it when nobody needs it any more.

    `output` is the file descriptor that it prints to, `environ` its environment instead of ours.
    """

    def start() -> Child:
        return subprocess.Popen(  # noqa: S603 # our own command line
            watched(list(command)),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            pass_fds=pass_fds,
            env=environ,
            start_new_session=True,
        )

    return _kept(start)


def stop(child: Child, patience: float) -> None:
    """Ask it to end, and end it after `patience` seconds."""
    child.terminate()
    try:
        child.wait(patience)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def watched(command: list[str]) -> list[str]:
    """`command`, begun by a moment of Python that asks for SIGTERM when its parent dies.

    Not a preexec_fn: that runs in a fork of this process, whose other threads (gRPC's) may have
    held any lock, and now and then it crashes.
    """
    if sys.platform != "linux":
        return command
    return [sys.executable, "-I", "-S", "-c", WATCH, str(os.getpid()), *command]


def _kept(start: Callable[[], Child]) -> Child:
    """Start from a thread that lives as long as the child: on Linux the child is told of the
    end of the thread that started it, not of the end of the process.
    """
    outcome: list[Child | BaseException] = []
    started = threading.Event()

    def keep() -> None:
        try:
            outcome.append(start())
        except BaseException as error:  # noqa: BLE001 # raised by the caller below
            outcome.append(error)
        started.set()
        if isinstance(outcome[0], subprocess.Popen):
            outcome[0].wait()

    threading.Thread(target=keep, name="keeper", daemon=True).start()
    started.wait()
    (found,) = outcome
    if isinstance(found, BaseException):
        raise found
    return found
