"""Studies in object stores, servers of S3 and of Google Cloud Storage on this machine: python store_test.py, in the
root of the repository. SKIDPAD_GCS_SERVER is the program fake-gcs-server; without it, there is S3 alone.

Whatever is lost, the parts have the bytes of the same study in a folder.
"""

import contextlib
import hashlib
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

sys.path.append(str(pathlib.Path(__file__).parent))  # an isolated Python does not look there
import testrun

testrun.module_requires("boto3", "moto", "pandas", "pyarrow")

import boto3
import numpy as np
import pandas
import pyarrow.fs
import skidpad
from moto.server import ThreadedMotoServer
from skidpad import _study_files as files
from study_test import FAULT, RECORDED, Idle, brake, processes

DESIGN = skidpad.design.sobol({"body.mass": (1800, 2400), "tire_*.LMUY": (0.6, 1.1)}, 45, 7)
KEYS = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")


class Stores(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
        cls.server.start()
        cls.addClassCleanup(lambda: cls.server.stop())
        cls.host, cls.port = cls.server.get_host_and_port()
        cls.url = f"http://{cls.host}:{cls.port}"
        os.environ.update(
            {"AWS_ENDPOINT_URL": cls.url, "AWS_DEFAULT_REGION": "us-east-1", **dict.fromkeys(KEYS, "key")}
        )
        cls.s3 = boto3.client("s3")
        cls.s3.create_bucket(Bucket="bucket")
        cls.scratch = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.folder = pathlib.Path(cls.scratch, "whole")
        cls.study(cls.folder).wait()
        cls.wanted = {path.name: path.read_bytes() for kind in ("part-*", "traces-*") for path in cls.folder.glob(kind)}

    @staticmethod
    def study(place, **options):
        return skidpad.study("generic4w", DESIGN, place, **{"run": brake, "chunk": 8, **RECORDED, **options})

    def place(self):
        return f"s3://bucket/{self.id().split('.')[-1]}/study"

    def objects(self, place):
        """All objects of a study: content by name."""
        prefix = place.removeprefix("s3://bucket/") + "/"
        found = self.s3.list_objects_v2(Bucket="bucket", Prefix=prefix)["Contents"]
        return {one["Key"].removeprefix(prefix): self.s3.get_object(Bucket="bucket", Key=one["Key"])["Body"].read()
                for one in found}  # fmt: skip

    def put(self, place, name, data):
        self.s3.put_object(Bucket="bucket", Key=f"{place.removeprefix('s3://bucket/')}/{name}", Body=bytes(data))

    def copied(self):
        """A study that is over."""
        for path in self.folder.iterdir():
            self.put(self.place(), path.name, path.read_bytes())
        return self.place()

    def same(self, place):
        """The study is complete, and its files equal the files of the folder."""
        objects = self.objects(place)
        parts = {name: data for name, data in objects.items() if name.startswith(("part-", "traces-"))}
        self.assertEqual(parts, self.wanted)
        study = skidpad.resume_study(place).wait()
        self.assertEqual((study.progress.done, study.progress.failed), (DESIGN.runs, 0))
        self.assertEqual(sorted(study.table().to_table().column("run").to_pylist()), list(range(DESIGN.runs)))
        self.assertEqual(self.objects(place), objects)  # there was nothing to do
        return study

    def command(self, *arguments):
        return subprocess.run([sys.executable, "-m", "skidpad", "study", *arguments], text=True, capture_output=True,
                              env={**os.environ, "PYTHONPATH": "harness/hosts/bindings"})  # fmt: skip

    @contextlib.contextmanager
    def fault(self, name):
        """Lets the runs break something."""
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, name).touch()
            os.environ[FAULT] = folder
            try:
                yield pathlib.Path(folder, name)
            finally:
                del os.environ[FAULT]

    def test_a_study_is_that_in_a_folder(self):
        place = self.place()
        self.study(place).wait()
        study, local = self.same(place), skidpad.resume_study(self.folder)
        self.assertIn(place, repr(study))
        for read in (lambda study: study.table(), lambda study: study.traces()):
            tables = [read(one).to_table().to_pandas() for one in (study, local)]
            pandas.testing.assert_frame_equal(*tables, check_exact=True)
        run = int(study.traces().to_table().column("run")[0].as_py())
        np.testing.assert_array_equal(study.trace(run).table, local.trace(run).table)
        manifest = self.objects(place)["manifest.json"]
        there = json.loads((self.folder / "manifest.json").read_bytes())
        self.assertEqual({**json.loads(manifest), "files": None}, {**there, "files": None})
        self.assertEqual(study.identity, hashlib.sha256(manifest).hexdigest())
        # The address can name the store, too.
        said = self.command("status", f"{place}?endpoint_override={self.host}:{self.port}&scheme=http&region=us-east-1")
        self.assertEqual(said.stdout, f"{DESIGN.runs} of {DESIGN.runs} runs, 0 failed\n", said.stderr)

    def test_manoeuvres_designs_that_are_stored_and_failures(self):
        design = skidpad.design.table({"body.mass": [1900, -1]})
        with tempfile.TemporaryDirectory() as folder:
            manoeuvre = pathlib.Path(folder, "mine.toml")
            manoeuvre.write_bytes(skidpad.manoeuvres.path("acceleration").read_bytes())
            for file in skidpad.manoeuvres.path("acceleration").parent.glob("cars/*"):
                (pathlib.Path(folder) / "cars").mkdir(exist_ok=True)
                (pathlib.Path(folder) / "cars" / file.name).write_bytes(file.read_bytes())
            both = [skidpad.study("generic4w", design, out, manoeuvre=manoeuvre).wait()
                    for out in (self.place(), pathlib.Path(folder, "study"))]  # fmt: skip
            tables = [study.table().to_table().to_pandas() for study in both]
            pandas.testing.assert_frame_equal(*tables, check_exact=True)
            self.assertEqual([study.failures().column("run").to_pylist() for study in both], [[1], [1]])
        self.assertIn("design/design.npy", self.objects(self.place()))
        self.assertIn("manoeuvre/mine.toml", self.objects(self.place()))

    def test_a_worker_is_killed(self):
        place = self.place()
        with self.fault("worker") as fault:
            self.study(place, executor=processes).wait()
            self.assertFalse(fault.exists())
        self.same(place)

    def test_two_drivers_at_once(self):
        place = self.place()
        both = [self.study(place, executor=processes) for _ in range(2)]
        for one in both:
            one.wait()
        self.same(place)

    def test_the_driver_is_killed(self):
        place = self.place()
        program = (
            "import sys; sys.path.insert(0, 'harness/hosts/bindings'); import store_test as t; "
            f"t.Stores.study({place!r}).wait()"
        )
        driver = subprocess.Popen([sys.executable, "-c", program])
        while True:
            with contextlib.suppress(skidpad.Error, OSError):
                if skidpad.study_progress(place).done:
                    break
            self.assertIsNone(driver.poll())
            time.sleep(0.05)
        driver.kill()
        driver.wait()
        self.assertRegex(self.command("status", place).stdout, rf"^\d+ of {DESIGN.runs} runs, 0 failed$")
        self.assertEqual(self.command("resume", place, "--workers", "2").returncode, 0)
        self.same(place)

    def test_what_is_damaged_is_made_again(self):
        place = self.copied()
        whole = self.objects(place)
        self.put(place, "part-000000.parquet", whole["part-000000.parquet"][:-9])
        changed = bytearray(whole["part-000001.parquet"])
        changed[len(changed) // 2] ^= 1
        self.put(place, "part-000001.parquet", changed)
        self.put(place, "receipt-000003.json", b"{")
        traces = bytearray(next(data for name, data in whole.items() if name.startswith("traces-")))
        traces[len(traces) // 2] ^= 1
        self.put(place, next(name for name in whole if name.startswith("traces-")), traces)
        prefix = place.removeprefix("s3://bucket/")
        for name in ("receipt-000002.json", "part-000005.parquet"):
            self.s3.delete_object(Bucket="bucket", Key=f"{prefix}/{name}")
        receipts = [name for name in whole if name.startswith("receipt-")]
        self.study(place).wait()
        self.same(place)
        again = self.objects(place)
        done = {int(name[8:14]) for name in receipts if again[name] != whole[name]}
        traced = int(next(name for name in whole if name.startswith("traces-"))[7:13])
        self.assertEqual(done, {0, 1, 2, 3, 5, traced})

    def test_receipts_are_folded_by_thousands(self):
        place = self.place()
        design = skidpad.design.random({"body.mass": (1800, 2400)}, 2 * 1001, 1)
        self.put(place, "receipt-000002.json", b"{}")
        skidpad.study("generic4w", design, place, run=brake, chunk=2, executor=Idle()).wait()
        receipts = [name for name in self.objects(place) if name.startswith("receipt")]
        self.assertEqual(receipts, ["receipts-0000.parquet"])
        self.assertEqual(len(dict(files.receipts(files.store(place)))), 1000)

    def test_another_study_is_refused(self):
        place = self.copied()
        with self.assertRaisesRegex(
            skidpad.Error, f"{place} holds another study, which differs in chunk: there 8, here 16"
        ):
            self.study(place, chunk=16)
        with self.assertRaisesRegex(skidpad.Error, "holds no study: there is no manifest.json"):
            skidpad.resume_study(place + "/nothing")

    def test_a_study_that_is_replaced_is_refused(self):
        place = self.copied()
        study = skidpad.resume_study(place).wait()
        manifest = json.loads(self.objects(place)["manifest.json"])
        del manifest["checksum"]
        self.put(place, "manifest.json", files.dumped(files.sealed({**manifest, "model": "other.toml"}, "checksum")))
        self.s3.delete_object(Bucket="bucket", Key=f"{place.removeprefix('s3://bucket/')}/receipt-000000.json")
        version = json.loads(self.objects(place)["manifest.json"])["version"]
        with self.assertRaisesRegex(skidpad.Error, "another study than at the start"):
            skidpad._study_work.work(place, study.identity, version, 0, 1)

    def test_files_outside_of_the_copy_are_refused(self):
        place = self.copied()
        manifest = json.loads(self.objects(place)["manifest.json"])
        manifest["files"]["../outside"] = "0"
        del manifest["checksum"]
        self.put(place, "manifest.json", files.dumped(files.sealed(manifest, "checksum")))
        with self.assertRaisesRegex(ValueError, "'../outside', which lies outside"):
            skidpad.resume_study(place)

    def test_places_that_cannot_be_are_refused(self):
        for place, text in (
            ("s3://key:secret@bucket/study", "has credentials in it.*AWS_ACCESS_KEY_ID"),
            ("s3://bucket", "with bucket and prefix, as in s3://bucket/study"),
            ("ftp://bucket/study", "allowed are a folder, and s3, gs, gcs"),
            ("s3://bucket/study?no=1", "no"),
        ):
            with self.assertRaisesRegex(ValueError, text) as raised:
                self.study(place)
            self.assertNotIn("secret@", str(raised.exception))
        with self.assertRaisesRegex(skidpad.Error, "there is no bucket nothing; make it first"):
            self.study("s3://nothing/study")
        said = self.command("status", "s3://nothing/study")
        self.assertEqual((said.returncode, said.stdout), (1, ""))
        self.assertIn("there is no bucket nothing", said.stderr)

    def test_wrong_credentials_are_told(self):
        place = self.place()
        self.study(place).stop()
        self.authenticate(0)
        self.addCleanup(self.authenticate, float("inf"))
        for call in (lambda: self.study(place), lambda: skidpad.study_progress(place)):
            with self.assertRaisesRegex(skidpad.Error, f"{place} cannot be read.*ACCESS_DENIED.*check the credentials"):
                call()

    def authenticate(self, after):
        """Lets the server check credentials after some requests."""
        request = urllib.request.Request(
            f"{self.url}/moto-api/reset-auth", str(after).encode(), {"Content-Type": "text/plain"}
        )
        urllib.request.urlopen(request).close()

    def test_the_server_goes_away(self):
        place = self.place()
        study = self.study(place, retries=1, executor=processes)
        while not study.progress.done:
            time.sleep(0.01)
        self.server.stop()
        try:
            with self.assertRaisesRegex(skidpad.Error, "what is done is kept, and the same call goes on"):
                study.wait()
            self.assertLess(study.progress.done, DESIGN.runs)
            with self.assertRaisesRegex(
                skidpad.Error, f"{place} cannot be read or written.*connect.*same call goes on"
            ):
                self.study(place)
        finally:
            type(self).server = ThreadedMotoServer(self.host, self.port, verbose=False)
            self.server.start()
        before = self.objects(place)
        self.study(place).wait()
        after = self.objects(place)
        kept = [name for name in before if name.startswith("receipt-")]
        self.assertTrue(kept)
        self.assertEqual([before[name] for name in kept], [after[name] for name in kept])  # none is made again
        self.same(place)


@unittest.skipUnless(os.environ.get("SKIDPAD_GCS_SERVER"), "SKIDPAD_GCS_SERVER names no server")
class GoogleStores(unittest.TestCase):
    """The same path through pyarrow, to a server of another protocol."""

    @classmethod
    def setUpClass(cls):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        cls.options = f"endpoint_override=127.0.0.1:{port}&scheme=http"
        options = ["-scheme", "http", "-host", "127.0.0.1", "-port", str(port), "-backend", "memory"]
        cls.server = subprocess.Popen([os.environ["SKIDPAD_GCS_SERVER"], *options, "-log-level", "error"])
        cls.addClassCleanup(cls.server.wait)
        cls.addClassCleanup(cls.server.kill)
        make = urllib.request.Request(f"http://127.0.0.1:{port}/storage/v1/b?project=here", b'{"name": "bucket"}',
                                      {"Content-Type": "application/json"})  # fmt: skip
        while True:
            with contextlib.suppress(ConnectionError, urllib.error.URLError):
                urllib.request.urlopen(make).close()
                break
            if cls.server.poll() is not None:
                raise RuntimeError("the server has ended")
            time.sleep(0.05)
        cls.scratch = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.folder = pathlib.Path(cls.scratch, "whole")
        Stores.study(cls.folder).wait()
        cls.wanted = {path.name: path.read_bytes() for kind in ("part-*", "traces-*") for path in cls.folder.glob(kind)}

    def place(self, bucket="bucket"):
        return f"gs://anonymous@{bucket}/{self.id().split('.')[-1]}/study?{self.options}"

    def same(self, place):
        """The study is complete, and its files equal the files of the folder."""
        store = files.store(place)
        names = store.names("part-") + store.names("traces-")
        self.assertEqual({name: store.read(name) for name in names}, self.wanted)
        before = {name: store.read(name) for name in store.names()}
        study = skidpad.resume_study(place).wait()
        self.assertEqual((study.progress.done, study.progress.failed), (DESIGN.runs, 0))
        self.assertEqual({name: store.read(name) for name in store.names()}, before)  # there was nothing to do
        local = skidpad.resume_study(self.folder)
        for one, other in ((study.table(), local.table()), (study.traces(), local.traces())):
            tables = [table.to_table().to_pandas() for table in (one, other)]
            pandas.testing.assert_frame_equal(*tables, check_exact=True)

    def test_a_worker_is_killed(self):
        place = self.place()
        with Stores.fault(self, "worker") as fault:
            Stores.study(place, executor=processes).wait()
            self.assertFalse(fault.exists())
        self.same(place)
        said = Stores.command(self, "status", place)
        self.assertEqual(said.stdout, f"{DESIGN.runs} of {DESIGN.runs} runs, 0 failed\n", said.stderr)

    def test_what_is_damaged_is_made_again(self):
        store = files.store(self.place())
        for path in self.folder.rglob("*"):
            if path.is_file():
                store.write(path.relative_to(self.folder).as_posix(), path.read_bytes())
        store.write("part-000000.parquet", self.wanted["part-000000.parquet"][:-9])
        changed = bytearray(self.wanted["part-000001.parquet"])
        changed[len(changed) // 2] ^= 1
        store.write("part-000001.parquet", bytes(changed))
        store.write("receipt-000003.json", b"{")
        store.remove("receipt-000002.json")
        store.remove("part-000005.parquet")
        self.assertEqual(skidpad.study_progress(self.place()).done, DESIGN.runs - 3 * 8 - 5)
        Stores.study(self.place()).wait()
        self.same(self.place())

    def test_places_that_cannot_be_are_refused(self):
        for address in (f"gs://key@bucket/study?{self.options}", f"gs://anonymous:secret@bucket/study?{self.options}"):
            with self.assertRaisesRegex(ValueError, "has credentials in it"):
                Stores.study(address)
        with self.assertRaisesRegex(skidpad.Error, "there is no bucket nothing; make it first"):
            Stores.study(self.place("nothing"))


if __name__ == "__main__":
    unittest.main(verbosity=0)
