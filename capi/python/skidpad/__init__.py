"""Skidpad from Python: vehicles from model files, stepped by the native library.

    import skidpad

    with skidpad.Vehicle("generic4w") as car:
        car.initialise()
        trace = car.simulate(duration=5, step=0.001, inputs={"brake_FL.torque": 100.0})
        print(trace["body.vx"][-1])

Units are SI, angles are radians, axes follow ISO 8855 (x forward, y left, z up). A variable is
called <component>.<quantity>, such as "body.vx". Its unit is ``car.variables["body.vx"].unit``.

A call that the library rejects raises skidpad.Error with the library's reason. Different threads
may use different vehicles at the same time. Their steps run in parallel: a step does not hold the
interpreter's lock.

The package contains models, manoeuvres, tires and roads: ``skidpad.models.names()``, and
``skidpad.models.path("generic4w")``. It also contains the command: ``skidpad.command()`` is its
path, and ``python -m skidpad`` runs it.

The library is loaded at first use, not at import. Processes that fork before the first use may use
the library in all children. In a child that is forked afterwards, every call raises Error with
Status.FORKED; with multiprocessing, use the start method "spawn" or "forkserver" then.
"""

from . import cost as cost
from . import design as design
from ._command import pack, run_command
from ._controller import register_controller
from ._fleet import Fleet, States
from ._gradient import Gradient
from ._inputs import Signal
from ._kc import Suspension, kc
from ._law import register_law
from ._library import Error, Status
from ._linear import Linear
from ._manoeuvre import Manoeuvre
from ._measurement import measurement
from ._run_warning import RunWarning
from ._shipped import command, include, manoeuvres, models, roads, tires
from ._study import Progress, Study, resume_study, study, study_progress
from ._sweep import sweep
from ._tire import register_tire
from ._trace import Trace
from ._variables import Causality, Kind, Variable, Variables
from ._vehicle import Vehicle, step_all

__version__ = "@VERSION@"  # filled in where the wheel is packed

__all__ = [
    "Causality",
    "Error",
    "Fleet",
    "Gradient",
    "Kind",
    "Linear",
    "Manoeuvre",
    "Progress",
    "RunWarning",
    "Signal",
    "States",
    "Status",
    "Study",
    "Suspension",
    "Trace",
    "Variable",
    "Variables",
    "Vehicle",
    "__version__",
    "command",
    "include",
    "kc",
    "manoeuvres",
    "measurement",
    "models",
    "pack",
    "register_controller",
    "register_law",
    "register_tire",
    "resume_study",
    "roads",
    "run_command",
    "step_all",
    "study",
    "study_progress",
    "sweep",
    "tires",
]
