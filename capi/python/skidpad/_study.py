"""Studies: many runs, on one or many machines. Results survive the loss of any machine."""

from __future__ import annotations

import inspect
import io
import json
import math
import os
import pathlib
import re
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from . import _study_files as files
from . import _study_traces as traces
from . import _study_work as worker
from . import design as designs
from ._command import as_set, named_libraries, pairs, refuse_registered, registered_functions, run_command
from ._executors import Executor, executor as adapter
from ._library import Error, Status, library
from ._shipped import manoeuvres
from ._trace import Trace
from ._variables import Causality, listed
from ._vehicle import Vehicle, matching
from .design import Design

if TYPE_CHECKING:
    import pyarrow
    import pyarrow.dataset

TEAM = 64  # a chunk is a multiple of this number of runs
MOST_STEPS = 20_000_000  # solver steps of a chunk, together
MOST_CHUNK = 100_000  # runs
MOST_CHUNKS = 100_000  # for more chunks, chunks become larger
SAID_EVERY = 10.0  # s, between lines of progress


@dataclass(frozen=True)
class Progress:
    """The progress of a study."""

    runs: int  # of the study
    done: int  # runs that are over
    failed: int  # done runs that failed or killed their process
    rate: float  # runs per second of this driver; 0 before the first chunk is over
    left: float  # s; infinite before the first chunk is over

    def __str__(self) -> str:
        """The progress in a line."""
        rate = f", {self.rate:.3g} a second" if self.rate else ""
        left = f", {self.left:.0f} s left" if self.rate and self.done < self.runs else ""
        return f"{self.done} of {self.runs} runs, {self.failed} failed{rate}{left}"

    def _repr_html_(self) -> str:
        """A progress bar for notebooks."""
        return f'<progress max="{self.runs}" value="{self.done}"></progress> {self}'


