"""Is it faster than it was? `python bench/compare.py COMMIT [--scale 0.1] [SECTION...]`.

Builds a commit in a temporary working tree and virtual environment, measures it and then this install by
`gizmos bench`, and prints both. Run it with the Python of the environment in which this working tree is installed, and
with nothing else running.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).resolve().parent.parent


def main() -> int:
    """Build, measure, compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("commit", help="what to compare with: a commit, a branch, HEAD~3")
    parser.add_argument("sections", nargs="*", help="sections of gizmos bench; without one, all")
    parser.add_argument("--scale", default="0.2", help="as for gizmos bench (default: 0.2)")
    parser.add_argument("--time-limit", default="10", help="as for gizmos bench, in seconds (default: 10)")
    given = parser.parse_args()
    options = [*given.sections, "--scale", given.scale, "--time-limit", given.time_limit]
    with tempfile.TemporaryDirectory() as scratch, _worktree(given.commit, Path(scratch) / "tree") as tree:
        gizmos = _installed(tree, Path(scratch) / "venv")
        report = Path(scratch) / "baseline.json"
        print(f"measuring {given.commit} ...", file=sys.stderr)
        with report.open("w", encoding="utf-8") as file:
            measured = subprocess.run([gizmos, "bench", *options, "--json"], stdout=file, cwd=scratch, check=False)
        if measured.returncode:
            print(f"{given.commit} can't be measured: has it 'gizmos bench' and these sections?", file=sys.stderr)
            return 1
        print("measuring this install ...", file=sys.stderr)
        command = [sys.executable, "-m", "app", "bench", *options, "--baseline", str(report)]
        return subprocess.run(command, cwd=ROOT, check=False).returncode


@contextmanager
def _worktree(commit: str, tree: Path) -> Iterator[Path]:
    _git("worktree", "add", "--quiet", "--detach", str(tree), commit)
    try:
        yield tree
    finally:
        _git("worktree", "remove", "--force", str(tree))


def _git(*arguments: str) -> None:
    subprocess.run([shutil.which("git") or "git", "-C", str(ROOT), *arguments], check=True)


def _installed(tree: Path, venv: Path) -> Path:
    """The `gizmos` of a fresh environment with the commit in it."""
    print("building ...", file=sys.stderr)
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    scripts = venv / ("Scripts" if sys.platform == "win32" else "bin")
    subprocess.run([scripts / "python", "-m", "pip", "install", "--quiet", str(tree)], check=True)
    return scripts / "gizmos"


if __name__ == "__main__":
    sys.exit(main())
