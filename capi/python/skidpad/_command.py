"""Calls of the command, with the settings of vehicles in Python."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal, Union

from ._library import Error, Status
from ._loaded import LoadedVehicle
from ._shipped import PACKAGE, command, model_path
from ._tire import is_registered
from ._variables import real

_USAGE = 2  # exit status of the command for arguments that it does not understand
_WARNING = "warning: "  # begins the warnings of the command


def run_command(*arguments: str | os.PathLike[str]) -> str:
    """Runs the command with arguments, such as run_command("tire", "rig", skidpad.tires.path("fiala_generic4w")), and
    returns its output. Its warnings are RuntimeWarnings. Raises Error with the command's message if the command fails,
    or if a check such as a tolerance of "compare" does not hold. Attribute output of the error has the printed text.
    "study" runs in Python, as in the script skidpad."""
    return _run(*arguments).stdout


def _run(*arguments: str | os.PathLike[str]) -> subprocess.CompletedProcess[str]:
    """Runs the command and returns its output and its other messages. Warnings of the command become Python
    warnings."""
    words = [os.fspath(argument) for argument in arguments]
    program = [sys.executable, "-m", "skidpad"] if words[:1] == ["study"] else [str(command())]
    return checked(words, subprocess.run([*program, *words], capture_output=True, encoding="utf-8"))


def checked(words: list[str], done: subprocess.CompletedProcess[str]) -> subprocess.CompletedProcess[str]:
    """A call of the command that has ended. Its warnings become Python warnings, and its failure becomes an Error."""
    lines = done.stderr.splitlines()
    for line in lines:
        if line.startswith(_WARNING):
            warnings.warn(line.removeprefix(_WARNING), RuntimeWarning, stacklevel=_callers_level())
    if done.returncode != 0:
        said = [line for line in lines if not line.startswith(_WARNING)]
        said = [line for line in said if not line.endswith("shows arguments and an example")]
        reason = "\n".join(said).strip().removeprefix(f"skidpad {words[0] if words else ''}: ")
        if not reason:  # a failed check prints no reason
            reason = f"a check of {' '.join(words)} does not hold; output of this error is what the command printed"
        raise Error(Status.ARGUMENT if done.returncode == _USAGE else Status.REFUSED, reason, done.stdout)
    return done


def _callers_level() -> int:
    """The stacklevel at which a warning of the caller names the code of the user."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and pathlib.Path(frame.f_code.co_filename).parent == PACKAGE:
        frame, level = frame.f_back, level + 1
    return level


@contextmanager
def as_set(vehicle: LoadedVehicle) -> Iterator[list[str]]:
    """Arguments for the command that describe a vehicle with its settings."""
    vehicle.model_files()  # rejects files that have changed since they were loaded
    refuse_registered(vehicle)
    with tempfile.TemporaryDirectory(prefix="skidpad-") as folder:
        state = pathlib.Path(folder, "state")
        state.write_bytes(vehicle.save())
        arguments = [str(vehicle._path), "--state", str(state)]
        if vehicle._tree:
            arguments += ["--tree", vehicle._tree]
        yield arguments + pairs("--set", named_libraries(vehicle))


def _functions(vehicle: LoadedVehicle) -> Iterator[tuple[str, str]]:
    """The texts that select the functions of tires, laws and controllers of a vehicle."""
    for component in dict.fromkeys(name.partition(".")[0] for name in vehicle.variables):
        for name in (f"{component}.model", f"{component}.relaxation.model", f"{component}.function"):
            try:
                yield name, vehicle.text(name)
            except Error:
                continue  # no such component, or a tire without a relaxation


def named_libraries(vehicle: LoadedVehicle) -> dict[str, str]:
    """The texts that name libraries. Another process must set them, because a state alone loads no library."""
    return {name: function for name, function in _functions(vehicle) if function.startswith(("plugin:", "sti:"))}


def registered_functions(vehicle: LoadedVehicle) -> dict[str, str]:
    """The texts that name functions that register_tire, register_law or register_controller has registered here."""
    return {name: function for name, function in _functions(vehicle) if is_registered(function)}


