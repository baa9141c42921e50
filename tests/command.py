"""Runs the command `gizmos` inside the tests, as a person would at a terminal of 80 columns without colours."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any, NamedTuple

from typer.testing import CliRunner

from app.cli import cli


class Run(NamedTuple):
    """What a command answered: exit code, standard output, standard error."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """The output read as JSON."""
        return json.loads(self.out)

    @property
    def words(self) -> str:
        """The output with single blanks, so that it does not matter where lines break."""
        return " ".join(self.out.split())


def gizmos(*arguments: str, stdin: str | bytes | None = None) -> Run:
    """Run a command; an exception that it lets through is one of ours, and fails the test."""
    run = CliRunner().invoke(cli, list(arguments), input=stdin)
    if run.exception is not None and not isinstance(run.exception, SystemExit):
        raise run.exception
    return Run(run.exit_code, run.stdout, run.stderr)


def without_effort(text: str) -> str:
    """An answer without what differs from run to run: how long it took, and which solver served."""
    return re.sub(r"[\d,]+ positions looked at in [<\d. ]+ s \(\w+\)", "... positions looked at", text)


@contextmanager
def ctrl_c_in_search(after: float) -> Iterator[None]:
    """Ctrl-C is pressed `after` seconds of search, however long the command takes to come to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    ended = Event()

    def press() -> None:
        while signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a search has a handler of its own
            if ended.wait(0.005):
                return
        if not ended.wait(after):
            signal.raise_signal(signal.SIGINT)

    thread = Thread(target=press)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        signal.signal(signal.SIGINT, before)
