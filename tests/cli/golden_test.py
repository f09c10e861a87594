"""Models and checkpoints that this and earlier versions wrote (tests/golden): read to the same bytes, or refused."""
import json
import pathlib
import re
import shutil
import unittest

from program import ProgramTest

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden"
VERSIONS = (GOLDEN.parent.parent / "docs/file-versions.md").read_text()
PORTABLE = {"SCRL_SIMD": "scalar"}  # as they were made


def present_version(kind):
    return int(re.search(rf"^\| `{kind}\.scrl` \| (\d+) \|", VERSIONS, re.M).group(1))


def kept(kind):
    """(version, folder of one file) of all that is kept."""
    for folder in sorted(GOLDEN.glob(f"{kind}-*")):
        for one in sorted(folder.iterdir()):
            yield int(folder.name.split("-")[1]), one


class GoldenTest(ProgramTest):
    def accepted(self, kind, version, one, args):
        """Whether the file is read. Only those of another version may be refused, and with a reason."""
        process = self.start(*args, **PORTABLE)
        _, err = process.communicate(timeout=300)
        if version == present_version(kind):
            self.assertEqual(process.returncode, 0, f"{one}: {err}")
        if process.returncode == 0:
            return True
        self.assertEqual(process.returncode, 4, f"{one}: {err}")
        self.assertIn("an earlier version of scrl wrote it", err, one)
        return False

    def test_models(self):
        tried = set()
        for version, one in kept("model"):
            with self.subTest(str(one.relative_to(GOLDEN))):
                tried.add(version)
                model = one / "model.scrl"
                if not self.accepted("model", version, one, ["predict", model, GOLDEN / "data", "-o", "p.csv", "-q"]):
                    continue
                self.assertEqual((self.path / "p.csv").read_bytes(), (one / "predictions.csv").read_bytes())
                self.run_scrl("embed", model, GOLDEN / "data", "-o", "e.npy", "-q", **PORTABLE)
                self.assertEqual((self.path / "e.npy").read_bytes(), (one / "embeddings.npy").read_bytes())
        self.assertIn(present_version("model"), tried, "run tests/golden/make.py")

    def test_checkpoints(self):
        tried = set()
        for version, one in kept("checkpoint"):
            with self.subTest(str(one.relative_to(GOLDEN))):
                tried.add(version)
                job = json.loads((one / "job.json").read_text())
                run = self.path / f"{version}-{one.name}"
                shutil.copytree(one, run, ignore=shutil.ignore_patterns("job.json"))
                if self.accepted("checkpoint", version, one, ["train", GOLDEN / "data", "-m", job["method"], "--seeds", 2, "-q",
                                                              "-o", run, "--resume", *job["settings"]]):
                    result = json.loads((run / "metrics.json").read_text())
                    self.assertEqual(result["result_hash"], job["result_hash"])
        self.assertIn(present_version("checkpoint"), tried, "run tests/golden/make.py")

    def test_the_instructions_of_this_machine_give_the_same_classes(self):
        for version, one in kept("model"):
            if version != present_version("model"):
                continue
            self.run_scrl("predict", one / "model.scrl", GOLDEN / "data", "-o", "p.csv", "-q")
            classes = [[line.split(",")[:2] for line in path.read_text().splitlines()]
                       for path in (self.path / "p.csv", one / "predictions.csv")]
            self.assertEqual(*classes, one)


if __name__ == "__main__":
    unittest.main()
