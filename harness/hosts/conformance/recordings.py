"""Recordings of a run, read back by other programs than the one that wrote them.

    recordings.py OUT

OUT is what ./build.sh makes; run it from the repository root.
"""

import json
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import scipy.io
from asammdf import MDF

from common import Report

MODEL, MANOEUVRE = "resources/models/generic4w.toml", "resources/manoeuvres/generic4w_sine.toml"


def record(out: Path, file: Path, *flags: str) -> None:
    subprocess.run(
        [out / "skidpad", "simulate", MODEL, "--manoeuvre", MANOEUVRE, "--duration", "0.2", "--set", "body.mass=1900",
         "--out", file, *flags],
        check=True, capture_output=True,
    )  # fmt: skip


class Read:
    """What another program found in a file: numbers, units and roles by the name of the signal, time, facts by name."""

    def __init__(self, numbers, units=None, time=None, facts=None, roles=None):
        self.numbers, self.units, self.time, self.facts, self.roles = numbers, units, time, facts, roles


def by_pandas(file: Path) -> Read:
    table = pd.read_csv(file, float_precision="round_trip").astype(float)
    return Read({n: table[n].to_numpy() for n in table.columns[1:]}, time=table["time"].to_numpy())


def by_pyarrow(file: Path) -> Read:
    table = pq.read_table(file)
    facts = {k.decode(): v.decode() for k, v in pq.read_metadata(file).metadata.items()}
    about = json.loads(facts["signals"])
    numbers = {n: table[n].to_numpy() for n in table.column_names if n != "time"}
    known = {n: {k.decode(): v.decode() for k, v in table.schema.field(n).metadata.items()} for n in table.column_names}
    if known != about:
        raise ValueError(f"{file.name}: metadata of columns differ from metadata of the file")
    return Read(numbers, {n: known[n]["unit"] for n in numbers}, table["time"].to_numpy(), facts,
                {n: known[n].get("role", "") for n in numbers})  # fmt: skip


def by_scipy(file: Path) -> Read:
    m = scipy.io.loadmat(file, simplify_cells=True)
    numbers = {}
    for name, variable in zip(m["meta"]["names"], m["meta"]["variables"]):
        at = m
        for part in variable.split("."):
            at = at[part]
        numbers[name] = np.asarray(at)
    units, roles = (dict(zip(m["meta"]["names"], m["meta"][k])) for k in ("units", "roles"))
    return Read(numbers, units, m["time"], m["meta"], roles)


def by_asammdf(file: Path) -> Read:
    with MDF(file) as m:
        signals = [m.get(c.name) for c in m.groups[0].channels if c.name != "time"]
        numbers, units = {s.name: s.samples for s in signals}, {s.name: s.unit for s in signals}
        comments = {s.name: s.comment for s in signals}
        text = m.header.comment
    roles = {name: properties(comment).get("role", "") for name, comment in comments.items()}
    return Read(numbers, units, signals[0].timestamps, properties(text), roles)


def properties(comment: str) -> dict[str, str]:
    """The common properties of a comment of MDF."""
    found = {}
    for line in comment.split("<e name=")[1:]:
        found[line.split('"')[1]] = line.split(">")[1].split("<")[0].replace("&#34;", '"')
    return found


def by_json(file: Path) -> Read:
    read = json.loads(file.read_text(), parse_int=float)  # which -0 is, too
    return Read({s["name"]: np.array(s["values"], float) for s in read["signals"]},
                {s["name"]: s["unit"] for s in read["signals"]}, np.array(read["time"]), read["facts"],
                {s["name"]: s.get("role", "") for s in read["signals"]})  # fmt: skip


READERS = {".csv.gz": (by_pandas, "pandas"), ".parquet": (by_pyarrow, "PyArrow"), ".mat": (by_scipy, "SciPy"),
           ".mf4": (by_asammdf, "asammdf"), ".json": (by_json, "json")}  # fmt: skip


def differences(read: Read, want: Read, single: bool) -> list[str]:
    kind = np.float32 if single else np.float64
    found = [f"names {set(read.numbers) ^ set(want.numbers)}"] if set(read.numbers) != set(want.numbers) else []
    if not np.array_equal(read.time, want.time):
        found.append("times")
    for name, numbers in want.numbers.items():
        if read.numbers[name].dtype != kind or read.numbers[name].tobytes() != numbers.astype(kind).tobytes():
            found.append(name)
    if read.units is not None and (read.units["body.vx"], read.units["tire_FL.Fz"]) != ("m/s", "N"):
        found.append("units")
    roles = {"body.vx": "@chassis.vx", "tire_FL.Fz": "@wheel[1L].Fz", "tire_RR.kappa": "@wheel[2R].kappa"}
    if read.roles is not None and any(read.roles[k] != v for k, v in roles.items()):
        found.append("roles")
    facts = {"title": "Sine steer", "vehicle": "GenericVehicle", "set": "body.mass=1900"}
    if read.facts is not None and any(read.facts[k] != v for k, v in facts.items()):
        found.append("facts")
    return found


def main(out: Path) -> int:
    report = Report()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        record(out, folder / "run.csv")
        want = by_pandas(folder / "run.csv")
        for ending, (read, program) in READERS.items():
            for single in (False, True) if ending in (".parquet", ".mat", ".mf4") else (False,):
                file = folder / f"run{ending}"
                record(out, file, *(["--single"] if single else []))
                off = differences(read(file), want, single)
                what = "float32" if single else "double"
                said = "bit by bit what was written" if not off else "other " + ", ".join(off[:5])
                report.note(not off, f"{program} reads {ending} of {len(want.numbers)} signals, {what}: {said}")
        record(out, folder / "some.parquet", "--record", "body.*,tire_F?.Fz,-body.a*")
        some = set(by_pyarrow(folder / "some.parquet").numbers)
        asked = {n for n in want.numbers if n.startswith("body.") and not n.startswith("body.a")}
        asked |= {"tire_FL.Fz", "tire_FR.Fz"}
        report.note(some == asked, f"patterns record {len(some)} of {len(want.numbers)} signals")
    return report.failures


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])) > 0)
