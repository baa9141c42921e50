"""Run many independent tasks on processes here, or on a Ray or Dask cluster, with joblib."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from typing import Any, Final, Literal, TypeAlias, TypeVar

from engine.errors import GizmosError

Backend: TypeAlias = Literal["loky", "ray", "dask"]
Result = TypeVar("Result")
_ROUND: Final = 4
"""Tasks for each worker in a round, where joblib can hand out results only when all of a round are there (Ray)."""


class WorkerLostError(GizmosError):
    """A worker process on this machine has died; what was finished before has been handed out."""


class MissingLibraryError(GizmosError):
    """The library behind a backend is not installed."""


def run(
    function: Callable[..., Result],
    tasks: Sequence[tuple[Any, ...]],
    *,
    jobs: int = 1,
    backend: Backend = "loky",
    ordered: bool = True,
) -> Iterator[Result]:
    """The results of `function(*task)` for every task, each as soon as it is there (and those before it, if `ordered`).

    `jobs` tasks run at once (-1: as many as there are cores, or as the cluster takes). With one job on this machine
    everything runs in this process. With `ray` or `dask` they run on the cluster that this process is connected to;
    without one, Dask takes the cluster at the address in DASK_SCHEDULER_ADDRESS, Ray the one in RAY_ADDRESS, and else
    each starts one on this machine.

    Raises MissingLibraryError, and WorkerLostError if a process on this machine dies; a task that loses its worker on a
    Ray or Dask cluster is run again there.
    """
    if backend == "loky" and (jobs == 1 or len(tasks) <= 1):
        for task in tasks:
            yield function(*task)
        return
    from joblib import Parallel, delayed, effective_n_jobs  # noqa: PLC0415 - slow to import
    from joblib.parallel import get_active_backend  # noqa: PLC0415

    with _cluster(backend, jobs) as slots:
        in_rounds = not get_active_backend()[0].supports_return_generator
        form = "list" if in_rounds else "generator" if ordered else "generator_unordered"
        size = _ROUND * effective_n_jobs(slots) if in_rounds else max(1, len(tasks))
        parallel = Parallel(n_jobs=slots, return_as=form, batch_size=1)
        try:
            for start in range(0, len(tasks), size):
                yield from parallel(delayed(function)(*task) for task in tasks[start : start + size])
        except BrokenExecutor as error:
            raise WorkerLostError("a worker process has died, perhaps for lack of memory") from error


@contextmanager
def _cluster(backend: Backend, jobs: int) -> Iterator[int]:
    """Set joblib up for a backend; gives the number of tasks to run at once."""
    from joblib import parallel_config  # noqa: PLC0415

    if backend == "dask":
        with _dask_client(jobs), parallel_config(backend="dask"):
            yield jobs
    elif backend == "ray":
        _start_ray(jobs)
        with parallel_config(backend="ray"):
            yield jobs
    else:
        yield jobs


@contextmanager
def _dask_client(jobs: int) -> Iterator[Any]:
    try:
        from distributed import Client, LocalCluster, get_client  # noqa: PLC0415 - slow to import, and may be missing
    except ImportError as error:
        raise MissingLibraryError("the backend dask needs more: pip install 'gizmos-solver[dask]'") from error
    try:
        yield get_client()
    except ValueError:
        pass
    else:
        return
    import os  # noqa: PLC0415

    address = os.environ.get("DASK_SCHEDULER_ADDRESS")
    if address:
        with Client(address) as client:
            yield client
        return
    workers = jobs if jobs > 0 else None
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as local,
        Client(local) as client,
    ):
        yield client


def _start_ray(jobs: int) -> None:
    try:
        import ray  # noqa: PLC0415
        from ray.util.joblib import register_ray  # noqa: PLC0415
    except ImportError as error:
        raise MissingLibraryError("the backend ray needs more: pip install 'gizmos-solver[ray]'") from error
    if not ray.is_initialized():
        ray.init(num_cpus=jobs if jobs > 0 else None, log_to_driver=False, configure_logging=False)
    register_ray()
