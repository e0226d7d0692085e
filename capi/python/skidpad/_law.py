"""Laws in Python: skidpad_law.h."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Optional

from ._library import REASON_SIZE, Error, Status, library
from ._tire import Results, _describe, _registered

_LAW_ABI = 1001  # SKIDPAD_LAW_ABI
_MOST = 64  # inputs, and outputs


def register_law(
    name: str,
    inputs: Sequence[str],
    outputs: Sequence[str],
    make: Callable[[str, Optional[str]], Results],
) -> None:
    """Registers a law under a name. Components of type equations can name the law as their function, or

        car.set_text("cruise.model", name)

    The list inputs names the arguments of the function: inputs and states of the component, as in the model file. The
    list outputs names its results: all outputs of the component in their order, then the rate "NAME_dot" of each state.
    When a vehicle is initialised, make is called for each component, with the name of the component and the path of its
    parameter file or None. It returns a pure function of the inputs in their order. The function returns the outputs,
    in the units of the model file:

        def cruise(component, file):
            return lambda speed, wish, z: (0.2 * (wish - speed) + 0.02 * z, wish - speed)

        skidpad.register_law("Cruise", ["speed", "wish", "z"], ["throttle", "z_dot"], cruise)

    An exception in make or in the function ends the initialisation or step with an Error that names the exception. The
    function must not use vehicles. It stays registered until the process ends.
    """
    _register("law", _LAW_ABI, name, inputs, outputs, make)


def _register(
    what: str,
    abi: int,
    name: str,
    inputs: Sequence[str],
    outputs: Sequence[str],
    make: Callable[[str, Optional[str]], Results],
) -> None:
    """Registers a function with named inputs and results by the interface of a version."""
    for key, names in (("inputs", inputs), ("outputs", outputs)):
        if isinstance(names, str) or not 1 <= len(names) <= _MOST or not all(isinstance(n, str) for n in names):
            raise ValueError(f"{key} is {names!r}; give a sequence of 1 to {_MOST} names")
    if not callable(make):
        raise TypeError(f"make is {make!r}; it must be a function make(component, file) that returns the {what}")
    description = _describe(name, list(inputs), make, list(outputs))
    description.abi = abi
    reason = ctypes.create_string_buffer(REASON_SIZE)
    status = getattr(library(), f"skidpad_register_{what}")(ctypes.byref(description), reason, REASON_SIZE)
    if status != Status.OK:
        raise Error(status, reason.value.decode(errors="replace"))
    _registered.append(description)
