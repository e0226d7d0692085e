"""The work of a study: a worker makes a chunk of runs in a separate process, and writes a part and its receipt."""

from __future__ import annotations

import csv
import io
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _files
from . import _study_files as files
from . import _study_traces as traces
from . import design as designs
from ._library import Error, Status, library
from ._command import pairs
from ._shipped import PACKAGE, command, manoeuvres

if TYPE_CHECKING:
    import pyarrow

OK, FAILED, KILLED = "ok", "failed", "killed"
COLUMNS = ("run", "status", "reason", "warnings")  # of the table, besides design and results
DONE = "done"  # a file beside the traces of a child that has finished
_NO_SUCH_RECORD = "--record: "  # message of the command, in the reason of each vehicle
REFUSED_EXIT = 3  # exit status of a child that has printed why it cannot begin


_TEMPORARY = "|".join(map(re.escape, (tempfile.gettempdir(), os.path.realpath(tempfile.gettempdir()))))
_SCRATCH = re.compile(rf"(?:{_TEMPORARY})[/\\]skidpad-\w+[/\\]")
_LINE = re.compile(r"\bdesign\.csv:(\d+):")


class Killed(Exception):
    """The process of some runs ended without a result."""


def work(address: str, identity: str, version: str, chunk: int, threads: int) -> dict[str, Any]:
    """Does a chunk, unless its part exists and is intact, and returns its receipt."""
    here = library().skidpad_version().decode()
    if here != version:
        raise Error(Status.REFUSED, f"the worker on {socket.gethostname()} has Skidpad {here}, the study {version}: "
                    "install the same version there")  # fmt: skip
    place = files.store(address)
    done = files.receipt(place, chunk, identity)
    if done is not None:
        return done
    begin = time.monotonic()
    study = Chunks(place.inputs())
    if study.identity != identity:
        raise Error(Status.REFUSED, f"{place} holds another study than at the start: it was replaced meanwhile")
    study.check()
    first, count = study.chunk(chunk)
    table = study.evaluate(first, count, threads)
    data = _parquet(table, identity)
    place.write(files.part_name(chunk), data)
    made: dict[str, Any] = {
        "chunk": chunk,
        "first": first,
        "rows": count,
        "failures": count - table.column("status").to_pylist().count(OK),
        "sha256": files.digest(data),
        "bytes": len(data),
        "columns": files.columns(table.schema),
        "worker": f"{socket.gethostname()}:{os.getpid()}",
        "study": identity,
    }
    if "traces" in study.manifest:
        made["traces"] = _write_traces(study, place, chunk, threads)
    made["seconds"] = round(time.monotonic() - begin, 3)
    receipt = files.sealed(made)
    place.write(files.receipt_name(chunk), files.dumped(receipt))
    return receipt


def _write_traces(study: Chunks, place: files.Store, chunk: int, threads: int) -> dict[str, Any] | None:
    """Writes the traces of a chunk, and returns their entry for the receipt; None if no run has a trace."""
    with tempfile.TemporaryDirectory(prefix="skidpad-") as scratch:
        gathered = pathlib.Path(scratch, "traces.parquet")
        recorded = study.recorded(*study.chunk(chunk), threads)
        made = traces.gather(gathered, study.identity, recorded, "manoeuvre" in study.manifest)
        if made is None:
            return None
        with open(gathered, "rb") as file:
            place.write(files.traces_name(chunk), files.pieces(file))
            file.seek(0)
            return {**files.fingerprint(files.pieces(file)), **made}