class Study:
    """Runs of a study, pending or over. See study."""

    def __init__(self, place: files.Store, executor: Any, retries: int, threads: int) -> None:
        self._place, self._given, self._retries, self._threads = place, executor, retries, threads
        self._chunks = worker.Chunks(place.inputs())
        self._chunks.check()
        self.runs, self.identity = self._chunks.design.runs, self._chunks.identity
        self._count = -(-self.runs // self._chunks.manifest["chunk"])
        self._over = bytearray(self._count)  # 1 for each chunk that is done
        self._receipts: dict[int, Mapping[str, Any]] = {}  # receipts that are not folded
        self._sums = (0, 0)  # runs over, and runs failed; replaced as a whole, because other threads read it
        self._before = 0  # runs that were over at the start
        self._begin = time.monotonic()
        self._stop = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._drive, name="skidpad-study", daemon=True)
        self._thread.start()

    def __repr__(self) -> str:
        return f"<skidpad.Study {self._place}: {self.progress}>"

    @property
    def progress(self) -> Progress:
        """The progress."""
        rows, failures = self._sums
        here, seconds = rows - self._before, time.monotonic() - self._begin
        rate = here / seconds if here > 0 else 0.0
        left = (self.runs - rows) / rate if rate else float("inf")
        return Progress(self.runs, rows, failures, rate, left)

    def wait(self, timeout: float | None = None) -> Study:
        """Waits until all runs are over, for timeout seconds at most. Progress is shown with tqdm, if installed, or as
        a line every 10 s on standard error. Raises the exception that stopped the study; finished chunks are kept, and
        the same call of study continues. Warns if all runs have failed, with the reason of the first run. The first
        interrupt ends the study after the chunks in hand, the second interrupt at once."""
        end = None if timeout is None else time.monotonic() + timeout
        show = _shown(self.runs)
        interrupted = False
        try:
            while self._thread.is_alive() and (end is None or time.monotonic() < end):
                try:
                    self._thread.join(0.2)
                    show(self.progress)
                except KeyboardInterrupt:
                    if interrupted:
                        raise
                    interrupted = True
                    self._stop.set()
                    print("the study ends after the chunks in hand; interrupt again to end at once", file=sys.stderr)
        finally:
            show(None)
        if interrupted and not self._thread.is_alive():
            raise KeyboardInterrupt
        if self._failure is not None:
            raise self._failure
        if self._sums == (self.runs, self.runs) and not self._thread.is_alive():
            warnings.warn(f"{self._place}: all {self.runs} runs have failed; the first: {self._first_reason()}",
                          RuntimeWarning, stacklevel=2)  # fmt: skip
        return self

    def _first_reason(self) -> str:
        """The reason of the first failed run."""
        import pyarrow.parquet

        path = self._place.path(files.part_name(0))
        table = pyarrow.parquet.read_table(path, columns=["reason"], filesystem=self._place.filesystem)
        return str(table.column("reason")[0].as_py())

    def stop(self) -> None:
        """Ends the study after the chunks in hand. The same call of study continues later."""
        self._stop.set()
        self._thread.join()

    def table(self) -> pyarrow.dataset.Dataset:
        """The finished runs: a pyarrow Dataset with run, design, results, status, reason and warnings (quantities that
        left their limits). ``.to_table()`` reads it. Raises Error with the names of finished parts that are damaged or
        missing. Needs pyarrow."""
        return dataset(self._place, self.identity)

    def traces(self) -> pyarrow.dataset.Dataset:
        """The traces recorded so far: a pyarrow Dataset with run, time and variables. Traces of a manoeuvre also have
        manoeuvre_run, the number of the run within the manoeuvre. Needs pyarrow."""
        return dataset(self._place, self.identity, "traces")

    def trace(self, run: int, number: int = 1) -> Trace:
        """The trace of a recorded run; for a manoeuvre, the trace of its run with the given number."""
        chunk = run // self._chunks.manifest["chunk"]
        receipt = files.receipt_of(self._place, chunk, self.identity)
        if receipt is None or not receipt.get("traces"):
            raise Error(Status.ARGUMENT, f"run {run} was not recorded; traces() says which were")
        name = files.traces_name(chunk)
        _must_be_whole(self._place, {name: receipt["traces"]})
        return traces.read(self._place, name, run, number)

    def failures(self) -> pyarrow.Table:
        """The runs that failed or killed their process: run, design, status and reason."""
        import pyarrow.compute

        names = ["run", *self._chunks.design.names, "status", "reason"]
        return self.table().to_table(columns=names, filter=pyarrow.compute.field("status") != worker.OK)

    def _drive(self) -> None:
        try:
            with self._place.reached():
                self._go_on()
        except BaseException as failure:  # in this thread; wait raises it
            self._failure = self._failure or failure

    def _go_on(self) -> None:
        """Runs the remaining chunks."""
        for chunk, receipt in files.receipts(self._place, self.identity):
            if files.is_whole(self._place, chunk, receipt):
                self._note(chunk, receipt)
        self._before = self._sums[0]
        if not all(self._over):
            with_workers = adapter(self._given)
            try:
                self._distribute(with_workers, (chunk for chunk, over in enumerate(self._over) if not over))
            finally:
                with_workers.close()
        files.fold(self._place, self._receipts, self.identity)

    def _note(self, chunk: int, receipt: Mapping[str, Any]) -> None:
        """Counts a finished chunk. Receipts are kept only until they are folded, so that memory does not grow."""
        if not self._over[chunk]:
            rows, failures = self._sums
            self._sums = rows + receipt["rows"], failures + receipt["failures"]
        self._over[chunk] = 1
        self._receipts[chunk] = receipt
        if len(self._receipts) % files.RECEIPTS_TOGETHER == 0:
            files.fold(self._place, self._receipts, self.identity)

    def _distribute(self, workers: Executor, todo: Iterator[int]) -> None:
        """Submits chunks, some more than workers, and collects receipts."""
        version = self._chunks.manifest["version"]
        pending: dict[Any, int] = {}
        tries: dict[int, int] = {}
        again: list[int] = []

        def submit() -> bool:
            chunk = again.pop() if again else next(todo, None)
            if chunk is None:
                return False
            arguments = (str(self._place), self.identity, version, chunk, self._threads)
            try:
                pending[workers.submit(worker.work, *arguments)] = chunk
            except Exception as failure:  # the executor has lost its workers
                self._give_up(chunk, failure)
                return False
            return True

        while True:
            while len(pending) < workers.workers + 2 and not self._stop.is_set() and submit():
                pass
            if not pending:
                return
            if self._stop.is_set():
                workers.cancel(list(pending))
            for handle, result in workers.completed(list(pending), 0.5):
                chunk = pending.pop(handle)
                try:
                    self._note(chunk, result())
                except Exception as failure:  # in a worker, or in the connection to it
                    if self._stop.is_set():
                        continue
                    tries[chunk] = tries.get(chunk, 0) + 1
                    if isinstance(failure, Error) or tries[chunk] > self._retries:
                        self._give_up(chunk, failure)
                    again.append(chunk)

    def _give_up(self, chunk: int, failure: Exception) -> None:
        """Ends the study because a chunk cannot be done."""
        first, _ = self._chunks.chunk(chunk)
        self._stop.set()
        self._failure = self._failure or Error(
            Status.REFUSED,
            f"chunk {chunk}, of runs from {first} on, cannot be done: {type(failure).__name__}: {failure}; "
            "what is done is kept, and the same call goes on",
        )


