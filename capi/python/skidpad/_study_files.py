"""The files of a study in its folder or object store, and their reading and writing.

    manifest.json         what the study is: nothing in it depends on when or where it runs
    files.zip, state      the model's files, and what was set in the vehicle
    manoeuvre/            the manoeuvre's folder, if it is not a shipped one
    run.pickle            the function of the runs, if there is one, and behind it the checksum of it
    design/               values of a design that is stored
    part-000123.parquet   the results of a chunk, the same bytes on any worker
    traces-000123.parquet what was recorded of some of its runs, the same bytes, too
    receipt-000123.json   that part and traces are whole: their checksums, rows, failures, time, worker, and its own
    receipts-0000.parquet receipts of a thousand chunks

In a folder, each file is written under another name, flushed, and renamed. In an object store, each file is a single
put, which becomes visible when complete. So every visible file is whole, unless it was damaged later. The manifest has
its own checksum and the checksums of the files beside it; each reader checks them. A part without its receipt counts as
missing. A receipt with a wrong checksum, or of another study, counts as missing, too.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import io
import json
import os
import pathlib
import tempfile
import threading
import urllib.parse
import uuid
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ._files import inside, remove
from ._library import Error, Status

RECEIPTS_TOGETHER = 1000
MANIFEST = "manifest.json"
MODEL = "files.zip"
STATE = "state"
DESIGN = "design/design.npy"
FUNCTION = "run.pickle"
_PIECE = 1 << 22  # bytes that are read at a time
_SCHEMES = ("s3", "gs", "gcs")  # object stores whose put becomes visible when complete

_copies: dict[tuple[str, str], pathlib.Path] = {}  # of this process, by store and checksum of the manifest
_turn = threading.Lock()


class Store(ABC):
    """The storage of the files of a study, by their names."""

    advice: str  # for errors of reading and writing

    def __init__(self, address: str, filesystem: Any, root: str) -> None:
        self.address, self.filesystem, self._root = address, filesystem, root
        self._checked: set[tuple[str, tuple[int, int], str]] = set()  # files with their times and checksums

    def __str__(self) -> str:
        return self.address

    def path(self, name: str) -> str:
        """The path of a file in the file system."""
        return f"{self._root}/{name}"

    def read(self, name: str) -> bytes:
        """The content of a file. Raises FileNotFoundError if there is none."""
        return b"".join(self.pieces(name))

    def pieces(self, name: str) -> Iterator[bytes]:
        """The content of a file of any size."""
        with self.filesystem.open_input_stream(self.path(name)) as stream:
            yield from pieces(stream)

    def names(self, prefix: str = "") -> list[str]:
        """The files whose names begin with a prefix, in order."""
        return sorted(name for name in self.stamps() if name.startswith(prefix))

    def stamps(self) -> dict[str, tuple[int, int]]:
        """All files, each with its size [bytes] and the time of its last change [ns]."""
        import pyarrow.fs

        selector = pyarrow.fs.FileSelector(self._root, allow_not_found=True)
        infos = self.filesystem.get_file_info(selector)
        return {info.base_name: (info.size, info.mtime_ns) for info in infos if info.is_file}

    def holds(self, name: str, said: Mapping[str, Any], stamp: tuple[int, int] | None) -> bool:
        """Reports whether a file with a stamp has the size and checksum of its receipt. The file is read only if it has
        changed since the last check."""
        if stamp is None or stamp[0] != said.get("bytes"):
            return False
        known = (name, stamp, said.get("sha256", ""))
        if known not in self._checked:
            if self.fingerprint(name)["sha256"] != said.get("sha256"):
                return False
            self._checked.add(known)
        return True

    def exists(self, name: str) -> bool:
        """Whether there is a file."""
        return bool(self.filesystem.get_file_info(self.path(name)).is_file)

    def remove(self, name: str) -> None:
        """Removes a file, if it is there."""
        with contextlib.suppress(FileNotFoundError):
            self.filesystem.delete_file(self.path(name))

    def fingerprint(self, name: str) -> dict[str, Any]:
        """Size and SHA-256 of a file, as in receipts."""
        return fingerprint(self.pieces(name))

    @abstractmethod
    def write(self, name: str, data: bytes | Iterable[bytes]) -> None:
        """Writes a file, in one or several pieces, whole or not at all."""

    @abstractmethod
    def inputs(self) -> pathlib.Path:
        """A folder of this machine with all files that a worker reads: everything except parts, traces and receipts."""

    def check(self) -> None:
        """Raises Error or OSError if the place cannot be used."""

    @contextlib.contextmanager
    def reached(self) -> Iterator[None]:
        """Adds the place that cannot be read or written to errors."""
        try:
            yield
        except OSError as failure:
            raise Error(
                Status.REFUSED,
                f"{self} cannot be read or written: {failure}; {self.advice}; what is done is kept, and the same call "
                "goes on",
            ) from failure


class Folder(Store):
    """A folder that all workers see."""

    advice = "check that the disk is there, has room, and can be written"

    def __init__(self, folder: pathlib.Path) -> None:
        import pyarrow.fs

        super().__init__(str(folder), pyarrow.fs.LocalFileSystem(), folder.as_posix())
        self._folder = folder

    def inputs(self) -> pathlib.Path:
        return self._folder

    def write(self, name: str, data: bytes | Iterable[bytes]) -> None:
        path = self._folder / name
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


class Objects(Store):
    """A prefix of a bucket: s3://bucket/prefix, gs://bucket/prefix, with pyarrow's options behind a question mark."""

    advice = "check the credentials, the region and the address of the store"

    def __init__(self, address: str) -> None:
        import pyarrow.fs

        given = urllib.parse.urlsplit(address)
        if given.password is not None or given.username not in (None, "anonymous"):  # pyarrow: no credentials
            raise ValueError(
                f"the address of {given.scheme}://{given.hostname}{given.path} has credentials in it, which messages "
                "would show; set them where the store's tools look, such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
            )
        if given.scheme not in _SCHEMES or not given.netloc or not given.path.strip("/"):
            raise ValueError(
                f"{address} is not a place for a study; allowed are a folder, and {', '.join(_SCHEMES)} with bucket "
                "and prefix, as in s3://bucket/study"
            )
        filesystem, root = pyarrow.fs.FileSystem.from_uri(address)
        super().__init__(address, filesystem, root.rstrip("/"))

    def check(self) -> None:
        bucket = self._root.split("/")[0]
        if self.filesystem.get_file_info(bucket).type.name == "NotFound":
            raise Error(Status.ARGUMENT, f"{self}: there is no bucket {bucket}; make it first, or name another one")

    def write(self, name: str, data: bytes | Iterable[bytes]) -> None:
        with self.filesystem.open_output_stream(self.path(name)) as stream:
            for piece in [data] if isinstance(data, bytes) else data:
                stream.write(piece)

    def inputs(self) -> pathlib.Path:
        manifest = self.read(MANIFEST)
        key = self.address, digest(manifest)
        with _turn:
            if key not in _copies:
                _copies[key] = self._copy(manifest)
            return _copies[key]

    def _copy(self, manifest: bytes) -> pathlib.Path:
        """Copies the files that a worker reads to a temporary folder of this process."""
        said = read_manifest(self, manifest)
        folder = pathlib.Path(tempfile.mkdtemp(prefix="skidpad-"))
        atexit.register(remove, folder, os.getpid())
        places = {name: inside(folder, name) for name in inputs(said)}
        content: dict[str, bytes] = {}

        def read(name: str) -> bytes:
            content[name] = self.read(name)
            return content[name]

        check_inputs(self, said, read)
        for name, place in places.items():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content[name])
        (folder / MANIFEST).write_bytes(manifest)
        return folder


