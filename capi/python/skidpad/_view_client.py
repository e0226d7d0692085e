"""A program at a live view."""

from __future__ import annotations

import json
import math
import secrets
import struct
import threading
import time as clock
import urllib.parse
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Union

from ._library import Error, Status
from ._view_process import Process

try:
    from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
    from websockets.sync.client import connect
    from websockets.typing import Subprotocol
except ImportError:
    raise ImportError("skidpad.view needs the package websockets 15 or newer: pip install skidpad[view]") from None

if TYPE_CHECKING:
    from typing_extensions import Self

ANSWER_TIME = 10.0
"""Seconds for a connection and for the first messages."""

_PROTOCOL = "skidpad-view.1"
_MOST_BYTES = 1 << 26  # of a message of the server: the scene has the ground
_SEAT_TIME = 5.2  # s, in which a driver can refuse the seat to another one
_MOST_EVENTS = 1000


@dataclass(frozen=True)
class Event:
    """Something that happened in the live view."""

    kind: str  # begin, paused, running, failed, late, seat, recording
    segment: int  # that of the drive, from 1 on; resets and returns to earlier states begin another one
    slice: int  # within the segment
    time: float  # of the vehicle [s]
    text: str  # reason, "" for none


class Client:
    """A program at a live view. A thread of its own takes messages."""

    address: str  #: of the page, with its token

    def __init__(self, address: str, rate: float) -> None:
        host, token = _parsed(address)
        self.address = address
        self._process: Process | None = None
        self._changed = threading.Condition()
        self._answers: dict[int, dict[str, Any]] = {}
        self._state = b""
        self._events: list[Event] = []
        self._refusal = ""  # of the latest input
        self._closed = ""  # why
        self._orders = self._inputs = 0
        self._connection = ExitStack()
        try:
            connection = connect(
                f"ws://{host}/socket",
                subprotocols=[Subprotocol(_PROTOCOL)],
                compression=None,
                proxy=None,  # the view is on this machine, or behind a tunnel of the user
                open_timeout=ANSWER_TIME,
                max_size=_MOST_BYTES,
            )
            self._socket = self._connection.enter_context(connection)
        except InvalidStatus as error:
            body = (error.response.body or b"").decode(errors="replace").strip()
            raise Error(Status.REFUSED, f"the view at {host} refuses this program: {body or error}") from None
        except (OSError, InvalidHandshake, EOFError) as error:
            raise Error(
                Status.REFUSED, f"no live view answers at {host} ({error}); is 'skidpad view' running?"
            ) from None
        hello = {"type": "hello", "token": token, "kind": "program", "identity": secrets.token_hex(8), "rate": rate}
        try:
            self._socket.send(json.dumps(hello))
            self._scene: dict[str, Any] = json.loads(self._socket.recv(ANSWER_TIME))
        except ConnectionClosed as error:
            raise Error(Status.REFUSED, f"the view at {host} refuses this program: {_reason(error)}") from None
        except TimeoutError:
            self._connection.close()
            raise Error(Status.REFUSED, f"the view at {host} sends no scene") from None
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        """Takes messages until the connection ends."""
        reason = "it has ended"
        try:
            for message in self._socket:
                with self._changed:
                    if isinstance(message, bytes):
                        if _moment(message) >= _moment(self._state) or message[2:4] != self._state[2:4]:
                            self._state = message
                    else:
                        self._hear(json.loads(message))
                    self._changed.notify_all()
        except ConnectionClosed as error:
            reason = _reason(error)
        with self._changed:
            self._closed = self._closed or reason
            self._changed.notify_all()

    def _hear(self, note: dict[str, Any]) -> None:
        """Takes a text message."""
        if note["type"] == "event":
            self._events.append(
                Event(
                    note.get("kind", ""),
                    note.get("segment", 0),
                    note.get("slice", 0),
                    note["time"],
                    note.get("text", ""),
                )
            )
            del self._events[:-_MOST_EVENTS]
        elif note.get("number", 0) > 0:
            self._answers[note["number"]] = note
        elif note["type"] == "error":
            self._refusal = note.get("text", "")

    def _check(self) -> None:
        """Raises the error of a closed view, or of an input that was refused."""
        with self._changed:
            refusal, self._refusal = self._refusal, ""
            if self._closed:
                raise Error(Status.REFUSED, f"the view is closed: {self._closed}")
        if refusal:
            raise Error(Status.REFUSED, refusal)

    def _send(self, message: Union[str, bytes]) -> None:
        self._check()
        try:
            self._socket.send(message)
        except ConnectionClosed as error:
            raise Error(Status.REFUSED, f"the view is closed: {_reason(error)}") from None

    def _order(self, order: str, **more: Any) -> None:
        """Gives an order and waits for its answer."""
        self._orders += 1
        number = self._orders
        self._send(json.dumps({"type": order, "number": number, **more}))
        with self._changed:
            while number not in self._answers and not self._closed:
                self._changed.wait(1.0)  # Windows interrupts no wait without an end
            answer = self._answers.pop(number, None)
            if answer is None:
                raise Error(Status.REFUSED, f"the view is closed: {self._closed}")
        if answer["type"] == "error":
            raise Error(Status.REFUSED, f"{order}: {answer.get('text', '')}")

    def _sit(self) -> None:
        """Takes the seat, which a present driver may refuse."""
        try:
            self._order("seat")
        except Error as error:
            if "asked" not in str(error):
                raise
            clock.sleep(_SEAT_TIME)
            self._order("seat")

    def events(self) -> list[Event]:
        """What happened since the last call."""
        with self._changed:
            events, self._events = self._events, []
        return events

    def close(self) -> None:
        """Ends the connection, and the command where this process has started it."""
        with self._changed:
            self._closed = self._closed or "close was called"
        self._connection.close()
        self._thread.join(ANSWER_TIME)
        if self._process is not None:
            self._process.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<skidpad.view.{type(self).__name__} {self._scene['look']['title']}: {self.address}>"

    def _repr_html_(self) -> str:
        """The link that notebooks show."""
        return f'<a href="{self.address}" target="_blank">{self.address.partition("#")[0]}</a>'


def _parsed(address: str) -> tuple[str, str]:
    """Host and token of an address."""
    parts = urllib.parse.urlsplit(address)
    if parts.scheme != "http" or not parts.netloc:
        raise ValueError(f'the address is "{address}"; give that which "skidpad view" has printed, http://...')
    token = parts.fragment.partition("token=")[2] or parts.fragment
    if not token:
        raise ValueError(
            f'the address "{address}" has no token; give all that "skidpad view" has printed, also after #'
        )
    return parts.netloc, token


def _moment(state: bytes) -> float:
    """The time of a state."""
    return float(struct.unpack_from("<d", state, 8)[0]) if state else -math.inf


def _reason(error: ConnectionClosed) -> str:
    """Why a connection was closed."""
    frame = error.rcvd
    return (frame.reason if frame is not None else "") or "the connection has ended"
