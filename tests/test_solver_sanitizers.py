"""The kernel passes its tests when it is built with sanitizers for addresses and undefined behaviour."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
COMPILER = os.environ.get("CXX") or shutil.which("c++") or ""
LIBRARIES = ("libasan.so", "libubsan.so")
BUILDING = ("scikit_build_core", "nanobind", "cmake", "ninja")
TESTS = "(kernel or games or perft or limits or sketch or by_set) and not process and not sanitizers"
"""All that ask much of the kernel, but for those that measure the memory of a process."""


def library(name: str) -> str | None:
    """Where the compiler has a library; None if it has none."""
    said = subprocess.run([COMPILER, f"-print-file-name={name}"], capture_output=True, text=True, check=False).stdout
    return said.strip() if Path(said.strip()).is_absolute() else None


def missing() -> str:
    """What is missing for a build with sanitizers; empty if nothing is."""
    if not COMPILER:
        return "no C++ compiler"
    lacking = [name for name in LIBRARIES if library(name) is None] + [name for name in BUILDING if not find_spec(name)]
    return f"missing: {', '.join(lacking)}" if lacking else ""


def python_with_sanitized_kernel(folder: Path) -> Path:
    """A Python that sees the packages of this one, and a kernel of its own."""
    venv.create(folder, symlinks=True)
    python = folder / "bin/python"
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    Path(site, "packages.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    settings = ("GIZMOS_KERNEL=ON", "GIZMOS_SANITIZE=address,undefined")
    options = ["-q", "--no-build-isolation", "--no-deps", f"-Cbuild-dir={folder}/build"]
    options += [f"-Ccmake.define.{each}" for each in settings]
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "--ignore-installed",
        *options,
        str(ROOT),
    ]
    subprocess.run(install, check=True)
    return python


@pytest.mark.slow
@pytest.mark.skipif(bool(missing()), reason=missing())
def test_the_tests_of_the_kernel_pass_with_sanitizers(tmp_path: Path) -> None:
    python = python_with_sanitized_kernel(tmp_path)
    libraries = " ".join(str(library(name)) for name in LIBRARIES)
    environment = {**os.environ, "LD_PRELOAD": libraries, "ASAN_OPTIONS": "detect_leaks=0"}

    def run(*arguments: str) -> str:
        command = [str(python), *arguments]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
        return done.stdout

    assert run("-c", "import gizmos_kernel; print(gizmos_kernel.__file__)").startswith(str(tmp_path))
    run("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-k", TESTS, "tests")