def study(
    model: str | os.PathLike[str] | Vehicle,
    design: Design,
    out: str | os.PathLike[str],
    manoeuvre: str | os.PathLike[str] | None = None,
    run: Callable[..., Mapping[str, Any]] | None = None,
    let: Mapping[str, float | str] | None = None,
    executor: Any = None,
    chunk: int | str = "auto",
    steps: int = 10_000,
    retries: int = 3,
    threads: int = 0,
    record_traces: float = 0.0,
    record: Sequence[str] = (),
) -> Study:
    """Begins a study, or continues the study in out: all runs of a design, in chunks.

    The place out is a folder, or an address in an object store, s3://bucket/folder or gs://bucket/folder. All workers
    must reach out with their own credentials.

    The model is a model file, the name of a shipped model, or an uninitialised Vehicle with its settings. Runs are made
    by a manoeuvre or by a function. A manoeuvre is a file or the name of a shipped manoeuvre; its characteristic values
    are the results. Set constants of the manoeuvre by let, as numbers in SI units or as "100 km/h". A function
    run(fleet, design) takes an uninitialised Fleet with the values of some runs set, and the values by name ("run" has
    their numbers). It returns columns by name, with a number for each vehicle. The function must accept any number of
    runs. After an exception it is called with fewer runs, until the failing run is alone.

    With executor None, this machine does one chunk after the other. Other values are an executor of concurrent.futures,
    a function that returns such an executor, a Client of dask.distributed, "ray", or an address of Ray. All executors
    must reach out. A task has chunk runs; "auto" is the largest multiple of 64 with at most 2e7 solver steps together,
    where steps is the number of solver steps of a run. After the loss of its worker, a chunk is repeated up to retries
    times. A chunk uses the given number of threads; 0 means one thread per processor.

    Traces are kept for a share record_traces of the runs, from 0 to 1. The number of a run alone decides whether it is
    recorded. Each recorded run is repeated for its trace. A trace has the variables that match record, names or
    patterns such as "body.*". Without record, it has the variables recorded by the manoeuvre, or all outputs.
    Study.trace and Study.traces read the traces. Runs of a manoeuvre have a row every 10 ms, in single precision; runs
    of a function have a row at each of their communication points.

    A failed run is a row with the status "failed" and the reason; a run that ends its process has the status "killed".
    The Parquet files in out are the same, byte for byte, with any executor. Raises Error with the differences if out
    holds another study. Needs pyarrow.
    """
    if (manoeuvre is None) == (run is None):
        raise ValueError("a study needs a manoeuvre, or a function run, and not both")
    if run is not None and not callable(run):
        raise TypeError(f"run is {run!r}; it must be a function run(fleet, design), or another callable")
    if run is not None and let:
        raise ValueError("let sets constants of a manoeuvre, but a function makes the runs; omit let")
    for name, value in (("steps", steps), ("retries", retries), ("threads", threads)):
        _check_count(name, value)
    if not 0 <= record_traces <= 1:
        raise ValueError(f"record_traces is {record_traces}; it must be a share of the runs, from 0 to 1")
    record = listed(record)
    if record and not record_traces:
        raise ValueError("record names variables of traces, but record_traces is 0: there are no traces; set both")
    place = files.store(out)
    about: dict[str, Any] = {}  # the manoeuvre
    with Vehicle(model) if not isinstance(model, Vehicle) else model.__copy__() as car:
        known = car.names(Causality.PARAMETER)[:1]
        try:
            car.set(known, car.get(known))
        except Error:
            raise Error(Status.REFUSED, "the vehicle is initialised; a study takes one that is not") from None
        if run is not None:
            traces.variables(car, record)
        content: dict[str, bytes] = {files.MODEL: car.model_files(), files.STATE: car.save()}
        _check_names(car, design, manoeuvre is not None)
        named, registered = named_libraries(car), registered_functions(car)
        if manoeuvre is not None:
            refuse_registered(car)
            about = _manoeuvre(manoeuvre, let, content)
            path = manoeuvre if about.get("files") else manoeuvres.path(about["name"])
            _check_manoeuvre(car, design, path, about["let"])
        manifest: dict[str, Any] = {
            "format": 1,
            "version": library().skidpad_version().decode(),
            "model": pathlib.Path(car._path).name,
            "tree": car._tree,
            "design": design.describe(),
            "chunk": _chunk_size(chunk, steps, design.runs),
        }
    if car._reactions:
        manifest["reactions"] = car._reactions
    if named:
        manifest["tires"] = named
    if registered:
        manifest["registered"] = registered
    if record_traces:
        manifest["traces"] = {"share": float(record_traces), "record": record}
    if manoeuvre is not None:
        manifest["manoeuvre"] = about
    if run is not None:
        manifest["run"], content[files.FUNCTION] = _function(run)
    if design.stored is not None:
        stored = io.BytesIO()
        np.save(stored, design.stored, allow_pickle=False)
        content[files.DESIGN] = stored.getvalue()
    manifest["files"] = {
        name: files.input_digest(name, data) for name, data in content.items() if name != files.FUNCTION
    }
    manifest = files.sealed(manifest, "checksum")
    with place.reached():
        place.check()
        there = _agrees(place, manifest)
        for name, data in content.items():
            if not (there and _has_input(place, manifest, name)):
                place.write(name, data)
        if not there:
            place.write(files.MANIFEST, files.dumped(manifest))
        return Study(place, executor, retries, threads)


