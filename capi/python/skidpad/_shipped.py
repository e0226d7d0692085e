"""Files of the package: models, manoeuvres, tires, roads, and the command."""

from __future__ import annotations

import difflib
import os
import pathlib
import sys

from ._library import Error, Status

PACKAGE = pathlib.Path(__file__).parent


class Shelf:
    """The shipped files of one kind, by their names. A name is the file name without suffix, or with suffix if several
    files have the same name."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def __repr__(self) -> str:
        return f"<skidpad.{self._kind}: {len(self.names())} files>"

    def _paths(self) -> dict[str, pathlib.Path]:
        folder = PACKAGE / "resources" / self._kind
        files = sorted(path for path in folder.iterdir() if path.is_file())
        stems = [path.stem for path in files]
        return {path.stem if stems.count(path.stem) == 1 else path.name: path for path in files}

    def names(self) -> list[str]:
        """The names of all files."""
        return list(self._paths())

    def path(self, name: str) -> pathlib.Path:
        """The file called name. Raises KeyError with similar names if there is no such file."""
        paths = self._paths()
        if name in paths:
            return paths[name]
        close = difflib.get_close_matches(name, paths)
        hint = f"; similar are {', '.join(close)}" if close else ""
        raise KeyError(
            f'none of the shipped {self._kind} is called "{name}"{hint}; skidpad.{self._kind}.names() lists all'
        )


models = Shelf("models")
"""Shipped models, by name."""
manoeuvres = Shelf("manoeuvres")
"""Shipped manoeuvres, by name."""
tires = Shelf("tires")
"""Shipped tire files, by name."""
roads = Shelf("roads")
"""Shipped road files, by name."""


def model_path(model: str | os.PathLike[str]) -> str:
    """The path of a model file, or of a shipped model if no file has this name. Raises Error with similar names for an
    unknown name."""
    path = os.fspath(model)
    if path != os.path.basename(path) or os.path.isfile(path):
        return path
    if os.path.splitext(path)[1] and path not in models.names():
        return path  # the name of a file
    try:
        return str(models.path(path))
    except KeyError as error:
        raise Error(Status.MODEL, f"no file {path} is here, and {error.args[0]}") from None


def include() -> pathlib.Path:
    """The folder of the C headers of this package, for ``cc -I``: skidpad.h for the library, skidpad_tire.h for tire
    functions, skidpad_law.h for laws and skidpad_controller.h for controllers."""
    return PACKAGE / "include"


def command() -> pathlib.Path:
    """The command skidpad of this package, to run in a process; ``python -m skidpad`` runs it, too."""
    path = PACKAGE / ("skidpad.exe" if sys.platform == "win32" else "skidpad")
    if not os.access(path, os.X_OK):
        try:
            path.chmod(0o755)  # an installer may have lost it
        except OSError as error:
            raise RuntimeError(f"{path} cannot be run: {error.strerror}; reinstall the package") from None
    return path