def store(out: str | os.PathLike[str]) -> Store:
    """The store at the address given by a user."""
    address = os.fspath(out)
    if address.startswith("file://"):
        import pyarrow.fs

        address = pyarrow.fs.FileSystem.from_uri(address)[1]
    return Objects(address) if "://" in address else Folder(pathlib.Path(address).absolute())


def dumped(value: object) -> bytes:
    """JSON with the same bytes for equal values."""
    return (json.dumps(value, indent=1, sort_keys=True) + "\n").encode()


def digest(data: bytes) -> str:
    """The SHA-256 of data."""
    return hashlib.sha256(data).hexdigest()


def read_manifest(place: object, data: bytes) -> dict[str, Any]:
    """The manifest of the study at a place. Raises Error if the manifest has changed since it was sealed."""
    try:
        found: dict[str, Any] = json.loads(data)
    except ValueError:
        found = {}
    if not is_intact(found, "checksum"):
        raise Error(
            Status.REFUSED,
            f"{place}: {MANIFEST} is damaged; the call of skidpad.study that began the study writes it again",
        )
    return found


def inputs(manifest: Mapping[str, Any]) -> list[str]:
    """The files of a study that its workers read, beside the manifest."""
    return [*manifest["files"], *([FUNCTION] if "run" in manifest else [])]


