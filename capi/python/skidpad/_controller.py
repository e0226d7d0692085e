"""Digital controllers in Python: skidpad_controller.h."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Optional

from ._law import _register
from ._tire import Results

_CONTROLLER_ABI = 2001  # SKIDPAD_CONTROLLER_ABI


def register_controller(
    name: str,
    inputs: Sequence[str],
    outputs: Sequence[str],
    make: Callable[[str, Optional[str]], Results],
) -> None:
    """Registers a digital controller under a name. Components of type controller select it by

        car.set_text("cruise.function", name)

    The list inputs names the arguments of the function: inputs and states of the component, as in the model file, and
    "sample", the time between samples [s]. The list outputs names its results: all outputs of the component in their
    order, then the next value "NAME_next" of each state. When a vehicle is initialised, make is called for each
    component, with the name of the component and the path of its parameter file or None. It returns a function of the
    inputs in their order, which is called once at each sample. The function returns the outputs and the next values, in
    the units of the model file:

        def cruise(component, file):
            return lambda speed, wish, z, sample: (0.2 * (wish - speed) + 0.02 * z, z + sample * (wish - speed))

        skidpad.register_controller("Cruise", ["speed", "wish", "z", "sample"], ["throttle", "z_next"], cruise)

    The function must remember nothing itself: what it remembers are the states, which the vehicle saves and restores.
    An exception in make or in the function ends the initialisation or step with an Error that names the exception. The
    function must not use vehicles. It stays registered until the process ends.
    """
    _register("controller", _CONTROLLER_ABI, name, inputs, outputs, make)