def _check_names(car: Vehicle, design: Design, of_manoeuvre: bool) -> None:
    """Raises Error if a design names variables that cannot be set. The runs check its values."""
    for name in design.names:
        if of_manoeuvre and ("@" in name or " [" in name):
            continue  # the command knows roles and units
        try:
            for one in matching(car, name):
                try:
                    value: ArrayLike = car.get([one])
                except Error:
                    value = 0.0  # the name is unknown, or computed by the model: set reports the reason
                car.set([one], value)
        except Error as error:
            raise Error(error.status, f"design: {error}") from None


def _check_manoeuvre(
    car: Vehicle, design: Design, manoeuvre: str | os.PathLike[str], let: Mapping[str, float | str]
) -> None:
    """Raises Error if the command rejects the manoeuvre before its first run."""
    with as_set(car) as known, tempfile.TemporaryDirectory(prefix="skidpad-") as scratch:
        table = pathlib.Path(scratch, "design.csv")
        worker.write_rows(table, design.names, design.rows(0, 1))
        try:
            run_command(
                "manoeuvre", *known, "--manoeuvre", manoeuvre, *pairs("--let", let), "--design", table, "--check"
            )
        except Error as error:  # the message must name the file
            raise Error(error.status, re.sub(re.escape(str(table)) + r"(:\d+)*", "design", str(error))) from None


def _has_input(place: files.Store, manifest: Mapping[str, Any], name: str) -> bool:
    """Reports whether a file that workers read exists and is intact."""
    try:
        return files.is_input(manifest, name, place.read(name))
    except FileNotFoundError:
        return False


def resume_study(out: str | os.PathLike[str], executor: Any = None, threads: int = 0) -> Study:
    """Continues the study in a folder or object store. The function of its runs and the tire libraries are taken from
    there, and their code runs: resume only studies that you trust."""
    _check_count("threads", threads)
    place = files.store(out)
    with place.reached():
        _must_hold_one(place)
        return Study(place, executor, 3, threads)


