"""Tire functions in Python: skidpad_tire.h."""

from __future__ import annotations

import ctypes
import itertools
import traceback
from collections.abc import Callable, Sequence
from ctypes import POINTER, c_char_p, c_double, c_int32, c_size_t, c_uint32, c_void_p
from typing import Any, Optional

from ._library import REASON_SIZE, Error, Status, library

Results = Callable[..., Sequence[float]]
"""(inputs of one tire) => (Fx, Fy [N], Mx, My, Mz [N m]) of the road on the tire, or the outputs of a relaxation."""

INPUTS = frozenset(
    "Fz S alpha Omega gamma Reff Rl VCx VCy VPx VPy VEx VPxs VExs wn wx sinking Rs depth q1 q2 q3 mu direction "
    "Fx_input Fy_input Mx_input My_input Mz_input".split()
)
"""The possible inputs of tire functions."""

_TIRE_ABI = 1  # SKIDPAD_TIRE_ABI
_FORCES = ("Fx", "Fy", "Mx", "My", "Mz")
_RELAXATION = "q1dot, q2dot, then q3dot or not, then sigma1, sigma2 or not"

_double_p = POINTER(c_double)
_Init = ctypes.CFUNCTYPE(c_int32, c_char_p, c_char_p, _double_p, POINTER(c_void_p), c_void_p, c_size_t)
_Evaluate = ctypes.CFUNCTYPE(c_int32, c_size_t, POINTER(c_void_p), _double_p, _double_p, _double_p, _double_p)
_Reason = ctypes.CFUNCTYPE(c_void_p, c_void_p)
_Free = ctypes.CFUNCTYPE(None, c_void_p)


class _TireDescription(ctypes.Structure):
    """skidpad_tire."""

    _fields_ = [
        ("abi", c_uint32),
        ("size", c_uint32),
        ("name", c_char_p),
        ("text", c_char_p),
        ("inputs", POINTER(c_char_p)),
        ("input_count", c_uint32),
        ("state_count", c_uint32),
        ("init", _Init),
        ("evaluate", _Evaluate),
        ("jacobian", c_void_p),
        ("error", _Reason),
        ("free", _Free),
        ("outputs", POINTER(c_char_p)),
        ("output_count", c_uint32),
    ]


class _Instance:
    """The function of a tire, and the reason of its latest failed call."""

    def __init__(self, tire: str, results: Results) -> None:
        self.tire = tire
        self.results = results
        self.reason = ctypes.create_string_buffer(1)


_registered: list[_TireDescription] = []  # the library keeps addresses into these


def is_registered(function: str) -> bool:
    """Reports whether register_tire has registered a tire function of this name."""
    return any(tire.name.decode() == function for tire in _registered)


