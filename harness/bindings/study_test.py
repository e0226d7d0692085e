"""Studies with the installed wheel: python study_test.py [--all], in the root of the repository.

With --all they have 64 chunks, Ray is one of the executors, and more goes wrong.
"""

import concurrent.futures
import contextlib
import functools
import hashlib
import json
import multiprocessing
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

import duckdb
import numpy as np
import pandas
import pyarrow.parquet
import skidpad

ALL = "--all" in sys.argv
CHUNKS = 64 if ALL else 3
DESIGN = skidpad.design.sobol({"body.mass": (1800, 2400), "tire_*.LMUY": (0.6, 1.1)}, CHUNKS * 8 - 3, 7)
FAULT = "SKIDPAD_TEST_FAULT"  # a folder: what the runs break once, or always


def brake(fleet, design):
    """Speed after a second of braking. Faults: "worker" ends the worker once, "run" the process of run 17."""
    import os
    import pathlib
    import signal

    import numpy as np

    fault = pathlib.Path(os.environ.get("SKIDPAD_TEST_FAULT", "/nowhere"))
    if (fault / "run").exists() and 17 in design["run"]:
        os.kill(os.getpid(), signal.SIGKILL)
    if 9 in design["run"]:
        try:
            (fault / "worker").unlink()
            os.kill(os.getppid(), signal.SIGKILL)
        except OSError:
            pass
    if len(fleet) == 1 and (fault / "fails").exists() and design["run"][0] == 11:
        raise ValueError("run 11 has no brakes")
    if (fault / "fails").exists() and 11 in design["run"]:
        raise ValueError("one of them has no brakes")
    fleet.initialise()
    _, _ = fleet.bind(["brake_FL.torque", "brake_FR.torque"], ["body.vx", "body.x"])
    table = fleet.rollout(np.full((10, 2), 900.0), 0.01)
    return {"speed": table[-1, :, 0], "distance": table[-1, :, 1]}


def digests(folder):
    """The checksums of all parts."""
    parts = pathlib.Path(folder).glob("part-*")
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(parts)}


def processes():
    """A pool of two workers."""
    return concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn"))