def study_progress(out: str | os.PathLike[str]) -> Progress:
    """The progress of the study in a folder or object store, driven by any process."""
    place = files.store(out)
    with place.reached():
        _must_hold_one(place)
        data = place.read(files.MANIFEST)
        design = files.read_manifest(place, data)["design"]
        receipts = dict(files.receipts(place, files.digest(data)))
        stamps = place.stamps()
        done = [receipt for chunk, receipt in receipts.items() if files.is_there(stamps, chunk, receipt)]
        rows, failed = (sum(receipt[key] for receipt in done) for key in ("rows", "failures"))
        return Progress(designs.runs(design), rows, failed, 0.0, float("inf"))


def _must_hold_one(place: files.Store) -> None:
    place.check()
    if not place.exists(files.MANIFEST):
        raise Error(Status.ARGUMENT, f"{place} holds no study: there is no {files.MANIFEST}")


def _must_be_whole(place: files.Store, parts: Mapping[str, Mapping[str, Any]]) -> None:
    """Raises Error with the names of parts or traces that do not match their receipts."""
    stamps = place.stamps()
    wrong = [name for name, about in sorted(parts.items()) if not place.holds(name, about, stamps.get(name))]
    if wrong:
        some = ", ".join(wrong[:5]) + (f" and {len(wrong) - 5} more" if len(wrong) > 5 else "")
        raise Error(
            Status.REFUSED,
            f"{place}: damaged or missing, though their receipts say that they are done: {some}; the same call of "
            "skidpad.study makes them again, as does skidpad.resume_study",
        )


def dataset(place: files.Store, identity: str, of: str = "parts") -> pyarrow.dataset.Dataset:
    """The parts of a study that have receipts, or their traces."""
    import pyarrow
    import pyarrow.dataset
    import pyarrow.parquet

    parts: dict[str, Mapping[str, Any]] = {}
    first: dict[str, str] = {}  # of the parts with the same columns: their schema is read once
    for chunk, receipt in files.receipts(place, identity):
        name = files.traces_name(chunk) if of == "traces" else files.part_name(chunk)
        about: Mapping[str, Any] | None = receipt.get("traces") if of == "traces" else receipt
        if about:
            parts[name] = about
            columns = about.get("columns", name)
            first[columns] = min(name, first.get(columns, name))
    _must_be_whole(place, parts)
    filesystem = place.filesystem
    schemas = [pyarrow.parquet.read_schema(place.path(name), filesystem=filesystem) for name in sorted(first.values())]
    schema = pyarrow.unify_schemas(schemas) if schemas else pyarrow.schema([])
    paths = [place.path(name) for name in sorted(parts)]
    return pyarrow.dataset.dataset(paths, schema=schema, format="parquet", filesystem=filesystem)


