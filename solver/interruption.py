"""Ctrl-C, noticed for sure."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType


@contextmanager
def interruption() -> Iterator[Callable[[], bool]]:
    """Within this context, a function that says whether Ctrl-C was pressed; KeyboardInterrupt is raised as ever.

    The exception alone may get lost: Python drops one that comes up while it closes a generator that nobody needs any
    more. Threads other than the main one never hear of Ctrl-C, and handlers of a program's own are left in charge.
    """
    pressed = False

    def press(_signal: int, _frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        raise KeyboardInterrupt

    if current_thread() is not main_thread() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: False
        return
    signal.signal(signal.SIGINT, press)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
