"""Arguments and options that several commands share."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from app.words import VARIABLE

AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]

Language: TypeAlias = Annotated[
    str | None, typer.Option("--lang", metavar="LANG", envvar=VARIABLE, help="Language of the answer: en, pt.")
]