def _chunk_size(chunk: int | str, steps: int, runs: int) -> int:
    if chunk != "auto":
        if not isinstance(chunk, int) or not 1 <= chunk <= MOST_CHUNK:
            raise ValueError(f'chunk is {chunk!r}; allowed are "auto" and 1 to {MOST_CHUNK}')
        return chunk
    most = MOST_STEPS
    while True:
        size = min(max(TEAM, most // max(1, steps) // TEAM * TEAM), MOST_CHUNK)
        if runs <= size * MOST_CHUNKS or size == MOST_CHUNK:
            return size
        most *= 2


def _check_count(name: str, value: int) -> None:
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{name} is {value!r}; it must be a whole number, from 0 on")


def _manoeuvre(
    manoeuvre: str | os.PathLike[str], let: Mapping[str, float | str] | None, content: dict[str, bytes]
) -> dict[str, Any]:
    """The entry of the manoeuvre in the manifest. The study contains the files of a manoeuvre that is not shipped."""
    constants = {name: value if isinstance(value, str) else float(value) for name, value in (let or {}).items()}
    for name, value in constants.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f'let["{name}"] is {value}; it must be a finite number')
    path = pathlib.Path(manoeuvre)
    if path.is_file():
        used = _used(os.fspath(manoeuvre))
        above = os.path.commonpath([os.path.dirname(file) for file in used])
        names = {file: pathlib.Path(os.path.relpath(file, above)).as_posix() for file in used}
        content.update({f"manoeuvre/{name}": pathlib.Path(file).read_bytes() for file, name in names.items()})
        return {"name": names[os.path.abspath(manoeuvre)], "let": constants, "files": True}
    try:
        if os.fspath(manoeuvre) != path.name:
            raise KeyError("name a file, or a shipped manoeuvre without a folder")
        shipped = manoeuvres.path(path.name)
    except KeyError as error:
        raise Error(Status.ARGUMENT, f"manoeuvre: there is no file {manoeuvre}: {error.args[0]}") from None
    return {"name": path.name, "let": constants, "sha256": files.digest(shipped.read_bytes())}


def _used(manoeuvre: str) -> list[str]:
    """The files that a manoeuvre uses: files named by its strings, in its folder or elsewhere, files named by these
    files in turn, and the files of the folder of cars."""
    used: list[str] = []
    todo = [os.path.abspath(manoeuvre)]
    while todo:
        file = todo.pop()
        if file in used:
            continue
        used.append(file)
        if not file.endswith(".toml"):
            continue
        text = pathlib.Path(file).read_text(encoding="utf-8", errors="replace")
        named = [one or other for one, other in re.findall(r"\"([^\"\n]+)\"|'([^'\n]+)'", text)]
        beside = [os.path.join(os.path.dirname(file), name) for name in named if not os.path.isabs(name)]
        todo += [os.path.normpath(place) for place in beside if os.path.isfile(place)]
        for name in re.findall(r"(?m)^\s*cars\s*=\s*[\"']([^\"'\n]+)", text):
            used += [str(car) for car in sorted(pathlib.Path(file).parent.joinpath(name).resolve().glob("*.toml"))]
    return sorted(used)


def _function(run: Callable[..., Any]) -> tuple[dict[str, str], bytes]:
    """The entry of a function in the manifest, and the function for the workers."""
    try:
        import cloudpickle as pickle
    except ImportError:
        import pickle
    data: bytes = pickle.dumps(run)
    try:
        source = inspect.getsource(run).encode()
    except (OSError, TypeError):
        source = data
    name = getattr(run, "__qualname__", type(run).__name__)
    return {"name": name, "source": files.digest(source)}, files.with_checksum(data)


def _agrees(place: files.Store, manifest: Mapping[str, Any]) -> bool:
    """Whether the study exists already. Raises Error if the place holds another study."""
    if not place.exists(files.MANIFEST):
        return False
    try:
        there = files.read_manifest(place, place.read(files.MANIFEST))
    except Error:
        this = files.digest(files.dumped(manifest))
        if any(receipt["study"] != this for _, receipt in files.receipts(place)):
            raise  # it may be another study
        return False
    differing = list(_differences("", there, json.loads(files.dumped(manifest))))
    if differing:
        said = "; ".join(differing[:5]) + (f"; and {len(differing) - 5} more" if len(differing) > 5 else "")
        raise Error(Status.REFUSED, f"{place} holds another study, which differs in {said}; take another place")
    return True


def _differences(path: str, there: object, here: object) -> Iterator[str]:
    """The differences of two manifests, with the keys of the values."""
    if isinstance(there, dict) and isinstance(here, dict):
        for key in sorted({*there, *here} - {"checksum"}):
            yield from _differences(f"{path}.{key}" if path else key, there.get(key), here.get(key))
    elif path.startswith("files.") and there != here:
        name = path.removeprefix("files.")
        yield f"the content of {name}" if there and here else f"{name}, which is missing {'here' if there else 'there'}"
    elif there != here:
        yield f"{path}: there {_short(there)}, here {_short(here)}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) < 120 else text[:117] + "..."


def _shown(runs: int) -> Callable[[Progress | None], None]:
    """Shows progress; None ends it."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Lines()
    bar = tqdm(total=runs, unit="run")

    def show(progress: Progress | None) -> None:
        if progress is None:
            bar.close()
        else:
            bar.update(progress.done - bar.n)
            bar.set_postfix(failed=progress.failed)

    return show


class _Lines:
    """A line every 10 s."""

    def __init__(self) -> None:
        self._next = time.monotonic() + SAID_EVERY

    def __call__(self, progress: Progress | None) -> None:
        if progress is not None and time.monotonic() >= self._next:
            print(progress, file=sys.stderr)
            self._next += SAID_EVERY
