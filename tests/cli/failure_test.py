"""Every n-th allocation, write, fsync, rename, open, thread ... fails, by tests/support/failing_calls.cc.

After each failure: a clear message and the right code, no abort, and the same command without a failure goes on
to the same results. SCRL_FAILURES=all tries every n, a number so many of each kind (default 4)."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

FAILING = os.environ["SCRL_FAILING"]
WANTED = os.environ.get("SCRL_FAILURES", "4")
SANITIZED = bool(os.environ.get("SCRL_SANITIZE"))
MEMORY = pathlib.Path("/dev/shm")  # hundreds of fsyncs
DATA = "demo:nodes=50,features=100"
SETTINGS = ["--set", "epochs=2", "--set", "hidden1=8", "-q", "-t", "2"]

DISK_FULL, BROKEN, NO_MEMORY, FINE = 5, 1, 5, 0
# kind, error, codes it may end with: 0 where the program can do without, and what then has to be right
FAILURES = [("alloc", "ENOMEM", (NO_MEMORY, FINE)), ("map", "ENOMEM", (NO_MEMORY, FINE)),
            ("write", "ENOSPC", (DISK_FULL, FINE)), ("write", "EDQUOT", (DISK_FULL, FINE)), ("write", "EIO", (BROKEN, FINE)),
            ("write", "EINTR", (FINE,)), ("short", "EIO", (FINE,)), ("fsync", "EIO", (BROKEN, FINE)),
            ("fsync", "ENOSPC", (DISK_FULL, FINE)), ("close", "EIO", (BROKEN, FINE)), ("rename", "EIO", (BROKEN, FINE)),
            ("rename", "ENOSPC", (DISK_FULL, FINE)), ("mkdir", "ENOSPC", (DISK_FULL, FINE)),
            ("mkdir", "EROFS", (BROKEN, FINE)), ("openw", "ENOSPC", (DISK_FULL, BROKEN, FINE)),
            ("openw", "EMFILE", (BROKEN, FINE)), ("thread", "EAGAIN", (FINE,))]

# toml++ reads a number through a stream, which takes a failed allocation for a bad number.
MISTAKEN = "could not be interpreted as a value"


class FailureTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None)
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        self.tried = self.told = 0

    def run_scrl(self, *args, **env):
        return subprocess.run([FAILING, *map(str, args)], cwd=self.path, capture_output=True, text=True, timeout=300,
                              env=dict(os.environ, SCRL_CACHE="off", **env))

    def counts(self, job):
        done = self.run_scrl(*job, SCRL_FAIL_COUNT="counts")
        self.assertEqual(done.returncode, 0, done.stderr)
        return {kind: int(n) for kind, n in (line.split() for line in (self.path / "counts").read_text().splitlines())}

    @staticmethod
    def numbers(count, kind):
        if WANTED == "all":
            return range(1, count + 1)
        some = int(WANTED) * (4 if kind == "alloc" else 1)
        return sorted({1 + i * count // some for i in range(some) if count} | ({count} if count else set()))

    def left_behind(self):
        return [p.name for p in self.path.rglob("*") if ".tmp" in p.name]

    def loop(self, job, clear, results, goes_on=False):
        """`clear` forgets what was done; `results` are compared with those of an unbroken run. With `goes_on` a job
        may end well without a part that failed, which the next call tries again."""
        clear()
        counts = self.counts(job)
        wanted = results()
        for kind, error, codes in FAILURES:
            for n in self.numbers(counts[kind], kind):
                what = f"{job[0]}, {kind} {n} of {counts[kind]} fails with {error}"
                with self.subTest(what):
                    self.fail_once(job, f"{kind}:{n}:{error}", codes, clear, results, wanted, goes_on)
        print(f"{job[0]}: {self.tried} calls failed, {self.told} of them ended the command", flush=True)

    def fail_once(self, job, failure, codes, clear, results, wanted, goes_on):
        clear()
        done = self.run_scrl(*job, SCRL_FAIL=failure)
        self.tried += 1
        if not (failure.startswith("alloc") and MISTAKEN in done.stderr):
            self.assertIn(done.returncode, codes, done.stderr)
        if done.returncode != 0:
            self.told += 1
            self.assertRegex(done.stderr, r"\A(note: .*\n)*scrl: .+\n\Z")
        if not failure.startswith("alloc"):  # then the process may end where it stands
            self.assertEqual(self.left_behind(), [])
        if done.returncode != 0 or goes_on:
            again = self.run_scrl(*job)
            self.assertEqual(again.returncode, 0, f"then: {again.stderr}")
        self.assertEqual(results(), wanted)
        self.assertEqual(self.left_behind(), [])

    def remove(self, name):
        shutil.rmtree(self.path / name, ignore_errors=True)

    def read(self, *names):
        return {name: (self.path / name).read_bytes() for name in names}

    def test_convert(self):
        for layout, out in (("folder", "out"), ("graphml", "out.graphml")):
            job = ["convert", DATA, "--to", layout, "-o", out, "--force", "-q"]

            def clear():
                self.remove("out")
                (self.path / "out.graphml").unlink(missing_ok=True)

            def results():
                place = self.path / out
                return {p.name: p.read_bytes() for p in (place.iterdir() if place.is_dir() else [place])}

            self.loop(job, clear, results)

    def test_train(self):
        job = ["train", DATA, "-m", "gcn", "--seeds", "2", "--set", "checkpoint_secs=0", "--snapshots", "every:1",
               "-o", "run", "--resume", *SETTINGS]
        files = ["model.scrl", "predictions.csv", "embeddings.npy", "ids.txt", "split.csv"]

        def results():
            events = [json.loads(line) for line in (self.path / "run/events.jsonl").read_text().splitlines()]
            return {**self.read(*(f"run/{name}" for name in files)),
                    "hash": json.loads((self.path / "run/metrics.json").read_text())["result_hash"],
                    "events": [(e["event"], e.get("seed"), e.get("epoch"), e.get("loss")) for e in events],
                    "snapshots": {p.name: p.read_bytes() for p in (self.path / "run/snapshots").iterdir()},
                    "checkpoint": (self.path / "run/checkpoint.scrl").exists()}

        self.loop(job, lambda: self.remove("run"), results)

    def table(self, folder):
        def without_times(j):
            if isinstance(j, dict):
                return {k: without_times(v) for k, v in j.items() if k not in ("seconds", "peak_mb", "trained")}
            return [without_times(v) for v in j] if isinstance(j, list) else j
        return without_times(json.loads((self.path / folder / "results.json").read_text()))

    def test_compare(self):
        job = ["compare", DATA, "-m", "gcn,mlp", "--seeds", "1", "-o", "table", *SETTINGS]
        self.loop(job, lambda: self.remove("table"), lambda: self.table("table"))

    def test_tune(self):
        job = ["tune", DATA, "-m", "gcn", "--budget", "3", "--seeds", "2", "--space", "lr=0.01,0.1", "-o", "search", *SETTINGS]
        self.loop(job, lambda: self.remove("search"), lambda: self.read("search/best.toml"),
                  goes_on=True)

    def test_report(self):
        self.run_scrl("train", DATA, "-m", "gcn", "-o", "run", *SETTINGS)
        self.assertTrue((self.path / "run/model.scrl").exists())
        page = self.path / "page.html"
        self.loop(["report", "run", "--layout", "pca", "-o", "page.html", "-q", "-t", "2"],
                  lambda: page.write_text("old"), lambda: self.read("page.html"))


if __name__ == "__main__":
    unittest.main()
