"""The functions of skidpad.h, by ctypes."""

from __future__ import annotations

import ctypes
import enum
import functools
import pathlib
import sys
from ctypes import POINTER, c_char_p, c_double, c_int32, c_int64, c_uint32, c_void_p

ABI_VERSION = 8  # SKIDPAD_ABI_VERSION that this package was written for
REASON_SIZE = 1 << 16  # bytes of a reason or text, at most


class Status(enum.IntEnum):
    """The status of a call: skidpad_status."""

    OK = 0
    NO_VEHICLE = -1  # the vehicle is closed
    ARGUMENT = -2  # an unknown name, a wrong number of values
    MODEL = -3  # the model file cannot be read or formulated
    REFUSED = -4  # wrong phase of the vehicle, a value out of range or not finite
    BUSY = -5  # another thread is using the vehicle
    INTERNAL = -6  # a defect of the library; reset the vehicle, or close it
    FORKED = -7  # the process was forked after the library was loaded


class Error(Exception):
    """A call failed. The text is the library's reason, and status is the Status. For a failed command, output is the
    text printed before, such as a failed comparison; "" for other calls."""

    __module__ = "skidpad"  # where users find it

    def __init__(self, status: int, reason: str = "", output: str = "") -> None:
        self.status, self.output = Status(status), output
        super().__init__(reason or library().skidpad_status_text(status).decode())

    def __reduce__(self) -> tuple[type[Error], tuple[int, str, str]]:
        return Error, (int(self.status), str(self), self.output)


class VariableDescription(ctypes.Structure):
    """skidpad_variable."""

    _fields_ = [
        ("reference", c_uint32),
        ("causality", c_int32),
        ("start", c_double),
        ("name", c_char_p),
        ("unit", c_char_p),
        ("text", c_char_p),
        ("minimum", c_double),
        ("maximum", c_double),
        ("nominal", c_double),
        ("kind", c_int32),
    ]


# Functions without the prefix "skidpad_", and the types of their arguments; all return a status. Arrays of numbers
# are passed as addresses.
_FUNCTIONS: dict[str, list[object]] = {
    "register_controller": [c_void_p, c_char_p, c_int64],
    "register_law": [c_void_p, c_char_p, c_int64],
    "register_tire": [c_void_p, c_char_p, c_int64],
    "load_reactions": [c_char_p, c_char_p, c_char_p, POINTER(c_void_p), c_char_p, c_int64],
    "copy": [c_void_p, POINTER(c_void_p)],
    "free": [c_void_p],
    "variable_count": [c_void_p, POINTER(c_int64)],
    "describe": [c_void_p, c_int64, POINTER(VariableDescription)],
    "set": [c_void_p, c_void_p, c_int64, c_void_p],
    "set_rates": [c_void_p, c_void_p, c_int64, c_void_p],
    "get": [c_void_p, c_void_p, c_int64, c_void_p],
    "jacobian": [c_void_p, c_void_p, c_int64, c_void_p, c_int64, c_void_p],
    "set_directions": [c_void_p, c_int64],
    "set_tangents": [c_void_p, c_void_p, c_int64, c_void_p],
    "get_tangents": [c_void_p, c_void_p, c_int64, c_void_p],
    "record": [c_void_p, c_int64],
    "add_adjoints": [c_void_p, c_void_p, c_int64, c_void_p],
    "step_back": [c_void_p],
    "get_adjoints": [c_void_p, c_void_p, c_int64, c_void_p],
    "set_text": [c_void_p, c_char_p, c_char_p],
    "get_text": [c_void_p, c_char_p, c_char_p, c_int64],
    "set_time_limit": [c_void_p, c_double],
    "warnings": [c_void_p, c_char_p, c_int64],
    "trim": [c_void_p],
    "initialise": [c_void_p],
    "step": [c_void_p, c_double],
    "rollout": [
        c_void_p, c_int64, c_double, c_void_p, c_int64, c_void_p, c_void_p, c_int64, c_void_p, c_int32, c_void_p,
    ],
    "step_all": [POINTER(c_void_p), c_int64, c_double, c_int32, POINTER(c_int32)],
    "fleet_make": [c_void_p, c_int64, c_int32, POINTER(c_void_p)],
    "fleet_free": [c_void_p],
    "fleet_set": [c_void_p, c_void_p, c_void_p, c_int64, c_void_p, c_int64],
    "fleet_get": [c_void_p, c_void_p, c_void_p, c_int64, c_void_p, c_int64],
    "fleet_initialise": [c_void_p, c_void_p, c_int32, c_void_p],
    "fleet_reset": [c_void_p, c_void_p],
    "fleet_bind": [c_void_p, c_void_p, c_int64, c_void_p, c_void_p, c_int64, c_void_p],
    "fleet_step": [c_void_p, c_void_p, c_double, c_void_p],
    "fleet_rollout": [c_void_p, c_int64, c_double, c_void_p, c_int32, c_void_p, c_int32, c_void_p],
    "fleet_save": [c_void_p, c_void_p, c_void_p, c_int64],
    "fleet_restore": [c_void_p, c_void_p, c_int64, c_void_p, c_void_p],
    "time": [c_void_p, POINTER(c_double)],
    "state_size": [c_void_p, POINTER(c_int64)],
    "save": [c_void_p, c_char_p, c_int64],
    "restore": [c_void_p, c_char_p, c_int64],
    "model_files": [c_void_p, c_char_p, c_int64, POINTER(c_int64)],
    "reset": [c_void_p],
}


@functools.cache
def library() -> ctypes.CDLL:
    """The library in this folder, loaded at the first call. If a process forks before this call, each child loads its
    own library."""
    path = pathlib.Path(__file__).with_name("libskidpad.dll" if sys.platform == "win32" else "libskidpad.so")
    loaded = ctypes.CDLL(str(path))
    version = loaded.skidpad_abi_version()
    if version != ABI_VERSION:
        raise ImportError(f"{path} has interface version {version}; this package needs {ABI_VERSION}: reinstall it")
    for name, arguments in _FUNCTIONS.items():
        function = getattr(loaded, "skidpad_" + name)
        function.argtypes, function.restype = arguments, c_int32
    loaded.skidpad_version.argtypes, loaded.skidpad_version.restype = [], c_char_p
    loaded.skidpad_status_text.argtypes, loaded.skidpad_status_text.restype = [c_int32], c_char_p
    loaded.skidpad_fleet_vehicle.argtypes, loaded.skidpad_fleet_vehicle.restype = [c_void_p, c_int64], c_void_p
    loaded.skidpad_last_error.argtypes, loaded.skidpad_last_error.restype = [c_void_p], c_char_p
    return loaded


def forked() -> bool:
    """Whether this process was forked after the library was loaded."""
    return bool(library().skidpad_free(None) == Status.FORKED)  # otherwise the status for NULL is NO_VEHICLE
