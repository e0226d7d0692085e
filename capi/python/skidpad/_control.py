"""Functions of Python that control a vehicle in the runs of a manoeuvre."""

from __future__ import annotations

import json
import numbers
import struct
import subprocess
import tempfile
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO, Any, Union

from ._command import checked
from ._shipped import command

Control = Callable[..., Union[float, Sequence[float]]]

# The protocol of --control-pipe (docs/own-controllers.md).
_VERSION = 1
_SETTINGS, _BEGIN, _ROW, _END, _FAILURE = 1, 2, 3, 4, 5
_HEAD = struct.Struct("<II")


@dataclass(frozen=True)
class Law:
    """A function with what it reads and sets."""

    control: Control
    sample: float | None
    signals: Sequence[str]
    outputs: Sequence[str]

    def __post_init__(self) -> None:
        if not callable(self.control):
            raise TypeError(f"control is {self.control!r}; give a function of the time and the values of signals")
        if not isinstance(self.sample, numbers.Real) or not self.sample > 0:
            raise ValueError(f"sample is {self.sample!r}; control needs the seconds from one call to the next")
        for name in ("signals", "outputs"):
            if isinstance(getattr(self, name), str):
                raise TypeError(f"{name} is {getattr(self, name)!r}; give a list of names")
        if not self.outputs:
            raise ValueError("outputs is empty; control needs the names of the inputs that it sets")

    def settings(self) -> bytes:
        """The first frame of the protocol."""
        return json.dumps(
            {
                "protocol": _VERSION,
                "sample": float(self.sample or 0),
                "signals": list(self.signals),
                "outputs": list(self.outputs),
            }
        ).encode()

    def begun(self) -> Control:
        """The function at the begin of a run."""
        if isinstance(self.control, type):
            fresh: Control = self.control()
            return fresh
        reset = getattr(self.control, "reset", None)
        if reset is not None:
            reset()
        return self.control

    def row(self, function: Control, numbers_of_row: tuple[float, ...]) -> bytes:
        """The outputs for a row of the time and the signals."""
        found: Any = function(*numbers_of_row)
        values = (found,) if isinstance(found, numbers.Real) else tuple(found)
        if len(values) != len(self.outputs):
            raise ValueError(f"control returned {len(values)} values; outputs names {len(self.outputs)}")
        return struct.pack(f"<{len(values)}d", *values)


def run_controlled(arguments: Sequence[str], law: Law) -> None:
    """Runs the command with a function at the other end of its pipe. Raises Error as run_command does."""
    words = [*arguments, "--control-pipe"]
    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(
            [str(command()), *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=messages
        )
        assert process.stdin is not None and process.stdout is not None
        try:
            _serve(process.stdout, process.stdin, law)
        except BrokenPipeError:
            pass  # the command has ended, and says why
        except BaseException:
            process.kill()
            process.wait()
            raise
        finally:
            process.stdout.close()
            try:
                process.stdin.close()
            except BrokenPipeError:
                pass
        process.wait()
        messages.seek(0)
        said = messages.read().decode(errors="replace")
    checked(words, subprocess.CompletedProcess(words, process.returncode, "", said))


def _serve(source: IO[bytes], sink: IO[bytes], law: Law) -> None:
    """Answers the rows of all runs."""

    def send(kind: int, data: bytes) -> None:
        sink.write(_HEAD.pack(kind, len(data)) + data)
        sink.flush()

    send(_SETTINGS, law.settings())
    function, failure = None, None
    while True:
        head = source.read(_HEAD.size)
        if len(head) < _HEAD.size:
            return  # the command has ended
        kind, size = _HEAD.unpack(head)
        data = source.read(size)
        try:
            if kind == _BEGIN:
                function, failure = None, None
                function = law.begun()
            elif kind == _ROW and function is not None:
                answer = law.row(function, struct.unpack(f"<{size // 8}d", data))
        except Exception as error:
            failure = traceback.format_exception_only(type(error), error)[-1].strip()
        if kind == _ROW and failure is not None:
            send(_FAILURE, failure.encode()[: 1 << 15])
        elif kind == _ROW:
            send(_ROW, answer)