class Chunks:
    """The chunks of a study. All files except parts, traces and receipts are in a folder."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        manifest = (folder / files.MANIFEST).read_bytes()
        self.manifest, self.identity = files.read_manifest(folder, manifest), files.digest(manifest)
        self.design = read_design(folder, self.manifest)

    def check(self) -> None:
        """Raises Error if a file of the folder has changed since the beginning of the study."""
        files.check_inputs(self.folder, self.manifest, lambda name: (self.folder / name).read_bytes())

    def chunk(self, number: int) -> tuple[int, int]:
        """The first run and the number of runs of a chunk."""
        size = self.manifest["chunk"]
        first = number * size
        return first, min(size, self.design.runs - first)

    def evaluate(self, first: int, count: int, threads: int) -> pyarrow.Table:
        """Makes runs first, first + 1, ... in a process. If the process ends without a result, the runs are halved,
        until the run that killed it is alone."""
        import pyarrow
        import pyarrow.parquet

        try:
            if "manoeuvre" in self.manifest:
                return self._rows_of(first, self._drive(first, count, threads))
            with tempfile.TemporaryDirectory(prefix="skidpad-") as scratch:
                out = pathlib.Path(scratch, "rows.parquet")
                self._call("rows", first, count, threads, out)
                return pyarrow.parquet.read_table(out)
        except Killed as killed:
            if count == 1:
                return self.table(first, [Row(KILLED, str(killed))])
            half = count // 2
            parts = [self.evaluate(first, half, threads), self.evaluate(first + half, count - half, threads)]
            joined = pyarrow.concat_tables(parts, promote_options="default")
            last = list(COLUMNS[1:])
            return joined.select([name for name in joined.column_names if name not in last] + last)

    def recorded(self, first: int, count: int, threads: int) -> Iterator[tuple[int, list[pathlib.Path]]]:
        """Repeats the recorded runs and yields the Parquet files of each run. A run that ends its process has no
        files."""
        runs = self._chosen(first, count)
        if not len(runs):
            return
        with tempfile.TemporaryDirectory(prefix="skidpad-") as scratch:
            out = pathlib.Path(scratch, "runs")
            try:
                if "manoeuvre" in self.manifest:
                    self._drive(first, count, threads, out)
                else:
                    self._call("traces", first, count, threads, out)
            except Killed:
                if len(runs) > 1:
                    middle = int(runs[len(runs) // 2])
                    yield from self.recorded(first, middle - first, threads)
                    yield from self.recorded(middle, first + count - middle, threads)
                return
            for row, run in enumerate(runs):
                found = (out / str(row)).glob("run_*.parquet")
                yield int(run), sorted(found, key=lambda path: int(path.stem.removeprefix("run_")))

    def _chosen(self, first: int, count: int) -> NDArray[np.int64]:
        """The runs that are recorded."""
        return traces.chosen(self.manifest["traces"]["share"], first, count)

    def _drive(self, first: int, count: int, threads: int, out: pathlib.Path | None = None) -> list[dict[str, Any]]:
        """The output of the command about a manoeuvre of each vehicle. With a folder, only of recorded vehicles, whose
        runs the command writes to the folder."""
        manoeuvre = self.manifest["manoeuvre"]
        rows, recording = self.design.rows(first, count), []
        runs: NDArray[np.int64] = np.arange(first, first + count)
        if out is not None:
            runs = self._chosen(first, count)
            rows = rows[runs - first]
            patterns = self.manifest["traces"]["record"]
            recording = ["--out", str(out), *(["--record", ",".join(patterns)] if patterns else [])]
        with tempfile.TemporaryDirectory(prefix="skidpad-") as scratch:
            table = pathlib.Path(scratch, "design.csv")
            write_rows(table, self.design.names, rows)
            arguments = [str(command()), "manoeuvre", str(model_file(self.folder))]
            arguments += ["--manoeuvre", str(self._manoeuvre_file()), *pairs("--let", manoeuvre["let"])]
            arguments += ["--state", str(self.folder / files.STATE), "--design", str(table), "--json", *recording]
            arguments += pairs("--set", self.manifest.get("tires"))
            if self.manifest["tree"]:
                arguments += ["--tree", self.manifest["tree"]]
            environment = {**os.environ, **({"GOMAXPROCS": str(threads)} if threads else {})}
            done = subprocess.run(
                arguments, capture_output=True, encoding="utf-8", env=environment, start_new_session=True
            )
        if done.returncode != 0 and done.stdout.count("\n") != len(rows):  # the command fails if all vehicles fail
            _ended(done.returncode, self.plain(done.stderr, runs), done.stderr.startswith("skidpad manoeuvre: "))
        lines: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
        for line in lines:
            if line["failure"].startswith(_NO_SUCH_RECORD):
                raise Error(Status.ARGUMENT, f"record={line['failure'].removeprefix(_NO_SUCH_RECORD)}")
            line["failure"] = self.plain(line["failure"], runs)
            line["verdicts"] = [self.plain(verdict, runs) for verdict in line["verdicts"]]
        return lines

    def _manoeuvre_file(self) -> pathlib.Path:
        """The file of the manoeuvre: in its study or, for a shipped manoeuvre, in this package. Files and folders of
        the same name in the current folder do not matter."""
        manoeuvre = self.manifest["manoeuvre"]
        if "files" in manoeuvre:
            return self.folder / "manoeuvre" / str(manoeuvre["name"])
        path = manoeuvres.path(manoeuvre["name"])
        if files.digest(path.read_bytes()) != manoeuvre["sha256"]:
            raise Error(Status.REFUSED, f"the shipped manoeuvre {path} on {socket.gethostname()} is not that of the "
                        "study: install the same package there")  # fmt: skip
        return path

    def plain(self, said: str, runs: Sequence[int] | NDArray[np.int64] = ()) -> str:
        """The message of a run, without folders of this machine, so that parts have the same bytes everywhere. With the
        numbers of runs, the line of a table becomes the number of its run."""
        for folder in (self.folder, PACKAGE):
            said = said.replace(f"{folder}{os.sep}", "")
        said = _SCRATCH.sub("", said)
        return _LINE.sub(lambda at: f"design, run {runs[int(at[1]) - 2]}:", said) if len(runs) else said

    def _rows_of(self, first: int, lines: Sequence[Mapping[str, Any]]) -> pyarrow.Table:
        """The characteristic values of a manoeuvre, from the command."""
        several = max((figure["run"] for line in lines for figure in line["figures"]), default=0) > 1
        return self.table(first, [_row_of(line, several) for line in lines])

    def _call(self, verb: str, first: int, count: int, threads: int, out: pathlib.Path) -> None:
        """Lets a Python child process make runs by a function: their "rows" in a file, or "traces" of some runs in a
        folder."""
        program = "import sys; from skidpad._study_child import main; sys.exit(main(sys.argv[1:]))"
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        done = subprocess.run(
            [sys.executable, "-c", program, verb, *map(str, (self.folder, first, count, threads, out))],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8", errors="replace",
            env=environment, start_new_session=True,
        )  # fmt: skip
        if done.returncode != 0:
            _ended(done.returncode, self.plain(done.stderr), done.returncode == REFUSED_EXIT)
        if not (out if verb == "rows" else out / DONE).exists():
            raise Killed("the process ended with status 0, before the function has returned")

    def table(self, first: int, rows: Sequence[Row]) -> pyarrow.Table:
        """Rows of runs first, first + 1, ...: run, design, results, status, reason, warnings."""
        import pyarrow

        values = self.design.rows(first, len(rows))
        columns = {"run": pyarrow.array(np.arange(first, first + len(rows)))}
        fields = [pyarrow.field("run", pyarrow.int64())]
        for k, name in enumerate(self.design.names):
            columns[name] = pyarrow.array(values[:, k])
            fields.append(pyarrow.field(name, pyarrow.float64()))
        about: dict[str, dict[str, str]] = {}
        for row in rows:
            for name in row.values:
                about.setdefault(name, row.about.get(name, {}))
        for name, metadata in about.items():
            if name in columns:
                raise Error(Status.REFUSED, f'a result of the study is called "{name}", as what it varies; rename it')
            columns[name] = pyarrow.array([row.values.get(name) for row in rows], pyarrow.float64())
            fields.append(pyarrow.field(name, pyarrow.float64(), metadata=metadata or None))
        for name in COLUMNS[1:]:
            columns[name] = pyarrow.array([getattr(row, name) for row in rows], pyarrow.string())
            fields.append(pyarrow.field(name, pyarrow.string()))
        return pyarrow.table(list(columns.values()), schema=pyarrow.schema(fields))


class Row:
    """The outcome of a run."""

    def __init__(
        self,
        status: str,
        reason: str = "",
        values: Mapping[str, float | None] | None = None,
        about: Mapping[str, dict[str, str]] | None = None,
        warnings: str = "",
    ) -> None:
        self.status, self.reason, self.warnings = status, reason, warnings
        self.values, self.about = values or {}, about or {}


def read_design(folder: pathlib.Path, manifest: Mapping[str, Any]) -> designs.Design:
    """The design of a study."""
    if files.DESIGN not in manifest["files"]:
        return designs.read(manifest["design"])
    content: list[bytes] = []

    def read(name: str) -> bytes:
        content.append((folder / name).read_bytes())
        return content[0]

    files.check_inputs(folder, {"files": {files.DESIGN: manifest["files"][files.DESIGN]}}, read)
    return designs.read(manifest["design"], np.load(io.BytesIO(content[0]), allow_pickle=False))


def write_rows(path: pathlib.Path, names: Sequence[str], rows: NDArray[np.float64]) -> None:
    """Writes values of a design in the format of the command."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows([repr(float(x)) for x in row] for row in rows)


