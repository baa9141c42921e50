"""What a player has solved so far, kept in the user's data folder."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path

from engine.errors import UnreadableError, quoted


@dataclass
class Record:
    """How a player fared with one puzzle."""

    solved: bool = False
    tries: int = 0
    hints: int = 0


@dataclass
class Progress:
    """How a player fared with every puzzle tried, by its name."""

    records: dict[str, Record] = field(default_factory=dict)

    @property
    def tried(self) -> dict[str, Record]:
        """The records that say something."""
        return {name: record for name, record in self.records.items() if record != Record()}

    def of(self, name: str) -> Record:
        """The record of a puzzle, an empty one if it was never tried."""
        return self.records.setdefault(name, Record())

    @property
    def solved(self) -> set[str]:
        """The names of the puzzles that were solved."""
        return {name for name, record in self.records.items() if record.solved}


def data_folder() -> Path:
    """Where this program keeps a user's data: GIZMOS_DATA if it is set, else where the system puts such things."""
    given = os.environ.get("GIZMOS_DATA")
    if given:
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "gizmos-solver"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/gizmos-solver"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "gizmos-solver"


def read_progress(file: Path | None = None) -> Progress:
    """The progress kept in a file (default: `puzzles.json` in the data folder); nothing if there is none.

    Raises UnreadableError if the file is damaged.
    """
    file = file or data_folder() / "puzzles.json"
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        return Progress({str(name): Record(**record) for name, record in data.items()})
    except FileNotFoundError:
        return Progress()
    except (ValueError, TypeError, AttributeError, OSError) as error:
        raise UnreadableError(
            f"{quoted(str(file))}: the progress kept there can't be read ({error}); delete it to start anew"
        ) from error


def write_progress(progress: Progress, file: Path | None = None) -> None:
    """Keep the progress; the file is replaced as a whole.

    Raises UnreadableError if it can't be written.
    """
    file = file or data_folder() / "puzzles.json"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_name(f"{file.name}.part")
        part.write_text(json.dumps({name: asdict(each) for name, each in progress.tried.items()}), encoding="utf-8")
        part.replace(file)
    except OSError as error:
        raise UnreadableError(f"{quoted(str(file))}: progress can't be kept ({error.strerror})") from error