def refuse_registered(vehicle: LoadedVehicle) -> None:
    """Raises Error if a tire, a law or a controller has a function of this process, because the command lacks it."""
    for name, function in registered_functions(vehicle).items():
        raise Error(
            Status.REFUSED,
            f'{name} is "{function}", a function that register_tire, register_law or register_controller has '
            "registered in this process; "
            "manoeuvres, sweeps, studies of manoeuvres and linear equations are computed by the command, another "
            f"process, which does not have it: build the function as a library and set {name} to "
            "plugin:LIBRARY#SYMBOL, or drive the vehicle here, by Vehicle.simulate or a Fleet",
        )


def pairs(flag: str, values: Mapping[str, Any] | None) -> list[str]:
    """Arguments flag NAME=VALUE, numbers with all their digits."""
    what = flag.removeprefix("--")
    if not isinstance(values or {}, Mapping):
        raise TypeError(f"{what} is {values!r}; give a mapping from names to numbers")
    arguments = []
    for name, value in (values or {}).items():
        arguments += [flag, f"{name}={value if isinstance(value, str) else repr(real(f'{what}[{name!r}]', value))}"]
    return arguments


def equations(vehicle: LoadedVehicle) -> dict[str, Any]:
    """The keys of ``skidpad equations --json``."""
    vehicle.model_files()
    tree = ["--tree", vehicle._tree] if vehicle._tree else []
    found: dict[str, Any] = json.loads(run_command("equations", vehicle._path, "--json", *tree))
    return found


def pack(
    model: Union[str, os.PathLike[str]],
    out: str | os.PathLike[str],
    fmi: int = 3,
    tire_parameters: bool = False,
    binaries: str | os.PathLike[str] | None = None,
    tree: str = "",
    prescribe: str | Sequence[str] = (),
    reactions: str | Sequence[str] = (),
    sources: bool | Literal["only"] = False,
    method: str | Sequence[str] = (),
) -> pathlib.Path:
    """Exports a model file, or a shipped model by its name, as an FMU of FMI 2 or 3, and returns the FMU's path. The
    argument out is a file with the suffix .fmu, or a folder; in a folder the FMU has the name of its model.

    With tire_parameters, all coefficients of the tires are parameters of the FMU. The tree selection is tree, by
    default the first; the description of the FMU names any other selection. List names or patterns of revolute and
    prismatic joints in prescribe: their motion is input of the FMU, and <joint>.torque or .force and <joint>.power are
    outputs. Reactions, as in Vehicle, are outputs of the FMU. With sources, the FMU contains the model in C99, which
    importers compile for other platforms; "only" omits the libraries. The sources contain the method of the model and
    those listed in method, by default euler, heun and rk4. The FMI libraries are in the folder binaries, by default in
    the package skidpad-fmi, a second wheel that ./build.sh puts beside the wheel of this package.
    """
    arguments = ["pack", model_path(model), "-o", os.fspath(out), "--fmi", str(fmi)]
    if tire_parameters:
        arguments.append("--tire-parameters")
    if sources:
        arguments.append("--sources" if sources is True else f"--sources={sources}")
    for flag, names in (("--prescribe", prescribe), ("--reactions", reactions), ("--method", method)):
        if names:
            arguments += [flag, names if isinstance(names, str) else ",".join(names)]
    if tree:
        arguments += ["--tree", tree]
    if binaries is not None:
        arguments += ["--binaries", os.fspath(binaries)]
    report = _run(*arguments).stderr
    if pathlib.Path(out).suffix in (".fmu", ".ssp"):
        return pathlib.Path(out)
    return pathlib.Path(report.splitlines()[-1].rpartition(f": FMI {fmi}.0, ")[0])


def roles(vehicle: LoadedVehicle) -> dict[str, Any]:
    """The table [roles] of a vehicle's model, including roles of its base models."""
    if sys.version_info < (3, 11):
        raise RuntimeError("roles of a model are read with tomllib: take Python 3.11 or newer")
    import tomllib

    vehicle.model_files()
    found: dict[str, Any] = tomllib.loads(run_command("expand", vehicle._path)).get("roles", {})
    return found