def model_file(folder: pathlib.Path) -> pathlib.Path:
    """The model file of a study, unpacked once in a process."""
    return _files.unpacked((folder / files.MODEL).read_bytes())


def _row_of(line: Mapping[str, Any], several: bool) -> Row:
    """The results of the command for a vehicle. In a manoeuvre with several runs, the names of values end with a point
    and the number of the run."""
    values, about = {}, {}
    for figure in line["figures"]:
        name = f"{figure['figure']}.{figure['run']}" if several and figure["run"] else figure["figure"]
        values[name] = figure["value"]
        about[name] = {"unit": figure["unit"], "definition": figure["definition"]}
    reasons = [line["failure"], *(verdict for verdict in line["verdicts"] if not line["failure"])]
    return Row(FAILED if line["failure"] else OK, "; ".join(filter(None, reasons)), values, about,
               "; ".join(line["warnings"]))  # fmt: skip


def _ended(status: int, said: str, told: bool) -> None:
    """Raises the exception for the end of a process: Error if the process has printed a reason, Killed if a run has
    killed it."""
    if told:
        raise Error(Status.REFUSED, said.strip().removeprefix("skidpad manoeuvre: "))
    if status < 0:
        raise Killed(f"the process was ended by {signal.Signals(-status).name}")
    raise Killed(
        f"the process ended with status {status}" + (f": {said.strip().splitlines()[-1]}" if said.strip() else "")
    )


def _parquet(table: pyarrow.Table, identity: str) -> bytes:
    """A part: the same bytes for the same table, with one version of pyarrow."""
    import pyarrow
    import pyarrow.parquet

    sink = pyarrow.BufferOutputStream()
    table = table.replace_schema_metadata({"study": identity})
    pyarrow.parquet.write_table(table, sink, version="2.6", compression="zstd", row_group_size=1 << 16)
    return bytes(sink.getvalue().to_pybytes())
