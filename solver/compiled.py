"""The compiled kernel, if this install has one: it is imported here only, and handed the cards."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from engine.cards import CARDS, Card
from engine.marbles import Color


def source_digest(sources: Path) -> str | None:
    """The digest that a kernel built from these C++ sources carries; None where they do not lie beside the package."""
    # Names count as CMakeLists.txt writes them.
    files = sorted(file for file in sources.glob("*") if file.suffix in {".cpp", ".h", ".hpp"})
    lines = (f"solver/kernel/{file.name} {hashlib.sha256(file.read_bytes()).hexdigest()}\n" for file in files)
    return hashlib.sha256("".join(lines).encode()).hexdigest() if files else None


def _load() -> ModuleType | None:
    try:
        import gizmos_kernel  # noqa: PLC0415 - may be missing
    except ImportError:
        return None
    digest = source_digest(Path(__file__).with_name("kernel"))
    if digest in (None, gizmos_kernel.source_digest()):
        return gizmos_kernel
    # An old kernel could answer by old rules, so it is as good as none.
    warnings.warn("the compiled kernel is older than its sources and not used; install again", stacklevel=2)
    return None


kernel: ModuleType | None = _load()


def _mask(colors: Iterable[Color]) -> int:
    return sum(1 << color for color in colors)


def _row(card: Card) -> tuple[object, ...]:
    return (
        card.id,
        card.level,
        _mask(card.colors),
        card.cost,
        card.points,
        card.trigger,
        _mask(card.trigger_colors),
        card.effect,
        card.amount,
        _mask(card.convert_from),
        card.convert_to,
        card.convert_uses,
        card.storage,
        card.archive,
        card.research,
        card.special,
    )


if kernel is not None:
    kernel.set_cards([_row(CARDS[number]) for number in sorted(CARDS)])
