"""The frame holds: layers import only downwards, the command starts light, the kernel is that of these sources."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

from solver.compiled import source_digest

ROOT = Path(__file__).resolve().parent.parent
OURS = {"engine", "solver", "puzzles", "app", "tests", "bench", "gizmos_kernel"}
ALLOWED = {
    "engine": {"engine"},
    "solver": {"engine", "solver", "gizmos_kernel"},
    "puzzles": {"engine", "solver", "puzzles"},
    "app": {"engine", "solver", "puzzles", "app"},
}
HEAVY = {"fastapi", "networkx", "numpy", "ortools", "pandas"}


def imported(source: str) -> Iterator[tuple[int, str]]:
    """The line and the top-level package of every absolute import, also of those inside functions."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name.split(".")[0]) for alias in names)
            case ast.ImportFrom(module=str(module), level=0):
                yield node.lineno, module.split(".")[0]


def test_an_import_is_found_wherever_it_hides() -> None:
    source = "import app.cli as a, os\ndef f():\n    from solver.kernel import g\n    from . import here\n"
    assert sorted(imported(source)) == [(1, "app"), (1, "os"), (3, "solver")]


@pytest.mark.parametrize("layer", ALLOWED)
def test_a_layer_imports_only_itself_and_layers_below(layer: str) -> None:
    files = sorted((ROOT / layer).rglob("*.py"))
    assert files
    upward = [
        f"{file.relative_to(ROOT)}:{line} imports {package}"
        for file in files
        for line, package in imported(file.read_text(encoding="utf-8"))
        if package in OURS - ALLOWED[layer]
    ]
    assert upward == []


def test_the_command_line_starts_without_heavy_libraries() -> None:
    code = "import sys, app.cli; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert HEAVY & set(run.stdout.split()) == set()


def test_the_kernel_was_built_from_these_sources() -> None:
    kernel = pytest.importorskip("gizmos_kernel", reason="installed without a compiler")
    digest = source_digest(ROOT / "solver/kernel")
    assert kernel.source_digest() == digest, "the kernel is older than solver/kernel: install again (CONTRIBUTING.md)"
    assert kernel.version() == version("gizmos-solver")