def input_digest(name: str, data: bytes) -> str:
    """The checksum of a file that workers read, for the manifest; "" if the file is damaged. For an archive it is the
    checksum of the content, because compression depends on the version of zlib."""
    if name != MODEL:
        return digest(data)
    whole = hashlib.sha256()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as opened:
            for entry in opened.infolist():
                whole.update(f"{entry.filename}\0{entry.file_size}\0".encode() + opened.read(entry))
    except Exception:  # zipfile raises many types, depending on the damaged byte
        return ""
    return whole.hexdigest()


def with_checksum(function: bytes) -> bytes:
    """The content of run.pickle, including its checksum, since pickling a function again gives other bytes."""
    return function + hashlib.sha256(function).digest()


def is_input(manifest: Mapping[str, Any], name: str, data: bytes) -> bool:
    """Reports whether a file that workers read has the same content as at the beginning of the study."""
    if name == FUNCTION:
        size = hashlib.sha256().digest_size
        return with_checksum(data[:-size]) == data
    return bool(input_digest(name, data) == manifest["files"][name])


def check_inputs(place: object, manifest: Mapping[str, Any], read: Callable[[str], bytes]) -> None:
    """Raises Error with the names of files for workers that are damaged or missing at a place."""
    wrong = []
    for name in inputs(manifest):
        try:
            whole = is_input(manifest, name, read(name))
        except FileNotFoundError:
            whole = False
        if not whole:
            wrong.append(name)
    if wrong:
        raise Error(
            Status.REFUSED,
            f"{place}: damaged or missing: {', '.join(wrong)}; the call of skidpad.study that began the study writes "
            "such files again",
        )


def pieces(stream: Any) -> Iterator[bytes]:
    """The rest of a stream of any size."""
    while piece := stream.read(_PIECE):
        yield piece


def fingerprint(content: Iterable[bytes]) -> dict[str, Any]:
    """Size and SHA-256 of a file in pieces, as in receipts."""
    size, whole = 0, hashlib.sha256()
    for piece in content:
        size += len(piece)
        whole.update(piece)
    return {"bytes": size, "sha256": whole.hexdigest()}


def columns(schema: Any) -> str:
    """A fingerprint of the columns of a part, with their units."""
    about = [(field.name, str(field.type), sorted((field.metadata or {}).items())) for field in schema]
    return digest(repr(about).encode())[:16]


def part_name(chunk: int) -> str:
    """The file with the results of a chunk."""
    return f"part-{chunk:06d}.parquet"


def traces_name(chunk: int) -> str:
    """The file with the traces of a chunk, if some of its runs are recorded."""
    return f"traces-{chunk:06d}.parquet"


def receipt_name(chunk: int) -> str:
    """The file with the receipt of a chunk."""
    return f"receipt-{chunk:06d}.json"


def sealed(made: Mapping[str, Any], under: str = "receipt") -> dict[str, Any]:
    """A receipt or manifest with the checksum of its content under a key, so that a changed byte is noticed, folded or
    not."""
    return {**made, under: digest(dumped(made))[:16]}


def is_intact(found: object, under: str = "receipt") -> bool:
    """Reports whether a receipt or manifest is unchanged since it was sealed."""
    try:
        return isinstance(found, dict) and found == sealed({key: found[key] for key in found if key != under}, under)
    except TypeError:  # a type not in receipts: a damaged Parquet file may have bytes in place of text
        return False


