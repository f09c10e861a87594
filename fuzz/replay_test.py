"""Every target takes its seeds, and what fuzzing once found no longer is a finding."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
REPLAY = os.environ["REPLAY"]


class ReplayTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        subprocess.run([sys.executable, HERE / "seeds.py", os.environ["SCRL"], cls.folder.name], check=True,
                       stdout=subprocess.DEVNULL)
        cls.targets = re.findall(r'^ *{"(\w+)",', (HERE / "targets.cc").read_text(), re.M)

    def replay(self, target, files):
        done = subprocess.run([REPLAY, target, *map(str, files)], capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 0, f"{target}: " + done.stderr.decode(errors="replace")[-3000:])

    def test_seeds(self):
        self.assertGreater(len(self.targets), 10)
        for target in self.targets:
            with self.subTest(target):
                seeds = sorted(pathlib.Path(self.folder.name, target).glob("*"))
                self.assertTrue(seeds, "no seeds; see fuzz/seeds.py")
                self.replay(target, seeds)

    def test_findings(self):
        found = {}
        for path in sorted((HERE / "findings").glob("*/*")):
            found.setdefault(path.parent.name, []).append(path)
        self.assertTrue(found)
        for target, files in found.items():
            with self.subTest(target):
                self.assertIn(target, self.targets)
                self.replay(target, files)


if __name__ == "__main__":
    unittest.main()