class Studies(unittest.TestCase):
    """Whatever is lost, the parts have the bytes of the study that nothing has disturbed."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.whole = pathlib.Path(cls.scratch.name, "whole")
        cls.study(cls.whole).wait()
        cls.wanted = digests(cls.whole)

    @staticmethod
    def study(folder, **options):
        return skidpad.study("generic4w", DESIGN, folder, **{"run": brake, "chunk": 8, **options})

    @contextlib.contextmanager
    def fault(self, *names):
        """Lets the runs break something."""
        with tempfile.TemporaryDirectory() as folder:
            for name in names:
                pathlib.Path(folder, name).touch()
            os.environ[FAULT] = folder
            try:
                yield pathlib.Path(folder)
            finally:
                del os.environ[FAULT]

    def folder(self, name):
        return pathlib.Path(self.scratch.name, name)

    def same(self, folder):
        self.assertEqual(digests(folder), self.wanted)
        table = skidpad.resume_study(folder).wait().table().to_table()
        self.assertEqual(sorted(table.column("run").to_pylist()), list(range(DESIGN.runs)))

    def test_runs_are_those_of_vehicles_alone(self):
        table = self.study(self.whole).table().to_table().to_pandas().set_index("run")
        self.assertEqual(list(table.index), list(range(DESIGN.runs)))
        for run in (0, 9, DESIGN.runs - 1):
            mass, grip = DESIGN.rows(run, 1)[0]
            with skidpad.Vehicle("generic4w") as car:
                car["body.mass"] = mass
                for wheel in ("FL", "FR", "RL", "RR"):
                    car[f"tire_{wheel}.LMUY"] = grip
                car.initialise()
                car.set(["brake_FL.torque", "brake_FR.torque"], 900.0)
                for _ in range(10):
                    car.step(0.01)
                self.assertEqual((table["speed"][run], table["distance"][run]), (car["body.vx"], car["body.x"]))
            self.assertEqual((table["body.mass"][run], table["tire_*.LMUY"][run]), (mass, grip))
            self.assertEqual((table["status"][run], table["reason"][run]), ("ok", ""))

    def test_pandas_and_duckdb_read_the_parts(self):
        frame = pandas.concat(pandas.read_parquet(path) for path in sorted(self.whole.glob("part-*")))
        self.assertEqual(list(frame["run"]), list(range(DESIGN.runs)))
        count, mean = duckdb.sql(f"select count(*), avg(speed) from '{self.whole}/part-*.parquet'").fetchall()[0]
        self.assertEqual(count, DESIGN.runs)
        self.assertAlmostEqual(mean, frame["speed"].mean(), places=12)

    def test_a_worker_is_killed(self):
        folder = self.folder("killed")
        with self.fault("worker") as fault:
            self.study(folder, executor=processes).wait()
            self.assertFalse((fault / "worker").exists())
        self.same(folder)

    @unittest.skipUnless(ALL, "takes long")
    def test_a_pool_that_has_lost_a_worker_says_what_to_do(self):
        folder = self.folder("pool")
        with self.fault("worker"), processes() as pool:
            with self.assertRaisesRegex(skidpad.Error, "the same call goes on"):
                self.study(folder, executor=pool).wait()
        with processes() as pool:
            self.study(folder, executor=pool).wait()
        self.same(folder)

    def test_dask_loses_a_worker(self):
        import distributed

        folder = self.folder("dask")
        with warnings.catch_warnings(), self.fault("worker") as fault:
            warnings.simplefilter("ignore")
            with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
                with distributed.Client(cluster) as client:
                    self.study(folder, executor=client).wait()
            self.assertFalse((fault / "worker").exists())
        self.same(folder)

    @unittest.skipUnless(ALL, "Ray takes long to begin")
    def test_ray_loses_a_worker(self):
        folder = self.folder("ray")
        with self.fault("worker") as fault:
            self.study(folder, executor="ray").wait()
            self.assertFalse((fault / "worker").exists())
        self.same(folder)

    def test_the_driver_is_killed(self):
        folder = self.folder("driver")
        program = (
            f"import sys; sys.argv = ['study_test.py'{', ' + repr('--all') if ALL else ''}]; "
            "sys.path.insert(0, 'harness/bindings'); import study_test as t; "
            f"t.Studies.study({str(folder)!r}).wait()"
        )
        driver = subprocess.Popen([sys.executable, "-c", program])
        while not list(folder.glob("receipt-*")):
            time.sleep(0.05)
            self.assertIsNone(driver.poll())
        driver.kill()
        driver.wait()
        self.assertLess(skidpad.study_progress(folder).done, DESIGN.runs)
        said = subprocess.run([sys.executable, "-m", "skidpad", "study", "status", folder], check=True, text=True,
                              capture_output=True).stdout  # fmt: skip
        self.assertRegex(said, rf"^\d+ of {DESIGN.runs} runs, 0 failed$")
        subprocess.run([sys.executable, "-m", "skidpad", "study", "resume", folder, "--workers", "2"], check=True,
                       capture_output=True, env={**os.environ, "PYTHONPATH": "harness/bindings"})  # fmt: skip
        self.same(folder)

    def test_what_is_damaged_is_made_again(self):
        folder = self.folder("damaged")
        shutil.copytree(self.whole, folder)
        parts = sorted(folder.glob("part-*"))
        parts[0].write_bytes(parts[0].read_bytes()[: parts[0].stat().st_size // 2])
        data = bytearray(parts[1].read_bytes())
        data[len(data) // 2] ^= 1
        parts[1].write_bytes(data)
        (folder / "receipt-000002.json").unlink()
        (folder / ".part-000003.parquet.0123").write_bytes(b"half")  # of a worker that was killed
        (folder / "receipt-000003.json").write_text("{")
        self.study(folder).wait()
        self.same(folder)

    @unittest.skipUnless(ALL, "takes long")
    def test_two_drivers_at_once(self):
        folder = self.folder("two")
        both = [self.study(folder, executor=processes) for _ in range(2)]
        for one in both:
            one.wait()
        self.same(folder)

    def test_a_run_that_kills_its_process_is_alone(self):
        folder = self.folder("deadly")
        with self.fault("run"):
            failures = self.study(folder).wait().failures().to_pylist()
        self.assertEqual([(row["run"], row["status"]) for row in failures], [(17, "killed")])
        self.assertIn("SIGKILL", failures[0]["reason"])
        whole = self.study(self.whole).table().to_table().to_pandas().set_index("run").drop(17)
        rest = self.study(folder).table().to_table().to_pandas().set_index("run").drop(17)
        pandas.testing.assert_frame_equal(whole, rest, check_exact=True)

    def test_a_run_that_fails_has_a_row_with_the_reason(self):
        with self.fault("fails"):
            study = self.study(self.folder("failing")).wait()
        self.assertEqual(study.progress.failed, 1)
        (row,) = study.failures().to_pylist()
        self.assertEqual((row["run"], row["status"], row["reason"]), (11, "failed", "ValueError: run 11 has no brakes"))

    @unittest.skipUnless(ALL, "takes long")
    def test_chunks_threads_and_code_give_the_same_table(self):
        want = self.study(self.whole).table().to_table().sort_by("run").to_pandas()
        with skidpad.Vehicle("generic4w") as portable:
            portable.set_text("solver.code", "portable")
            for name, model, options in (
                ("one", "generic4w", {"chunk": 64, "threads": 1}),
                ("four", "generic4w", {"chunk": 16, "threads": 4}),
                ("portable", portable, {"chunk": 64}),
            ):
                study = skidpad.study(model, DESIGN, self.folder(name), run=brake, **options).wait()
                got = study.table().to_table().sort_by("run").to_pandas()
                pandas.testing.assert_frame_equal(got, want, check_exact=True)

    @unittest.skipUnless(ALL, "takes long")
    def test_a_disk_fills_up(self):
        """A limit of the size of files stands for the disk: a write beyond it fails as one on a full disk does."""
        import resource

        folder = self.folder("full")
        limit = resource.getrlimit(resource.RLIMIT_FSIZE)
        largest = max(path.stat().st_size for path in self.whole.glob("part-*"))
        self.study(folder, retries=0).stop()
        for path in folder.glob("part-*"):
            path.unlink()
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest // 2, limit[1]))
        try:
            with self.assertRaisesRegex(skidpad.Error, "(File too large|status 1).*|killed"):
                study = self.study(folder, retries=1).wait()
                raise skidpad.Error(skidpad.Status.REFUSED, "killed" if study.progress.failed else "no failure")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        self.assertFalse(list(folder.glob(".*")))
        for path in (*folder.glob("part-*"), *folder.glob("receipt-*")):
            path.unlink()
        self.study(folder).wait()
        self.same(folder)

    def test_another_study_in_the_folder_is_refused(self):
        for options, text in (
            ({"chunk": 16}, "chunk: there 8, here 16"),
            ({"run": lambda fleet, design: {}}, "run: there"),
            ({"run": None, "manoeuvre": "acceleration"}, "manoeuvre: there None"),
        ):
            with self.assertRaisesRegex(skidpad.Error, f"holds another study, which differs in .*{text}"):
                self.study(self.whole, **options)
        with self.assertRaisesRegex(skidpad.Error, "design: there"):
            skidpad.study("generic4w", skidpad.design.grid({"body.mass": [1900]}), self.whole, run=brake, chunk=8)
        with self.assertRaisesRegex(skidpad.Error, "files: there"), skidpad.Vehicle("generic4w") as car:
            car["body.mass"] = 2000
            skidpad.study(car, DESIGN, self.whole, run=brake, chunk=8)
        with self.assertRaisesRegex(ValueError, "not both"):
            self.study(self.whole, manoeuvre="acceleration")
        self.assertEqual(digests(self.whole), self.wanted)

    def test_workers_of_another_version_are_refused(self):
        folder = self.folder("version")
        shutil.copytree(self.whole, folder)
        manifest = json.loads((folder / "manifest.json").read_text())
        (folder / "manifest.json").write_text(json.dumps({**manifest, "version": "0.0.9"}))
        (folder / "receipt-000000.json").unlink()
        with self.assertRaisesRegex(skidpad.Error, "the study 0.0.9: install the same version"):
            skidpad.resume_study(folder).wait()

    @unittest.skipUnless(ALL, "takes long")
    def test_interrupts_end_after_the_chunks_in_hand(self):
        folder = self.folder("interrupted")
        study = self.study(folder)
        while not study.progress.done:
            time.sleep(0.02)
        threading.Timer(0.1, functools.partial(signal.raise_signal, signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            study.wait()
        self.assertLess(study.progress.done, DESIGN.runs)
        self.assertFalse(list(folder.glob(".*")))
        self.study(folder).wait()
        self.same(folder)

    def test_manoeuvres_give_the_figures_of_vehicles(self):
        design = skidpad.design.grid({"body.mass": [1900, -1]})
        study = skidpad.study("generic4w", design, self.folder("manoeuvre"), manoeuvre="acceleration").wait()
        good, bad = study.table().to_table().to_pylist()
        with skidpad.Vehicle("generic4w") as car:
            car["body.mass"] = 1900
            figures = car.manoeuvre("acceleration").figures
        self.assertTrue(len(figures))
        for name, figure in figures.iterrows():
            self.assertEqual(good[name], figure["value"])
            field = study.table().schema.field(name)
            self.assertEqual(field.metadata[b"unit"].decode(), figure["unit"])
        self.assertEqual((bad["status"], study.progress.failed), ("failed", 1))
        self.assertIn("must not be negative", bad["reason"])


    def test_figures_of_several_runs_have_their_number(self):
        from skidpad._study_work import _row_of

        def figure(run, name, value):
            return {"run": run, "figure": name, "value": value, "unit": "1", "definition": name}

        figures = [figure(1, "gain", 1.0), figure(2, "gain", 2.0), figure(0, "mean", 1.5)]
        line = {"failure": "", "verdicts": ["", "stopped"], "figures": figures}
        self.assertEqual(_row_of(line, True).values, {"gain.1": 1.0, "gain.2": 2.0, "mean": 1.5})
        self.assertEqual(_row_of({**line, "figures": figures[:1]}, False).values, {"gain": 1.0})
        self.assertEqual((_row_of(line, True).status, _row_of(line, True).reason), ("ok", "stopped"))


class Designs(unittest.TestCase):
    RANGES = {"a": (1, 2), "b": (-5, 5)}

    def test_rows_do_not_depend_on_how_they_are_asked_for(self):
        grid = skidpad.design.grid({"a": [1, 2, 3], "b": [5, 6], "c": [7]})
        np.testing.assert_array_equal(grid.rows(0, 6)[:, :2], [(a, b) for a in (1, 2, 3) for b in (5, 6)])
        for design in (grid, *(make(self.RANGES, 50, 3) for make in
                               (skidpad.design.sobol, skidpad.design.random, skidpad.design.latin))):  # fmt: skip
            rows = design.rows(0, design.runs)
            again = skidpad.design.read(json.loads(json.dumps(design.describe())), design.stored)
            for first, count in ((0, 1), (1, 4), (design.runs - 2, 2)):
                np.testing.assert_array_equal(rows[first : first + count], design.rows(first, count))
                np.testing.assert_array_equal(rows[first : first + count], again.rows(first, count))

    def test_ranges_are_filled(self):
        for make in (skidpad.design.sobol, skidpad.design.random, skidpad.design.latin):
            rows = make(self.RANGES, 256, 3).rows(0, 256)
            self.assertTrue(((rows >= (1, -5)) & (rows <= (2, 5))).all())
            np.testing.assert_allclose((rows.mean(axis=0) - (1.5, 0)) / (1, 10), 0, atol=0.06)
            self.assertFalse((rows == make(self.RANGES, 256, 4).rows(0, 256)).all())
        parts = np.sort(np.floor(256 * (skidpad.design.latin(self.RANGES, 256, 1).rows(0, 256)[:, 0] - 1)))
        np.testing.assert_array_equal(parts, np.arange(256))

    def test_what_cannot_be_is_refused(self):
        for call, text in (
            (lambda: skidpad.design.random({"a": (2, 1)}, 3, 1), "range of a"),
            (lambda: skidpad.design.sobol({}, 3, 1), "one at least"),
            (lambda: skidpad.design.grid({"a": []}), "a value at least"),
            (lambda: skidpad.design.random({"a": (0, 1)}, 0, 1), "0 runs"),
            (lambda: skidpad.design.table({"a": [1, np.nan]}), "row 1"),
        ):
            with self.assertRaisesRegex(ValueError, text):
                call()


if __name__ == "__main__":
    unittest.main(verbosity=0, argv=sys.argv[:1])
