"""Executors of the chunks of a study, with three functions for each kind."""

from __future__ import annotations

import concurrent.futures
import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from typing import Any

Task = Callable[..., dict[str, Any]]


class Executor(ABC):
    """Runs tasks; submit returns a handle for each task."""

    workers = 1  # approximate number of tasks at a time

    @abstractmethod
    def submit(self, task: Task, *arguments: object) -> Any:
        """Begins a task as soon as a worker is free."""

    @abstractmethod
    def completed(self, handles: Collection[Any], timeout: float) -> list[tuple[Any, Callable[[], dict[str, Any]]]]:
        """Waits until a task is over, for timeout seconds at most. Returns the finished tasks, each with a function
        that returns the result of the task or raises its exception."""

    @abstractmethod
    def cancel(self, handles: Collection[Any]) -> None:
        """Cancels tasks that have not begun."""

    def close(self) -> None:
        """Releases the resources of the study."""


class Futures(Executor):
    """An executor of concurrent.futures, or a function that returns a new executor after the loss of a worker."""

    def __init__(self, executor: concurrent.futures.Executor | Callable[[], concurrent.futures.Executor]) -> None:
        self._make = None if isinstance(executor, concurrent.futures.Executor) else executor
        self._pool = executor if isinstance(executor, concurrent.futures.Executor) else executor()
        self.workers = int(getattr(self._pool, "_max_workers", 4))

    def submit(self, task: Task, *arguments: object) -> Any:
        try:
            return self._pool.submit(task, *arguments)
        except concurrent.futures.BrokenExecutor:
            if self._make is None:
                raise
            self._pool = self._make()
            return self._pool.submit(task, *arguments)

    def completed(self, handles: Collection[Any], timeout: float) -> list[tuple[Any, Callable[[], dict[str, Any]]]]:
        done = concurrent.futures.wait(handles, timeout, concurrent.futures.FIRST_COMPLETED).done
        return [(future, future.result) for future in done]

    def cancel(self, handles: Collection[Any]) -> None:
        for future in handles:
            future.cancel()

    def close(self) -> None:
        if self._make is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


class Here(Futures):
    """A thread of this process: one chunk after the other, each on all processors."""

    def __init__(self) -> None:
        super().__init__(lambda: concurrent.futures.ThreadPoolExecutor(1, "skidpad-study"))


class Dask(Executor):
    """A Client of dask.distributed."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.workers = max(1, len(client.scheduler_info()["workers"]))

    def submit(self, task: Task, *arguments: object) -> Any:
        return self._client.submit(task, *arguments, pure=False)

    def completed(self, handles: Collection[Any], timeout: float) -> list[tuple[Any, Callable[[], dict[str, Any]]]]:
        import distributed

        try:
            wait: Any = distributed.wait
            done = wait(list(handles), timeout=timeout, return_when="FIRST_COMPLETED").done
        except (distributed.TimeoutError, TimeoutError):
            return []
        return [(future, future.result) for future in done]

    def cancel(self, handles: Collection[Any]) -> None:
        self._client.cancel(list(handles))


class Ray(Executor):
    """Ray on this machine ("ray"), or at an address ("ray://...", "auto")."""

    def __init__(self, address: str) -> None:
        import ray

        self._ray: Any = ray
        self._mine = not ray.is_initialized()
        if self._mine:
            ray.init(address=None if address == "ray" else address, log_to_driver=False, include_dashboard=False)
        self.workers = max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def submit(self, task: Task, *arguments: object) -> Any:
        return self._ray.remote(max_retries=0)(task).remote(*arguments)

    def completed(self, handles: Collection[Any], timeout: float) -> list[tuple[Any, Callable[[], dict[str, Any]]]]:
        done, _ = self._ray.wait(list(handles), num_returns=1, timeout=timeout)
        return [(handle, functools.partial(self._ray.get, handle)) for handle in done]

    def cancel(self, handles: Collection[Any]) -> None:
        for handle in handles:
            self._ray.cancel(handle, force=False)

    def close(self) -> None:
        if self._mine:
            self._ray.shutdown()


def executor(given: Any) -> Executor:
    """The adapter for the argument of a user: None, an executor of concurrent.futures or a function that returns an
    executor, a Client of dask.distributed, "ray" or an address of Ray."""
    if given is None:
        return Here()
    if isinstance(given, str) and (given in ("ray", "auto") or given.startswith("ray://")):
        return Ray(given)
    if isinstance(given, concurrent.futures.Executor):
        return Futures(given)
    if hasattr(given, "scheduler_info") and hasattr(given, "submit"):
        return Dask(given)
    if callable(given):
        make: Any = given
        return Futures(make)
    raise ValueError(
        f"executor is {given!r}; allowed are None, an executor of concurrent.futures or a function that makes one, a "
        'Client of dask.distributed, "ray", or an address of Ray'
    )
