"""Runs the real program for the end-to-end tests. SCRL is the path of the binary."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

SCRL = os.environ["SCRL"]
FAST = ["-m", "scrl", "--set", "hidden1=32", "--set", "hidden2=16", "--set", "epochs=20"]
OUTPUTS = ["model.scrl", "predictions.csv", "embeddings.npy", "ids.txt", "split.csv"]


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def environment(self, **more):
        env = dict(os.environ, SCRL_CACHE=str(self.path / "cache"), **more)
        return {k: v for k, v in env.items() if v is not None}

    def start(self, *args, **env):
        return subprocess.Popen([SCRL, *map(str, args)], cwd=self.path, env=self.environment(**env),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run_scrl(self, *args, code=0, **env):
        process = self.start(*args, **env)
        out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, code, f"scrl {' '.join(map(str, args))}\n{out}\n{err}")
        return out, err

    def train(self, *args, code=0, **env):
        out, err = self.run_scrl("train", *args, "--json", code=code, **env)
        return json.loads(out)

    def files(self, run):
        return {name: (self.path / run / name).read_bytes() for name in OUTPUTS}

    def write(self, name, text):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path
