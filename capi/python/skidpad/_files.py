"""Model files from other processes."""

from __future__ import annotations

import atexit
import hashlib
import io
import os
import pathlib
import shutil
import tempfile
import threading
import zipfile

MOST_FILES = 10_000
MOST_BYTES = 1 << 30  # of all files together

_folders: dict[str, pathlib.Path] = {}  # of this process, by the checksum of the archive
_turn = threading.Lock()


def unpacked(files: bytes) -> pathlib.Path:
    """The model file of an archive from Vehicle.model_files, in a temporary folder of this process. Equal archives are
    unpacked once, so that their model is formulated once."""
    digest = hashlib.sha256(files).hexdigest()
    with _turn:
        if digest not in _folders:
            _folders[digest] = _unpack(files)
        return _folders[digest]


def _unpack(files: bytes) -> pathlib.Path:
    with zipfile.ZipFile(io.BytesIO(files)) as archive:
        entries = archive.infolist()
        if not entries or len(entries) > MOST_FILES or sum(entry.file_size for entry in entries) > MOST_BYTES:
            raise ValueError(
                f"an archive of {len(entries)} files cannot be a vehicle: 1 to {MOST_FILES} files "
                f"of at most {MOST_BYTES} bytes together are allowed"
            )
        folder = pathlib.Path(tempfile.mkdtemp(prefix="skidpad-"))
        atexit.register(remove, folder, os.getpid())
        for entry in entries:
            place = inside(folder, entry.filename)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(archive.read(entry))
        return folder / entries[0].filename


def inside(folder: pathlib.Path, name: str) -> pathlib.Path:
    """The path of a file in a folder. Raises ValueError if the name leads out of the folder."""
    place = folder.joinpath(name).resolve()
    if folder.resolve() not in place.parents:
        raise ValueError(f"the archive names {name!r}, which lies outside of it")
    return place


def remove(folder: pathlib.Path, process: int) -> None:
    """Removes a folder, in the process that made it."""
    if os.getpid() == process:  # a forked child must not remove it
        shutil.rmtree(folder, ignore_errors=True)
