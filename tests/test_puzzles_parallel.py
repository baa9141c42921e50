"""The same tasks on processes here and on a cluster."""

import math
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from puzzles import runs
from puzzles.mining import Settings, Yield
from puzzles.parallel import WorkerLostError, run
from puzzles.runs import mine


def test_results_come_in_order_from_one_process_and_from_two() -> None:
    tasks = [(number,) for number in range(20)]
    assert list(run(math.sqrt, tasks)) == [math.sqrt(number) for number in range(20)]
    assert list(run(math.sqrt, tasks, jobs=2)) == [math.sqrt(number) for number in range(20)]
    assert sorted(run(math.sqrt, tasks, jobs=2, ordered=False)) == [math.sqrt(number) for number in range(20)]


def test_no_tasks_are_no_results() -> None:
    assert list(run(math.sqrt, [], jobs=2)) == []


def die_once(folder: str, number: int) -> int:
    """Kill the worker the first time that task 2 runs."""
    mark = Path(folder) / "died"
    if number == 2 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.05)
    return number * number


def test_a_process_that_dies_is_told_and_what_was_finished_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(WorkerLostError):
        list(run(die_once, [(str(tmp_path), number) for number in range(4)], jobs=2))

    settings = Settings(seed=5, most_states=300)
    mine(tmp_path / "calm", 2, settings)
    calls: list[int] = []

    def lossy(function: Callable[..., Yield], tasks: list[tuple[Settings, int]], **_: object) -> Iterator[Yield]:
        calls.append(len(tasks))
        yield function(*tasks[0])
        if len(calls) == 1:
            raise WorkerLostError("gone")

    monkeypatch.setattr(runs, "run", lossy)
    mine(tmp_path / "lossy", 2, settings)
    assert calls == [2, 1]
    for step in range(1, 6):
        name = f"mined-{step}.jsonl"
        assert (tmp_path / "calm" / name).read_bytes() == (tmp_path / "lossy" / name).read_bytes()


@pytest.mark.slow
def test_a_dask_cluster_of_two_workers_gives_what_one_process_gives(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
    settings = Settings(seed=5, most_states=300)
    mine(tmp_path / "here", 4, settings)
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster),
    ):
        mine(tmp_path / "there", 4, settings, jobs=-1, backend="dask")
    for step in range(1, 6):
        name = f"mined-{step}.jsonl"
        assert (tmp_path / "here" / name).read_bytes() == (tmp_path / "there" / name).read_bytes()


@pytest.mark.slow
def test_a_dask_worker_that_dies_loses_nothing(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster),
    ):
        tasks = [(str(tmp_path), number) for number in range(8)]
        assert list(run(die_once, tasks, jobs=2, backend="dask")) == [number * number for number in range(8)]
    assert (tmp_path / "died").exists()


@pytest.mark.slow
def test_a_ray_cluster_of_two_workers_gives_what_one_process_gives(tmp_path: Path) -> None:
    ray = pytest.importorskip("ray", reason="the extra ray is not installed")
    settings = Settings(seed=5, most_states=300)
    mine(tmp_path / "here", 4, settings)
    mine(tmp_path / "there", 4, settings, jobs=2, backend="ray")
    ray.shutdown()
    for step in range(1, 6):
        name = f"mined-{step}.jsonl"
        assert (tmp_path / "here" / name).read_bytes() == (tmp_path / "there" / name).read_bytes()
