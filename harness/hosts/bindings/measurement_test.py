"""MDF files of other programs in Python and in the command: python measurement_test.py OUT."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.append(str(pathlib.Path(__file__).parent))  # an isolated Python does not look there
import testrun

testrun.module_requires("asammdf", "pyarrow")

import asammdf
import numpy as np
import skidpad

OUT = pathlib.Path(sys.argv.pop(1))


class Measurements(unittest.TestCase):
    """A run as another program writes it: two groups of other times, compressed, the clock late by 0.137 s."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        time = np.linspace(0, 8, 8001)
        yaw = np.exp(-((time - 3) ** 2)) - np.exp(-((time - 5) ** 2) * 2)
        np.savetxt(
            self.folder / "run.csv", np.column_stack([time, yaw]), delimiter=",", header="time,body.wz", comments=""
        )
        fast, slow = np.arange(1, 7, 0.01), np.arange(1, 7, 0.05)
        mdf = asammdf.MDF(version="4.10")
        for name, at, factor, unit in (("YAW", fast, 180 / np.pi, "°/s"), ("wz", slow, 1, "rad/s")):
            values = factor * np.interp(at, time, yaw)
            mdf.append([asammdf.Signal(values, at + 0.137, name=name, unit=unit)])
        self.file = self.folder / "car.mf4"
        mdf.save(self.file, overwrite=True, compression=2)

    def compare(self, file, channel):
        by = self.folder / "by.toml"
        by.write_text(f'align = "body.wz"\n[column]\n"body.wz" = {{ name = "{channel}" }}\n')
        command = [OUT / "skidpad", "compare", self.folder / "run.csv", "--measured", file, "--by", by, "--json"]
        return subprocess.run(command, capture_output=True, text=True)

    def test_the_command_names_the_way(self):
        said = self.compare(self.file, "YAW")
        self.assertNotEqual(said.returncode, 0)
        self.assertIn("skidpad.measurement(file)", said.stderr)
        self.assertIn("skidpad[mdf]", said.stderr)

    def test_what_python_writes_the_command_reads(self):
        trace = skidpad.measurement(self.file)
        self.assertEqual(trace.units, {"YAW": "°/s", "wz": "rad/s"})
        self.assertEqual(np.isfinite(trace["wz"]).sum(), 120)
        self.assertEqual(np.isfinite(trace["YAW"]).sum(), 600)
        trace.write(self.folder / "measured.parquet")
        for channel, samples in (("YAW", 600), ("wz", 120)):
            said = self.compare(self.folder / "measured.parquet", channel)
            self.assertEqual(said.returncode, 0, said.stderr)
            (residual,) = json.loads(said.stdout)["residuals"]
            self.assertAlmostEqual(residual["shift"], -0.137, delta=1e-4)
            self.assertEqual(residual["samples"], samples)
            self.assertLess(residual["rms"], 1e-4)

    def test_channels_that_are_missing(self):
        with self.assertRaisesRegex(KeyError, "similar are YAW"):
            skidpad.measurement(self.file, ["YAWW"])
        self.assertEqual(list(skidpad.measurement(self.file, ["wz"])), ["wz"])


unittest.main()