def register_tire(
    name: str,
    inputs: Sequence[str],
    make: Callable[[str, Optional[str]], Results],
    outputs: Optional[Sequence[str]] = None,
) -> None:
    """Registers a tire function under a name. Vehicles select it by

        car.set_text("tire_FL.model", name)

    The list inputs names the requested inputs, a part of the list in skidpad_tire.h: "Fz" normal force [N], "S"
    longitudinal slip [1], "alpha" slip angle [rad], "gamma" inclination [rad], ... When a vehicle is initialised, make
    is called for each tire, with the tire's name and the path of its parameter file or None. It returns a pure function
    of the inputs in their order. The function returns Fx, Fy [N] and Mx, My, Mz [N m] at the contact point, in ISO tire
    axes:

        def linear(tire, file):
            return lambda Fz, S, alpha: (15 * Fz * S, -12 * Fz * alpha, 0, 0, 0)

        skidpad.register_tire("Linear", ["Fz", "S", "alpha"], linear)

    With outputs, the function is a relaxation function, for car.set_text("tire_FL.relaxation.model", name). The list
    outputs names its results in their order: "q1dot" and "q2dot" [1/s], the rates of the delayed slips; "q3dot" [rad/(m
    s)] for a tire with slip.states = 3; "sigma1" and "sigma2" [m], the relaxation lengths, which slip.method =
    "carcass" needs:

        def string(tire, file):
            return lambda VEx, VExs, VPy, VPxs, q1, q2: (
                (-VEx - abs(VExs) * q1) / 0.2, (VPy - abs(VPxs) * q2) / 0.4
            )

        skidpad.register_tire(
            "String", ["VEx", "VExs", "VPy", "VPxs", "q1", "q2"], string, ["q1dot", "q2dot"]
        )

    An exception in make or in the function ends the initialisation or step with an Error that names
    the exception. The function must not use vehicles. It stays registered until the process ends.
    """
    if isinstance(inputs, str) or not inputs or not INPUTS.issuperset(inputs):
        raise ValueError(f"inputs is {inputs!r}; give a sequence of some of {', '.join(sorted(INPUTS))}")
    if not callable(make):
        raise TypeError(f"make is {make!r}; it must be a function make(tire, file) that returns the tire function")
    if outputs is not None and (isinstance(outputs, str) or not 2 <= len(outputs) <= 5):
        raise ValueError(f"outputs is {outputs!r}; those of a relaxation function are {_RELAXATION}")
    tire = _describe(name, list(inputs), make, None if outputs is None else list(outputs))
    reason = ctypes.create_string_buffer(REASON_SIZE)
    status = library().skidpad_register_tire(ctypes.byref(tire), reason, REASON_SIZE)
    if status != Status.OK:
        raise Error(status, reason.value.decode(errors="replace"))
    _registered.append(tire)


def _describe(
    name: str, inputs: list[str], make: Callable[[str, Optional[str]], Results], outputs: Optional[list[str]]
) -> _TireDescription:
    """A tire function for the library."""
    width = len(inputs)
    returned = _FORCES if outputs is None else outputs
    instances: dict[int, _Instance] = {}
    numbers = itertools.count(1)  # instances for the library

    def init(tire: bytes, file: Optional[bytes], states: Any, instance: Any, error: int, capacity: int) -> int:
        component = tire.decode()
        try:
            results = make(component, None if file is None else file.decode())
        except BaseException as exception:  # no exception may leave a function that C calls
            reason = _reason(exception)[: capacity - 1] + b"\0"
            ctypes.memmove(error, reason, len(reason))
            return 1
        number = next(numbers)
        instances[number] = _Instance(component, results)
        instance[0] = number
        return 0

    def evaluate(n: int, called: Any, inputs: Any, states: Any, written: Any, rates: Any) -> int:
        for k in range(n):
            instance = instances[called[k]]
            try:
                results = [float(result) for result in instance.results(*inputs[width * k : width * (k + 1)])]
                if len(results) != len(returned):
                    raise ValueError(f"{len(results)} results; there must be {len(returned)}: {', '.join(returned)}")
            except BaseException as exception:
                reason = ctypes.create_string_buffer(instance.tire.encode() + b": " + _reason(exception))
                for other in called[:n]:  # the library reads the reason of the first
                    instances[other].reason = reason
                return 1
            for i, result in enumerate(results):
                written[len(returned) * k + i] = result
        return 0

    def error(instance: int) -> int:
        return ctypes.addressof(instances[instance].reason)

    def free(instance: int) -> None:
        del instances[instance]

    names = (c_char_p * width)(*(text.encode() for text in inputs))
    given = outputs or []
    written_names = (c_char_p * len(given))(*(text.encode() for text in given)) if given else None
    return _TireDescription(
        _TIRE_ABI, ctypes.sizeof(_TireDescription), name.encode(), None, names, width, 0,
        _Init(init), _Evaluate(evaluate), None, _Reason(error), _Free(free), written_names, len(given),
    )


def _reason(exception: BaseException) -> bytes:
    """An exception in one line, with its file and line."""
    last = traceback.extract_tb(exception.__traceback__)[-1]
    said = " ".join("".join(traceback.format_exception_only(type(exception), exception)).split())
    return f"{said} ({last.filename}:{last.lineno})".encode()