def receipt(place: Store, chunk: int, study: str) -> dict[str, Any] | None:
    """The receipt of a chunk whose part is intact; None if the chunk remains to be done."""
    try:
        found = _alone(place, receipt_name(chunk), study)
    except OSError:
        return None
    return found[0] if found and is_whole(place, chunk, found[0]) else None


def receipt_of(place: Store, chunk: int, study: str) -> dict[str, Any] | None:
    """The receipt of a chunk of a study, folded or not; None if there is none. The part is not checked."""
    alone = _alone(place, receipt_name(chunk), study)
    found = alone or _folded(place, folded_name(chunk // RECEIPTS_TOGETHER), study)
    return next((one for one in found if one["chunk"] == chunk), None)


def _files_of(chunk: int, found: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The finished files of a chunk, with their entries in its receipt."""
    yield part_name(chunk), found
    if found.get("traces") is not None:
        yield traces_name(chunk), found["traces"]


def is_whole(place: Store, chunk: int, found: Mapping[str, Any]) -> bool:
    """Reports whether part and traces of a chunk match its receipt."""
    try:
        return all(
            place.fingerprint(name) == {key: of[key] for key in ("bytes", "sha256")}
            for name, of in _files_of(chunk, found)
        )
    except (OSError, KeyError, TypeError, AttributeError):
        return False


def is_there(stamps: Mapping[str, tuple[int, int]], chunk: int, found: Mapping[str, Any]) -> bool:
    """Reports whether part and traces of a chunk have the sizes in its receipt."""
    return all(name in stamps and stamps[name][0] == of.get("bytes") for name, of in _files_of(chunk, found))


def folded_name(group: int) -> str:
    """The file with the receipts of a thousand chunks."""
    return f"receipts-{group:04d}.parquet"


def fold(place: Store, done: dict[int, Mapping[str, Any]], study: str) -> None:
    """Folds the receipts of each thousand finished chunks into a file, and removes them from done."""
    import pyarrow
    import pyarrow.parquet

    for group in {chunk // RECEIPTS_TOGETHER for chunk in done}:
        chunks = range(group * RECEIPTS_TOGETHER, (group + 1) * RECEIPTS_TOGETHER)
        name = folded_name(group)
        if len(_folded(place, name, study)) < len(chunks):  # the file is missing, damaged, or of another study
            if not all(chunk in done for chunk in chunks):
                continue
            sink = pyarrow.BufferOutputStream()
            pyarrow.parquet.write_table(pyarrow.Table.from_pylist([dict(done[chunk]) for chunk in chunks]), sink)
            place.write(name, sink.getvalue().to_pybytes())
            for chunk in chunks:
                place.remove(receipt_name(chunk))
        for chunk in chunks:
            done.pop(chunk, None)


def _folded(place: Store, name: str, study: str | None) -> list[dict[str, Any]]:
    """The intact receipts in a folded file, of a study or of any study; none if the file is missing or damaged."""
    import pyarrow
    import pyarrow.parquet

    try:
        data = pyarrow.BufferReader(place.read(name))
    except FileNotFoundError:
        return []
    try:
        found = pyarrow.parquet.read_table(data).to_pylist()
    except Exception:  # pyarrow raises OSError, ValueError and others, depending on the damaged byte
        return []
    return [one for one in found if is_intact(one) and study in (None, one["study"])]


def _alone(place: Store, name: str, study: str | None) -> list[dict[str, Any]]:
    """The receipt in a single file, if intact, of a study or of any study: a list of one, or an empty list."""
    try:
        found = json.loads(place.read(name))
    except (FileNotFoundError, ValueError):
        return []
    return [found] if is_intact(found) and study in (None, found["study"]) else []


def receipts(place: Store, study: str | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """All intact receipts of a study, or of any study, by the number of their chunk. The parts are not checked."""
    for name in place.names("receipts-"):
        for found in _folded(place, name, study):
            yield found["chunk"], found
    for name in place.names("receipt-"):
        for found in _alone(place, name, study):
            yield found["chunk"], found
