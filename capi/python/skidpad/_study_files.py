"""The files of a study: what stands in its folder, and how it gets there.

    manifest.json         what the study is: nothing in it depends on when or where it runs
    files.zip, state      the model's files, and what was set in the vehicle
    manoeuvre/            the manoeuvre's folder, if it is not a shipped one
    run.pickle            the function of the runs, if there is one
    design/               values of a design that is stored
    part-000123.parquet   the results of a chunk, the same bytes on any worker
    traces-000123.parquet what was recorded of some of its runs, the same bytes, too
    receipt-000123.json   that part and traces are whole: their checksums, rows, failures, time, worker
    receipts-0000.parquet receipts of a thousand chunks

Everything is written under another name, flushed, and renamed: a file that stands there is whole. A part without its
receipt does not exist.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pathlib
import uuid
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

RECEIPTS_TOGETHER = 1000


def write(path: pathlib.Path, data: bytes | Iterable[bytes]) -> None:
    """Writes a file, of one piece or several, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        with open(partial, "xb") as file:
            for piece in [data] if isinstance(data, bytes) else data:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    finally:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)


def dumped(value: object) -> bytes:
    """JSON with the same bytes for equal values."""
    return (json.dumps(value, indent=1, sort_keys=True) + "\n").encode()


def digest(data: bytes) -> str:
    """The SHA-256 of data."""
    return hashlib.sha256(data).hexdigest()


def pieces(path: pathlib.Path) -> Iterator[bytes]:
    """The content of a file, of any size."""
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            yield piece


def fingerprint(path: pathlib.Path) -> dict[str, Any]:
    """Size and SHA-256 of a file, as receipts say them."""
    size, whole = 0, hashlib.sha256()
    for piece in pieces(path):
        size += len(piece)
        whole.update(piece)
    return {"bytes": size, "sha256": whole.hexdigest()}


def part_path(folder: pathlib.Path, chunk: int) -> pathlib.Path:
    """Where the results of a chunk stand."""
    return folder / f"part-{chunk:06d}.parquet"


def traces_path(folder: pathlib.Path, chunk: int) -> pathlib.Path:
    """Where the traces of a chunk stand, if some of its runs are recorded."""
    return folder / f"traces-{chunk:06d}.parquet"


def receipt_path(folder: pathlib.Path, chunk: int) -> pathlib.Path:
    """Where the receipt of a chunk stands."""
    return folder / f"receipt-{chunk:06d}.json"


def receipt(folder: pathlib.Path, chunk: int) -> dict[str, Any] | None:
    """The receipt of a chunk whose part is whole; None if it is still to be done."""
    try:
        found: dict[str, Any] = json.loads(receipt_path(folder, chunk).read_bytes())
    except (OSError, ValueError):
        return None
    return found if is_whole(folder, chunk, found) else None


def is_whole(folder: pathlib.Path, chunk: int, found: Mapping[str, Any]) -> bool:
    """Whether part and traces of a chunk are those of its receipt."""
    try:
        wanted = [(part_path(folder, chunk), found)]
        if found.get("traces") is not None:
            wanted.append((traces_path(folder, chunk), found["traces"]))
        return all(fingerprint(path) == {key: of[key] for key in ("bytes", "sha256")} for path, of in wanted)
    except (OSError, KeyError, TypeError, AttributeError):
        return False


def fold(folder: pathlib.Path, done: dict[int, Mapping[str, Any]]) -> None:
    """Puts receipts of a thousand chunks that are all done into one file each, and takes them out of done."""
    import pyarrow
    import pyarrow.parquet

    for group in {chunk // RECEIPTS_TOGETHER for chunk in done}:
        chunks = range(group * RECEIPTS_TOGETHER, (group + 1) * RECEIPTS_TOGETHER)
        path = folder / f"receipts-{group:04d}.parquet"
        if not path.exists():
            if not all(chunk in done for chunk in chunks):
                continue
            sink = pyarrow.BufferOutputStream()
            pyarrow.parquet.write_table(pyarrow.Table.from_pylist([dict(done[chunk]) for chunk in chunks]), sink)
            write(path, sink.getvalue().to_pybytes())
            for chunk in chunks:
                receipt_path(folder, chunk).unlink(missing_ok=True)
        for chunk in chunks:
            done.pop(chunk, None)


def receipts(folder: pathlib.Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """All receipts, by the number of their chunk; their parts are not looked at."""
    import pyarrow.parquet

    for path in sorted(folder.glob("receipts-*.parquet")):
        for found in pyarrow.parquet.read_table(path).to_pylist():
            yield found["chunk"], found
    for path in sorted(folder.glob("receipt-*.json")):
        with contextlib.suppress(OSError, ValueError):
            found = json.loads(path.read_bytes())
            yield int(found["chunk"]), found
