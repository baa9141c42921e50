"""Signs of life on a terminal while a search takes long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

from app.console import remarks

_PATIENCE = 1.0
"""Seconds without an answer after which a sign of life is given."""


@contextmanager
def waiting(text: str) -> Iterator[Callable[[str], None]]:
    """Show a spinner with a text on standard error once a second has passed; nothing if that is no terminal.

    Gives a function that shows another text in its place.
    """
    console = remarks()
    if not console.is_terminal:
        yield lambda _: None
        return
    status = console.status(text)
    timer = Timer(_PATIENCE, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield status.update
    finally:
        timer.cancel()
        timer.join()
        status.stop()
