"""The exceptions of the engine.

```
ValueError
└── GizmosError
    ├── UnreadableError      the text is not a position, action, line or document
    ├── InvalidPositionError  the text is readable, but no such position can exist; lists every fault
    ├── IllegalActionError    the action is readable, but not legal in this position
    └── AmbiguousActionError  the text fits several legal actions
```
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_QUOTED: Final = 80


class GizmosError(ValueError):
    """Base of every error that bad input causes.

    `faults` lists all of them, one sentence each; `str()` joins them with newlines.
    """

    def __init__(self, faults: str | Sequence[str]) -> None:
        self.faults: tuple[str, ...] = (faults,) if isinstance(faults, str) else tuple(faults)
        super().__init__("\n".join(self.faults))


class UnreadableError(GizmosError):
    """The text cannot be read; each fault quotes the text and says what was expected."""


class InvalidPositionError(GizmosError):
    """The position cannot exist under the rules; each fault names the field."""


class IllegalActionError(GizmosError):
    """The action is not legal in the position."""


class AmbiguousActionError(GizmosError):
    """The text fits more than one legal action; the fault lists them."""


def quoted(text: str) -> str:
    """Quote offending text for a message, on one line and cut short if it is long.

    >>> quoted("pick  B")
    "'pick  B'"
    """
    return repr(text if len(text) <= _QUOTED else f"{text[:_QUOTED]}...")
