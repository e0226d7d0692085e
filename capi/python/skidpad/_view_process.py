"""The command "skidpad view" as a child process."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
import warnings
import weakref
from pathlib import Path
from typing import Any

from ._library import Error, Status
from ._shipped import command

_END_TIME = 20.0  # s, for a command to write its recording
_DRIVE = re.compile(r"^(.+\.zip): [\d.]+ s in \d+ segments$")
_ADDRESS = re.compile(r"^open (http://\S+#\S+)")


class Process:
    """A command "skidpad view" that this process has started."""

    def __init__(self, arguments: list[str]) -> None:
        apart: dict[str, Any] = {"start_new_session": True}  # a Ctrl-C is for Python, which ends the command
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        process = subprocess.Popen(
            [str(command()), "view", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, encoding="utf-8", **apart,
        )  # fmt: skip
        assert process.stdout is not None and process.stderr is not None
        said: list[str] = []
        self._process, self._said = process, said
        self._reader = threading.Thread(target=_collect, args=(process.stderr, said), daemon=True)
        self._reader.start()
        self.end = weakref.finalize(self, _end, process, self._reader)
        first = process.stdout.readline()
        found = _ADDRESS.match(first)
        if found is None:
            self.end()
            reason = "\n".join(line for line in said if not line.endswith("shows arguments and an example"))
            reason = (reason or first).strip().removeprefix("skidpad view: ")
            raise Error(Status.REFUSED, reason or "skidpad view has printed no address")
        self.address = found[1]
        for line in said:
            if line.startswith("warning: "):
                warnings.warn(line.removeprefix("warning: "), RuntimeWarning, stacklevel=4)

    def drive(self) -> Path | None:
        """The recorded drive of a command that has ended."""
        found = [match[1] for match in map(_DRIVE.match, self._said) if match]
        return Path(found[-1]) if found else None


def _collect(stream: Any, lines: list[str]) -> None:
    """Reads messages of a command until it ends."""
    with stream:
        for line in stream:
            lines.append(line.rstrip("\n"))
            del lines[:-200]


def _end(process: subprocess.Popen[str], reader: threading.Thread) -> None:
    """Ends a command as Ctrl-C does, so that it writes its recording."""
    if process.poll() is None:
        if sys.platform == "win32":
            process.send_signal(signal.CTRL_BREAK_EVENT)
        else:
            process.send_signal(signal.SIGINT)
        try:
            process.wait(_END_TIME)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    if process.stdout is not None:
        process.stdout.close()
    reader.join(1.0)
