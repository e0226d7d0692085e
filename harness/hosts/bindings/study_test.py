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
import unittest.mock
import warnings

sys.path.append(str(pathlib.Path(__file__).parent))  # an isolated Python does not look there
import testrun

testrun.module_requires("duckdb", "pandas", "pyarrow", "scipy")

import duckdb
import numpy as np
import pandas
import pyarrow.compute
import pyarrow.parquet
import skidpad
from skidpad import _study_files as files
from skidpad._study_traces import RecordingFleet, chosen

ALL = "--all" in sys.argv
CHUNKS = 64 if ALL else 3
DESIGN = skidpad.design.sobol({"body.mass": (1800, 2400), "tire_*.LMUY": (0.6, 1.1)}, CHUNKS * 8 - 3, 7)
RECORDED = {"record_traces": 0.12, "record": ["body.v?", "tire_FL.Fz"]}
FAULT = "SKIDPAD_TEST_FAULT"  # a folder: what the runs break once, or always


def brake(fleet, design):
    """Speed after braking. Faults: "worker" ends the worker once, "write" ends it as soon as it begins to write the
    chunk's part into the folder that the fault names, "kill 17" the process of run 17, "late 2" fails in run 2."""
    import os
    import pathlib
    import signal
    import subprocess
    import sys

    import numpy as np

    fault = pathlib.Path(os.environ.get("SKIDPAD_TEST_FAULT", "/nowhere"))
    if any((fault / f"kill {run:.0f}").exists() for run in design["run"]):
        os.kill(os.getpid(), signal.SIGKILL)
    if 9 in design["run"]:
        try:
            (fault / "worker").unlink()
            os.kill(os.getppid(), signal.SIGKILL)
        except OSError:
            pass
    if 9 in design["run"] and (fault / "write").exists():
        watch = (
            "import ctypes, os, sys\n"
            "libc, create = ctypes.CDLL(None), 0x100\n"
            "events = libc.inotify_init()\n"
            "assert libc.inotify_add_watch(events, sys.argv[1].encode(), create) >= 0\n"
            "print(flush=True)\n"
            "while b'part-000001' not in os.read(events, 4096): pass\n"
            "os.kill(int(sys.argv[2]), 9)\n"
            "os.unlink(sys.argv[3])\n"
        )
        study = (fault / "write").read_text()
        (fault / "write").rename(fault / "watched")
        watcher = subprocess.Popen(
            [sys.executable, "-c", watch, study, str(os.getppid()), str(fault / "watched")],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        watcher.stdout.readline()
    if len(fleet) == 1 and (fault / "fails").exists() and design["run"][0] == 11:
        raise ValueError("run 11 has no brakes")
    if (fault / "fails").exists() and 11 in design["run"]:
        raise ValueError("one of them has no brakes")
    fleet.initialise()
    _, _ = fleet.bind(["brake_FL.torque", "brake_FR.torque"], ["body.vx", "body.x"])
    if any((fault / f"late {run:.0f}").exists() for run in design["run"]):
        fleet.rollout(np.full((5, 2), 900.0), 0.01)
        raise ValueError("it ends early")
    table = fleet.rollout(np.full((10, 2), 900.0), 0.01)
    return {"speed": table[-1, :, 0], "distance": table[-1, :, 1]}


def digests(folder):
    """The checksums of all parts and their traces."""
    parts = [path for kind in ("part-*", "traces-*") for path in pathlib.Path(folder).glob(kind)]
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
        return skidpad.study("generic4w", DESIGN, folder, **{"run": brake, "chunk": 8, **RECORDED, **options})

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
        study = skidpad.resume_study(folder).wait()
        self.assertEqual(study.progress.done, DESIGN.runs)
        table = study.table().to_table()
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

    def test_traces_are_those_of_vehicles_alone(self):
        study = self.study(self.whole)
        table = study.traces().to_table()
        names = ["body.vx", "body.vy", "body.vz", "tire_FL.Fz"]
        self.assertEqual(table.column_names, ["run", "time", *names])
        self.assertEqual(table.schema.field("tire_FL.Fz").metadata[b"unit"], b"N")
        recorded = np.unique(table.column("run"))
        np.testing.assert_array_equal(recorded, chosen(RECORDED["record_traces"], 0, DESIGN.runs))
        self.assertTrue(0 < len(list(self.whole.glob("traces-*"))) < CHUNKS)
        receipts = [json.loads(path.read_bytes())["traces"] for path in self.whole.glob("receipt-*")]
        self.assertEqual(sum(receipt["runs"] for receipt in receipts if receipt), len(recorded))
        for run in map(int, recorded):
            trace = study.trace(run)
            mass, grip = DESIGN.rows(run, 1)[0]
            with skidpad.Vehicle("generic4w") as car:
                car["body.mass"] = mass
                for wheel in ("FL", "FR", "RL", "RR"):
                    car[f"tire_{wheel}.LMUY"] = grip
                car.initialise()
                brakes = {"brake_FL.torque": 900.0, "brake_FR.torque": 900.0}
                alone = car.simulate(0.1, 0.01, brakes, names)
            np.testing.assert_array_equal(trace.table, alone.table)
            np.testing.assert_allclose(trace.time, alone.time, rtol=0, atol=1e-12)
            self.assertEqual(trace.units, alone.units)
            row = study.table().to_table(filter=pyarrow.compute.field("run") == run).to_pylist()[0]
            self.assertEqual(trace["body.vx"][-1], row["speed"])
        missing = next(run for run in range(DESIGN.runs) if run not in recorded)
        with self.assertRaisesRegex(skidpad.Error, f"run {missing} (was not recorded|has no trace)"):
            study.trace(missing)

    def test_traces_change_no_result(self):
        bare = self.study(self.folder("bare"), record_traces=0, record=()).wait()
        self.assertFalse(list(self.folder("bare").glob("traces-*")))
        whole = self.study(self.whole).table().to_table().to_pandas()
        pandas.testing.assert_frame_equal(bare.table().to_table().to_pandas(), whole, check_exact=True)

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

    @unittest.skipUnless(ALL and sys.platform == "linux", "takes long; files are watched by inotify")
    def test_a_worker_is_killed_as_it_begins_to_write(self):
        folder = self.folder("first_write")
        with self.fault("write") as fault:
            (fault / "write").write_text(str(folder))
            self.study(folder, executor=processes).wait()
            self.assertEqual(list(fault.iterdir()), [])  # the watcher has killed it
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
            "sys.path.insert(0, 'harness/hosts/bindings'); import study_test as t; "
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
                       capture_output=True, env={**os.environ, "PYTHONPATH": "harness/hosts/bindings"})  # fmt: skip
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

    def test_inputs_that_are_damaged_are_written_again_or_refused(self):
        """Whichever file of the model, the vehicle, the design or the function has a wrong bit."""
        design = skidpad.design.table({"body.mass": [1800.0, 1900.0]})
        call = functools.partial(skidpad.study, "generic4w", design, run=brake, chunk=1)
        whole = self.folder("inputs")
        call(whole).wait()
        wanted = digests(whole)
        names = ("files.zip", "state", "design/design.npy", "run.pickle")
        content = {name: (whole / name).read_bytes() for name in (*names, "manifest.json")}
        identity = files.digest(content["manifest.json"])
        for name in names:
            data = bytearray(content[name])
            data[-9 if name.endswith("npy") else len(data) // 2] ^= 1
            for kind, damaged in (("changed", data), ("cut", data[: len(data) // 3]), ("removed", None)):
                with self.subTest(f"{name} {kind}"):
                    (whole / name).unlink()
                    if damaged is not None:
                        (whole / name).write_bytes(damaged)
                    (whole / "receipt-000001.json").unlink()
                    before = (whole / "part-000001.parquet").read_bytes()
                    said = f"{whole}: damaged or missing: {name}; the call of skidpad.study that began"
                    with self.assertRaisesRegex(skidpad.Error, said):
                        skidpad.resume_study(whole)
                    version = json.loads(content["manifest.json"])["version"]
                    with self.assertRaisesRegex(skidpad.Error, said):
                        skidpad._study_work.work(str(whole), identity, version, 1, 1)
                    self.assertEqual(skidpad.study_progress(whole).done, 1)
                    self.assertEqual((whole / "part-000001.parquet").read_bytes(), before)
                    call(whole).wait()
                    self.assertEqual(digests(whole), wanted)
                    if name != "run.pickle":  # of the same function, not of the same bytes
                        self.assertEqual((whole / name).read_bytes(), content[name])

    def test_a_manifest_that_is_damaged_is_named_and_written_again(self):
        folder = self.folder("manifest")
        shutil.copytree(self.whole, folder)
        data = (folder / "manifest.json").read_bytes()
        for damaged in (b"", b"{", b"[1, 2]", b"{}", b"\xff", data.replace(b"1800.0", b"1801.0")):
            with self.subTest(damaged[:9]):
                (folder / "manifest.json").write_bytes(damaged)
                for call in (skidpad.resume_study, skidpad.study_progress):
                    with self.assertRaisesRegex(skidpad.Error, f"{folder}: manifest.json is damaged; the call of"):
                        call(folder)
                with self.assertRaisesRegex(skidpad.Error, "manifest.json is damaged"):  # it may be another study
                    self.study(folder, chunk=16)
                self.study(folder).wait()
                self.assertEqual((folder / "manifest.json").read_bytes(), data)
        self.same(folder)

    def test_parts_of_another_study_do_not_count(self):
        folder = self.folder("other")
        shutil.copytree(self.whole, folder)
        (folder / "manifest.json").unlink()
        design = skidpad.design.random({"body.mass": (1800, 2400), "tire_*.LMUY": (0.6, 1.1)}, DESIGN.runs, 1)
        study = skidpad.study("generic4w", design, folder, run=brake, chunk=8).wait()
        np.testing.assert_array_equal(study.table().to_table().column("body.mass"), design.rows(0, DESIGN.runs)[:, 0])

    def test_tables_and_progress_tell_parts_that_are_damaged_or_missing(self):
        (traced,) = sorted(self.whole.glob("traces-*"))[:1]
        for folded in (False, True):
            for name, at in (("part-000001.parquet", 40), ("part-000001.parquet", -40), ("part-000001.parquet", None),
                             ("part-000001.parquet", 0), (traced.name, 50)):  # fmt: skip
                with self.subTest(f"{name} {at} {folded}"), unittest.mock.patch.object(files, "RECEIPTS_TOGETHER", 1):
                    folder = self.folder("parts")
                    shutil.copytree(self.whole, folder)
                    if folded:
                        skidpad.resume_study(folder).wait()
                    study = skidpad.resume_study(folder).wait()
                    whole = study.table().to_table()
                    data = bytearray((folder / name).read_bytes())
                    (folder / name).unlink()
                    if at:
                        data[at] ^= 1
                        (folder / name).write_bytes(data)
                    elif at == 0:
                        (folder / name).write_bytes(b"")
                    said = f"{folder}: damaged or missing.*: {name}; the same call of skidpad.study makes them again"
                    read = study.table if name.startswith("part") else study.traces
                    with self.assertRaisesRegex(skidpad.Error, said):
                        read()
                    if name == traced.name:
                        run = 8 * int(name[7:13])
                        with self.assertRaisesRegex(skidpad.Error, said):
                            study.trace(run)
                    self.assertEqual(skidpad.study_progress(folder).done, DESIGN.runs - (0 if at else 8))
                    self.study(folder).wait()
                    self.same(folder)
                    self.assertEqual(study.table().to_table(), whole)
                    shutil.rmtree(folder)

    def test_parts_are_checked_once(self):
        study = self.study(self.whole).wait()
        with unittest.mock.patch.object(files, "fingerprint", side_effect=files.fingerprint) as read:
            for _ in range(3):
                study.table()
        self.assertEqual(read.call_count, CHUNKS)

    def test_folded_receipts_that_are_damaged_are_made_again(self):
        name = "receipts-0000.parquet"
        with unittest.mock.patch.object(files, "RECEIPTS_TOGETHER", 2):
            folded = self.folder("folded")
            shutil.copytree(self.whole, folded)
            skidpad.resume_study(folded).wait()
            data = (folded / name).read_bytes()
            self.assertFalse((folded / "receipt-000000.json").exists())
            changed = bytearray(data)
            changed[data.index(self.wanted["part-000001.parquet"][8:24].encode())] ^= 1
            for kind, content, lost in (("cut", data[: len(data) // 2], 2), ("empty", b"", 2), ("changed", changed, 1)):
                with self.subTest(kind):
                    folder = self.folder(f"folded-{kind}")
                    shutil.copytree(folded, folder)
                    (folder / name).write_bytes(content)
                    before = skidpad.study_progress(folder).done
                    self.study(folder).wait()
                    self.same(folder)
                    self.assertEqual(before, DESIGN.runs - 8 * lost)
                    self.assertFalse([*folder.glob("receipt-00000[01].json")])  # they are folded again
                    self.assertEqual(skidpad.study_progress(folder).done, DESIGN.runs)

    def test_a_receipt_says_what_it_said_or_nothing_whichever_byte_is_wrong(self):
        genuine = dict(files.receipts(files.store(self.whole)))
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(files, "RECEIPTS_TOGETHER", 2):
            place = files.store(folder)
            (study,) = {receipt["study"] for receipt in genuine.values()}
            files.fold(place, dict(genuine), study)
            shutil.copy(self.whole / files.part_name(2), folder)
            for name in ("receipts-0000.parquet", "receipt-000002.json"):
                data = (place if name in place.names() else files.store(self.whole)).read(name)
                for old in place.names("receipt"):
                    place.remove(old)
                for at in range(0, len(data), 1 if ALL else 5):
                    changed = bytearray(data)
                    changed[at] ^= 1 << at % 8
                    pathlib.Path(folder, name).write_bytes(changed)
                    found = dict(files.receipts(place))
                    self.assertLessEqual(found.items(), genuine.items(), (name, at))
                    self.assertIn(files.receipt(place, 2, study), (None, genuine[2]), (name, at))
                pathlib.Path(folder, name).write_bytes(data)
                self.assertEqual(set(dict(files.receipts(place))), {2} if name.startswith("receipt-") else {0, 1})
                place.remove(name)

    @unittest.skipUnless(ALL, "takes long")
    def test_two_drivers_at_once(self):
        folder = self.folder("two")
        both = [self.study(folder, executor=processes) for _ in range(2)]
        for one in both:
            one.wait()
        self.same(folder)

    def test_traces_that_are_damaged_are_made_again(self):
        (whole,) = sorted(self.whole.glob("traces-*"))[:1]
        data = bytearray(whole.read_bytes())
        data[len(data) // 2] ^= 1
        cut = [("cut", whole.read_bytes()[: len(data) // 2])] if ALL else []
        for name, content in (("changed", data), ("removed", None), *cut):
            folder = self.folder(f"traces-{name}")
            shutil.copytree(self.whole, folder)
            (folder / whole.name).unlink()
            if content is not None:
                (folder / whole.name).write_bytes(content)
            self.study(folder).wait()
            self.same(folder)

    def test_traces_of_runs_that_fail_end_there_and_those_of_killed_ones_are_missing(self):
        design = skidpad.design.table({"body.mass": np.linspace(1800, 2400, 4)})
        with self.fault("late 1", "kill 2"):
            study = skidpad.study("generic4w", design, self.folder("ends"), run=brake, record_traces=1).wait()
        table = study.traces().to_table(columns=["run", "time"]).to_pandas()
        ends = table.groupby("run")["time"].max()
        self.assertEqual(list(ends.index), [0, 1, 3])
        np.testing.assert_allclose(ends, [0.1, 0.05, 0.1], rtol=0, atol=1e-9)
        self.assertEqual([(row["run"], row["status"]) for row in study.failures().to_pylist()],
                         [(1, "failed"), (2, "killed")])  # fmt: skip

    def test_traces_of_manoeuvres_are_those_of_vehicles(self):
        recorded = list(chosen(0.7, 0, 5))
        self.assertTrue(0 < len(recorded) < 5 and recorded != list(range(len(recorded))), recorded)
        mass = np.linspace(1900, 2000, 5)
        mass[recorded[0]] = -1
        design = skidpad.design.table({"body.mass": mass})
        options = {"manoeuvre": "acceleration", "record_traces": 0.7, "record": ["@wheel[1L].Fz", "body.wx"]}
        study = skidpad.study("generic4w", design, self.folder("driven"), **options).wait()
        self.assertEqual(study.progress.failed, 1)
        table = study.traces().to_table(columns=["run", "manoeuvre_run"]).to_pandas()
        self.assertEqual({tuple(row) for row in table.to_numpy()}, {(run, 1) for run in recorded[1:]})
        with skidpad.Vehicle("generic4w") as car:
            car["body.mass"] = mass[recorded[-1]]
            alone = car.manoeuvre("acceleration").trace
        trace = study.trace(recorded[-1])
        self.assertEqual(set(trace) - set(alone), {"body.wx"})
        np.testing.assert_array_equal(trace.time, alone.time)
        np.testing.assert_array_equal(trace["body.vx"], alone["body.vx"])
        self.assertEqual(trace.units["tire_FL.Fz"], "N")
        with self.assertRaisesRegex(skidpad.Error, f"run {recorded[-1]} has no trace of number 2"):
            study.trace(recorded[-1], 2)

    def test_traces_that_cannot_be_are_refused(self):
        for options, text in (
            ({"record_traces": 1.5, "record": ()}, "from 0 to 1"),
            ({"record_traces": float("nan"), "record": ()}, "from 0 to 1"),
            ({"record_traces": 0}, "set both"),
        ):
            with self.assertRaisesRegex(ValueError, text):
                self.study(self.folder("refused"), **options)
        for name, text in (("body.nothing", '"body.nothing"'), ("nothing.*", r'matches "nothing\.\*"')):
            for record in ([name], name):  # one name is a list of one
                with self.assertRaisesRegex(skidpad.Error, text):
                    self.study(self.folder("refused"), record=record)
        with self.assertRaisesRegex(skidpad.Error, "record=no output or local variable fits"):
            self.study(self.folder("refused"), run=None, manoeuvre="acceleration", record=["nothing.*"],
                       record_traces=1).wait()  # fmt: skip
        with self.assertRaisesRegex(skidpad.Error, "differs in traces.share: there 0.12, here 0.5"):
            self.study(self.whole, record_traces=0.5)

    def test_a_run_that_kills_its_process_is_alone(self):
        folder = self.folder("deadly")
        with self.fault("kill 17"):
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

    def test_values_that_a_model_refuses_are_rows_with_the_reason(self):
        """0 where more is needed, a body without mass, and values below 0, by a function or a manoeuvre."""
        design = skidpad.design.table({
            "body.mass": [1900, 0, 1900, 1900, 1900, -1],
            "solver.step": [0.001, 0.001, 0, 0.001, 0.001, 0.001],
            "tire_FL.unloaded_radius": [0.355, 0.355, 0.355, 0, 0.355, 0.355],
            "tire_*.LMUY": [1, 1, 1, 1, 0, 1],
        })  # fmt: skip
        reasons = ["^$", "not a finite number: body.vx = NaN", "solver.step = 0: the value must be above 0",
                   "tire_FL.unloaded_radius = 0: the value must be above 0",
                   "parameter Lmuy .* is 0; it must be positive",
                   "body.mass = -1: the value must not be negative"]  # fmt: skip
        for name, options in (("function", {"run": brake}), ("manoeuvre", {"manoeuvre": "acceleration"})):
            study = skidpad.study("generic4w", design, self.folder(f"values-{name}"), chunk=4, **options).wait()
            rows = study.table().to_table().sort_by("run").to_pylist()
            self.assertEqual([row["status"] for row in rows], ["ok", *["failed"] * 5])
            for row, reason in zip(rows, reasons):
                self.assertRegex(row["reason"], reason)
            self.assertEqual(study.progress.failed, 5)

    def test_names_that_cannot_be_set_are_refused_before_the_first_chunk(self):
        for name, text in (
            ("body.mas", 'design: no variable is called "body.mas"; similar are body.mass'),
            ("tire_*.NOTHING", r'design: no variable matches "tire_\*.NOTHING"'),
            ("body.ax", "design: body.ax is computed by the model and cannot be set"),
        ):
            for options in ({"run": brake}, {"manoeuvre": "acceleration"}):
                with self.assertRaisesRegex(skidpad.Error, text):
                    skidpad.study("generic4w", skidpad.design.grid({"body.mass": [1900], name: [1]}),
                                  self.folder("names"), **options)  # fmt: skip
                self.assertFalse(self.folder("names").exists())
        with self.assertRaisesRegex(skidpad.Error, 'design: no variable is called "@chassis.mass"'):
            skidpad.study("generic4w", skidpad.design.grid({"@chassis.mass": [1900]}), self.folder("names"), run=brake)
        for name, text in (
            ("@nope", '^design: column "@nope": @nope names no role'),
            ("body.mass [m]", r'^design: column "body.mass \[m\]": m is not a unit for what must be in kg'),
        ):
            with self.assertRaisesRegex(skidpad.Error, text):
                skidpad.study("generic4w", skidpad.design.grid({name: [1]}), self.folder("names"),
                              manoeuvre="acceleration")  # fmt: skip
        self.assertFalse(self.folder("names").exists())
        design = skidpad.design.table({"@chassis.mass": [1900], "body.vx": [20], "tire_*.PKY1*": [1.1]})
        study = skidpad.study("generic4w", design, self.folder("roles"), manoeuvre="acceleration").wait()
        self.assertEqual(study.progress.failed, 0)

    def test_mistakes_of_all_runs_are_refused_before_the_first_chunk(self):
        folder, design = self.folder("mistakes"), skidpad.design.grid({"body.mass": [1900]})
        driven = {"manoeuvre": "acceleration"}
        plain = pathlib.Path(self.scratch.name, "plain.toml")
        plain.write_bytes(skidpad.manoeuvres.path("generic4w_sine").read_bytes())
        for options, error, text in (
            ({"run": 5}, TypeError, "run is 5; it must be a function"),
            ({"run": brake, "let": {"speed": 1}}, ValueError, "let sets constants of a manoeuvre"),
            ({"run": brake, "threads": -1}, ValueError, "threads is -1; it must be a whole number, from 0 on"),
            ({"run": brake, "threads": 1.5}, ValueError, "threads is 1.5"),
            ({"run": brake, "retries": -1}, ValueError, "retries is -1"),
            ({"run": brake, "steps": 1e4}, ValueError, "steps is 10000.0"),
            ({**driven, "let": {"speeed": 1}}, skidpad.Error, 'no constant "speeed"'),
            ({**driven, "let": {"to": "100 kg"}}, skidpad.Error, "kg is not a unit for what must be in m/s"),
            ({**driven, "let": {"to": float("nan")}}, ValueError, "must be a finite number"),
            ({"manoeuvre": plain}, skidpad.Error, r"plain.toml: the manoeuvre has no table \[figures\]"),
            ({"manoeuvre": "foo/acceleration"}, skidpad.Error, "manoeuvre: there is no file foo/acceleration"),
            ({"manoeuvre": "accelaration"}, skidpad.Error, "no file accelaration: .*similar are acceleration"),
        ):
            with self.subTest(text), self.assertRaisesRegex(error, text):
                skidpad.study("generic4w", design, folder, **options)
            self.assertFalse(folder.exists())
        with self.assertRaisesRegex(ValueError, "threads is -1"):
            skidpad.resume_study(self.whole, threads=-1)

    def test_a_study_whose_runs_all_fail_warns_with_the_first_reason(self):
        design = skidpad.design.table({"body.mass": [-1, -2]})
        call = functools.partial(skidpad.study, "generic4w", design, self.folder("failed"), run=brake, chunk=1)
        for _ in range(2):
            with self.assertWarnsRegex(RuntimeWarning, "all 2 runs have failed; the first: body.mass = -1: the value"):
                call().wait()

    def test_a_folder_that_is_called_as_the_manoeuvre_does_not_matter(self):
        """Nor does one that is called as the model."""
        design = skidpad.design.table({"body.mass": [1900, 2000]})
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                os.mkdir("generic4w")
                for _ in range(2):
                    study = skidpad.study("generic4w", design, "acceleration", manoeuvre="acceleration", chunk=1).wait()
                    self.assertEqual((study.progress.done, study.progress.failed), (2, 0))
            finally:
                os.chdir(before)

    def test_files_of_a_manoeuvre_are_those_that_it_uses(self):
        """Wherever they are; others beside it do not matter. Constants have units."""
        shipped = skidpad.manoeuvres.path("acceleration").read_text()
        home = self.folder("home")
        (home / "manoeuvres").mkdir(parents=True)
        (home / "cars").mkdir()
        car = home / "cars" / "generic4w.toml"
        car.write_text('models = ["GenericVehicle"]\n')
        path = home / "manoeuvres" / "mine.toml"
        path.write_text(shipped)
        design = skidpad.design.table({"body.mass": [1900.0]})

        def call(folder="used", **options):
            options = {"manoeuvre": path, "let": {"to": "72 km/h"}, **options}
            return skidpad.study("generic4w", design, self.folder(folder), **options).wait()

        mine = call().table().to_table().drop_columns("run")
        other = call("shipped", manoeuvre="acceleration", let={"to": 20.0}).table().to_table().drop_columns("run")
        self.assertEqual(mine, other)
        (home / "manoeuvres" / "results.csv").write_text("1")
        (home / "manoeuvres" / "other.toml").write_text("a = 1")
        call()
        self.assertIn("manoeuvres/mine.toml", call()._chunks.manifest["manoeuvre"]["name"])
        car.write_text(car.read_text() + "\n")
        with self.assertRaisesRegex(skidpad.Error, "differs in the content of manoeuvre/cars/generic4w.toml; t"):
            call()
        (home / "cars" / "another.toml").write_text('models = ["another"]\n')
        with self.assertRaisesRegex(skidpad.Error, "manoeuvre/cars/another.toml, which is missing there"):
            call()

    def test_reasons_have_no_folders_of_this_machine(self):
        """A unit that does not fit, a mass that cannot be: parts have the same bytes elsewhere."""
        chunks = skidpad._study_work.Chunks(self.whole)
        scratch = tempfile.mkdtemp(prefix="skidpad-")
        os.rmdir(scratch)
        for said, wanted in (
            (f"{scratch}/design.csv:4: the unit", "design, run 9: the unit"),
            (f"{scratch}/models/car.toml:4:2: a", "models/car.toml:4:2: a"),
            (f"{self.whole}/manoeuvre/m.toml:4:2: a", "manoeuvre/m.toml:4:2: a"),
            (f"{skidpad.manoeuvres.path('acceleration')}:1:1: a", "resources/manoeuvres/acceleration.toml:1:1: a"),
            ("body.mass = -1: no", "body.mass = -1: no"),
        ):
            self.assertEqual(chunks.plain(said, [3, 7, 9]), wanted)
        design = skidpad.design.table({"body.mass [m]": [1900, 2000, 2100], "body.vx": [20, 20, 20]})
        with self.assertRaisesRegex(skidpad.Error, r'^design: column "body.mass \[m\]": m is not a unit'):
            skidpad.study("generic4w", design, self.folder("unit"), "acceleration")
        design = skidpad.design.table({"body.mass": [-1, -2, -3], "body.vx": [20, 20, 20]})
        parts = []
        for folder in ("there", "elsewhere"):
            with self.assertWarnsRegex(RuntimeWarning, "all 3 runs have failed; the first: "):
                study = skidpad.study("generic4w", design, self.folder(folder), "acceleration", chunk=2).wait()
            parts.append(digests(self.folder(folder)))
            for reason in study.table().to_table().column("reason").to_pylist():
                self.assertRegex(reason, "body.mass")
                self.assertNotRegex(reason, f"skidpad-|design.csv|{self.folder(folder)}")
        self.assertEqual(*parts)

    def test_functions_that_end_their_process_are_killed_runs(self):
        """With any exit status, also without one, and with traces."""
        design = skidpad.design.table({"body.mass": [1900, 2000, 2100]})
        ends = (lambda: sys.exit(), lambda: sys.exit(0), lambda: sys.exit(1), lambda: os._exit(0))
        for number, end in enumerate(ends):

            def run(fleet, design):
                if 1 in design["run"]:
                    end()
                return brake(fleet, design)

            study = skidpad.study("generic4w", design, self.folder(f"exit-{number}"), run=run, record_traces=1).wait()
            rows = study.table().to_table().sort_by("run").to_pylist()
            self.assertEqual([row["status"] for row in rows], ["ok", "killed", "ok"])
            self.assertRegex(rows[1]["reason"], f"the process ended with status {int(number == 2)}")
            self.assertEqual(set(study.traces().to_table().column("run").to_pylist()), {0, 2})

    def test_columns_that_cannot_be_are_refused(self):
        design = skidpad.design.table({"body.mass": np.linspace(1800, 2400, 8)})
        for name, value, text in (
            ("run", 1.0, 'gives a column "run", .* already: its own are run, status, reason, warnings, body.mass; '),
            ("status", 1.0, 'gives a column "status"'),
            ("body.mass", 1.0, 'gives a column "body.mass"'),
            ("pole", 1j, 'gives a column "pole" of complex numbers; give real and imaginary parts'),
        ):
            def run(fleet, design):
                return {name: np.full(len(fleet), value)}

            with self.assertRaisesRegex(skidpad.Error, f"cannot be done: Error: the function of the study {text}"):
                skidpad.study("generic4w", design, self.folder(f"column-{name}"), run=run).wait()
            self.assertFalse(list(self.folder(f"column-{name}").glob("part-*")))

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
            ({"run": lambda fleet, design: {}}, "run.name: there 'brake', here '.*lambda>'"),
            ({"run": None, "manoeuvre": "acceleration"}, "manoeuvre: there None"),
        ):
            with self.assertRaisesRegex(skidpad.Error, f"holds another study, which differs in .*{text}"):
                self.study(self.whole, **options)
        with self.assertRaisesRegex(skidpad.Error, "design.kind: there 'sobol', here 'grid'"):
            skidpad.study("generic4w", skidpad.design.grid({"body.mass": [1900]}), self.whole, run=brake, chunk=8)
        with self.assertRaisesRegex(skidpad.Error, "in the content of state; t"), skidpad.Vehicle("generic4w") as car:
            car["body.mass"] = 2000
            skidpad.study(car, DESIGN, self.whole, run=brake, chunk=8, **RECORDED)
        with self.assertRaisesRegex(ValueError, "not both"):
            self.study(self.whole, manoeuvre="acceleration")
        self.assertEqual(digests(self.whole), self.wanted)

    def test_workers_of_another_version_are_refused(self):
        folder = self.folder("version")
        shutil.copytree(self.whole, folder)
        manifest = json.loads((folder / "manifest.json").read_text())
        del manifest["checksum"]
        (folder / "manifest.json").write_text(json.dumps(files.sealed({**manifest, "version": "0.0.9"}, "checksum")))
        (folder / "receipt-000000.json").unlink()
        with self.assertRaisesRegex(skidpad.Error, "the study 0.0.9: install the same version"):
            skidpad.resume_study(folder).wait()

    @unittest.skipUnless(ALL, "takes long")
    def test_interrupts_end_after_the_chunks_in_hand(self):
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # shells let background processes ignore it
        self.addCleanup(signal.signal, signal.SIGINT, before)
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

    def test_tables_have_the_columns_of_all_parts(self):
        """A part whose runs have all failed has no results. The schema of parts with the same columns is read once."""
        design = skidpad.design.table({"body.mass": [-1, 1900, -1, 2000, 2100]})
        study = skidpad.study("generic4w", design, self.folder("columns"), run=brake, chunk=1).wait()
        with unittest.mock.patch("pyarrow.parquet.read_schema", side_effect=pyarrow.parquet.read_schema) as read:
            table = study.table().to_table()
        self.assertEqual(read.call_count, 2)
        own = {"run", "body.mass", "status", "reason", "warnings"}
        self.assertEqual(set(table.column_names), own | {"speed", "distance"})
        self.assertEqual(table.column("speed").is_null().to_pylist(), [True, False, True, False, False])
        self.assertEqual(study.traces().to_table().num_rows, 0)

    def test_figures_of_several_runs_have_their_number(self):
        from skidpad._study_work import _row_of

        def figure(run, name, value):
            return {"run": run, "figure": name, "value": value, "unit": "1", "definition": name}

        figures = [figure(1, "gain", 1.0), figure(2, "gain", 2.0), figure(0, "mean", 1.5)]
        line = {"failure": "", "verdicts": ["", "stopped"], "warnings": ["too much", "too far"], "figures": figures}
        self.assertEqual(_row_of(line, True).values, {"gain.1": 1.0, "gain.2": 2.0, "mean": 1.5})
        self.assertEqual(_row_of({**line, "figures": figures[:1]}, False).values, {"gain": 1.0})
        row = _row_of(line, True)
        self.assertEqual((row.status, row.reason, row.warnings), ("ok", "stopped", "too much; too far"))

    def test_what_left_its_limits_is_a_column(self):
        """A falling car overloads its tires; a standing car does not."""

        def fall(fleet, design):
            fleet.initialise()
            fleet.bind([], ["body.z"])
            return {"z": fleet.rollout([], 0.001, steps=600)[-1, :, 0]}

        design = skidpad.design.table({"body.z": [0.62, 1.2]})
        study = skidpad.study("passenger_car", design, self.folder("warned"), run=fall).wait()
        stands, falls = study.table().to_table().column("warnings").to_pylist()
        self.assertEqual(stands, "")
        self.assertRegex(falls, r"tire_FL: Fz of \d+ N at 0\.\d+ s, above 9000 N, .*; tire_RR: deflection of ")


class Choices(unittest.TestCase):
    def test_which_runs_are_recorded_does_not_depend_on_chunks(self):
        for first in (0, 5, 2**40):
            whole = chosen(0.1, first, 20_000)
            parts = [chosen(0.1, first + k, min(640, 20_000 - k)) for k in range(0, 20_000, 640)]
            np.testing.assert_array_equal(whole, np.concatenate(parts))
            self.assertLess(abs(len(whole) - 2000), 5 * (20_000 * 0.1 * 0.9) ** 0.5)
            gaps = np.diff(whole)  # geometric: not one of every ten
            self.assertGreater(gaps.std(), 7)
            self.assertLessEqual(set(chosen(0.01, first, 20_000)), set(whole))
        np.testing.assert_array_equal(chosen(1, 3, 5), np.arange(3, 8))
        self.assertEqual(len(chosen(1e-9, 0, 1000)), 0)

    def test_progress_counts_while_chunks_end(self):
        """What a study says of itself fits together, however often other threads ask."""
        design = skidpad.design.grid({"body.mass": list(np.linspace(1800, 2400, 12))})
        with tempfile.TemporaryDirectory() as folder:
            study = skidpad.study("generic4w", design, folder, run=brake, chunk=3)
            seen, over = [], threading.Event()

            def ask():
                while not over.is_set():
                    progress = study.progress
                    seen.append(progress.done)
                    assert progress.done % 3 == 0 and progress.failed == 0
                    time.sleep(0.001)

            with concurrent.futures.ThreadPoolExecutor(3) as pool:
                asking = [pool.submit(ask) for _ in range(3)]
                try:
                    study.wait()
                finally:
                    over.set()
                for one in asking:
                    one.result()
            self.assertEqual(study.progress.done, 12)
            self.assertTrue(seen)
            self.assertLessEqual(set(seen), {0, 3, 6, 9, 12})


class Recorders(unittest.TestCase):
    """A fleet that is recorded does what any fleet does."""

    def setUp(self):
        with skidpad.Vehicle("generic4w") as car:
            self.plain, self.recorded = skidpad.Fleet(car, 1), RecordingFleet(car, ["body.vx", "body.x"], 1)
        for fleet in (self.plain, self.recorded):
            fleet.initialise()
            self.addCleanup(fleet.close)

    def test_arrays_and_results_are_those_of_a_fleet(self):
        block = np.random.default_rng(1).uniform(0, 900, (5, 2))
        wanted, got = [], []
        for fleet, said in ((self.plain, wanted), (self.recorded, got)):
            ins, outs = fleet.bind(["brake_FL.torque", "brake_RR.torque"], ["body.vx", "body.wz"])
            ins[:] = 300, 100
            fleet.step(0.01)
            said += [outs.copy(), fleet.rollout(block, 0.01), ins.copy(), outs.copy()]
            said += [fleet.rollout(block[:, np.newaxis], 0.002), fleet.step(0.01), outs.copy(), fleet.get(["body.x"])]
            fleet.bind([], ["body.x"])
            said.append(fleet.rollout([], 0.01, steps=3))
            fleet.bind(["brake_FL.torque", "brake_RR.torque"], ["brake_RR.torque", "body.x", "body.ax"])
            said.append(fleet.rollout(block, 0.01, read="after"))
        for one, other in zip(wanted, got):
            np.testing.assert_array_equal(one, other)
        self.assertEqual(len(self.recorded._times), 1 + 1 + 5 + 5 + 1 + 3 + 5)
        np.testing.assert_allclose(np.diff(self.recorded._times), [0.01] * 6 + [0.002] * 5 + [0.01] * 9, atol=1e-12)

    def test_steps_that_fail_are_not_kept(self):
        for fleet in (self.plain, self.recorded):
            fleet.bind(["brake_FL.torque"], ["body.vx"])
            table = fleet.rollout([[100], [np.nan], [100]], 0.01, errors="return")
            np.testing.assert_array_equal(np.isnan(table[:, 0, 0]), [False, True, True])
            table = fleet.rollout([[100], [np.nan], [100]], 0.01, errors="return", read="after")
            np.testing.assert_array_equal(np.isnan(table[:, 0, 0]), [False, True, True])
            self.assertRaises(skidpad.Error, fleet.rollout, [[np.nan]], 0.01, read="after")
            self.assertRaises(skidpad.Error, fleet.rollout, [[np.nan]], 0.01)
            self.assertRaisesRegex(ValueError, r"they need \(steps, 1\)", fleet.rollout, [[1, 2]], 0.01)
        self.assertEqual(len(self.recorded._times), 3)


class Idle(concurrent.futures.Executor):
    """Workers that say that a chunk is done, in any order."""

    def submit(self, work, folder, identity, version, chunk, threads):
        done = concurrent.futures.Future()
        done.set_result(files.sealed({"chunk": chunk, "rows": 2, "failures": chunk % 2, "study": identity}))
        return done


class Drivers(unittest.TestCase):
    def test_memory_of_the_driver_does_not_grow_with_chunks(self):
        """It forgets receipts that are folded, and counts what they say."""
        design = skidpad.design.random({"body.mass": (1800, 2400)}, 2 * 4500, 1)
        most = 0
        with tempfile.TemporaryDirectory() as folder:
            study = skidpad.study("generic4w", design, folder, run=brake, chunk=2, executor=Idle())
            while study._thread.is_alive():
                most = max(most, len(study._receipts))
            study.wait()
            self.assertEqual((study.progress.done, study.progress.failed), (9000, 2250))
            receipts = dict(files.receipts(files.store(folder), study.identity))
            self.assertEqual(len(receipts), 4000)  # the last 500 have no receipt here
            self.assertEqual(skidpad.study_progress(folder).done, 0)  # nor has any of them a part
            self.assertEqual(len(list(pathlib.Path(folder).glob("receipts-*"))), 4)
        self.assertTrue(0 < most <= 2000, most)
        self.assertEqual(len(study._receipts), 500)


    def test_a_place_that_the_driver_cannot_write_is_told(self):
        design = skidpad.design.random({"body.mass": (1800, 2400)}, 2, 1)
        full = unittest.mock.patch("skidpad._study_files.fold", side_effect=OSError(28, "No space left on device"))
        with tempfile.TemporaryDirectory() as folder, full:
            with self.assertRaisesRegex(skidpad.Error, f"{folder} cannot be read.*No space.*the same call goes on"):
                skidpad.study("generic4w", design, folder, run=brake, executor=Idle()).wait()


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

    def test_designs_with_the_same_values_are_equal(self):
        table = skidpad.design.table
        self.assertEqual(table({"a": [1, 2]}), table({"a": np.array([1.0, 2.0])}))
        self.assertEqual(len({table({"a": [1, 2]}), table({"a": [1, 2]}), table({"a": [1, 3]})}), 2)
        grid = skidpad.design.grid({"a": [1, 2]})
        for other in (table({"a": [1, 3]}), table({"b": [1, 2]}), table({"a": [1]}), grid):
            self.assertNotEqual(table({"a": [1, 2]}), other)

    def test_what_cannot_be_is_refused(self):
        for call, text in (
            (lambda: skidpad.design.random({"a": (2, 1)}, 3, 1), "range of a"),
            (lambda: skidpad.design.sobol({}, 3, 1), "one at least"),
            (lambda: skidpad.design.grid({"a": []}), "a value at least"),
            (lambda: skidpad.design.random({"a": (0, 1)}, 0, 1), "0 runs"),
            (lambda: skidpad.design.table({"a": [1, np.nan]}), "row 1"),
            (lambda: skidpad.design.grid({"a": [1, np.nan]}), "the values of a are .*nan.*; they must be finite"),
            (lambda: skidpad.design.grid({"a": "123"}), "the values of a are '123'; give a sequence"),
            (lambda: skidpad.design.grid({"a": 5}), "the values of a are 5; give a sequence"),
            (lambda: skidpad.design.grid({"a": ["1 kg"]}), "a value of a is '1 kg'; give a number"),
            (lambda: skidpad.design.grid(["a"]), r"levels is \['a'\]; give a mapping"),
            (lambda: skidpad.design.random({"a": (1,)}, 3, 1), r"range of a is \(1,\); give the least and the largest"),
            (lambda: skidpad.design.random({"a": (0, "x")}, 3, 1), "an end of the range of a is 'x'; give a number"),
            (lambda: skidpad.design.table({"a": [1, 2], "b": [1]}), "different numbers of values: a 2, b 1; give one"),
            (lambda: skidpad.design.table({"a": ["x"]}), r"the values of a are \['x'\]; give numbers"),
            (lambda: skidpad.design.table({"a": [[1, 2]]}), r"the values of a have the shape \(1, 2\)"),
            (lambda: skidpad.design.random({"a": (0, 1)}, 2.7, 1), "runs is 2.7; it must be a whole number"),
            (lambda: skidpad.design.latin({"a": (0, 1)}, 2, 1.5), "seed is 1.5; it must be a whole number"),
            (lambda: skidpad.design.sobol({"a": (0, 1)}, 2, -1), "seed is -1; allowed are 0 to"),
            (lambda: skidpad.design.random({"a": (0, 1)}, 2, 1 << 128), "allowed are 0 to"),
        ):
            with self.assertRaisesRegex((TypeError, ValueError), text):
                call()

    def test_a_sobol_sequence_needs_scipy_at_once(self):
        with unittest.mock.patch.dict(sys.modules, {"scipy": None, "scipy.stats": None}):
            with self.assertRaises(ImportError):
                skidpad.design.sobol(self.RANGES, 3, 1)


if __name__ == "__main__":
    unittest.main(verbosity=0, argv=[sys.argv[0], *(one for one in sys.argv[1:] if one != "--all")])
