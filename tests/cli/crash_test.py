"""kill -9 at random moments, signals, and resuming to the bytes of the unbroken run."""
import json
import os
import random
import signal
import time
import unittest

from program import OUTPUTS, ProgramTest

KILLS = int(os.environ.get("SCRL_KILLS", "50"))
JOB = ["train", "demo", "-m", "scrl", "--seeds", "2", "--set", "epochs=60", "--set", "hidden1=64", "--set", "hidden2=32",
       "--set", "checkpoint_secs=0", "--snapshots", "every:7", "--json"]


class CrashTest(ProgramTest):
    def snapshots(self, run):
        files = {p.name: p.read_bytes() for p in (self.path / run / "snapshots").iterdir()}
        self.assertEqual(set(files), {f"epoch-{e}.npy" for e in range(0, 61, 7)})
        return files

    def test_killed_runs_resume_to_the_same_bytes(self):
        began = time.monotonic()
        reference = json.loads(self.run_scrl(*JOB, "-o", "whole")[0])
        duration = time.monotonic() - began
        rng, kills, runs = random.Random(1), 0, 0
        while kills < KILLS:
            run = f"run{runs}"
            runs += 1
            for _ in range(5):  # the same run may be killed several times
                process = self.start(*JOB, "-o", run, "--resume")
                time.sleep(rng.uniform(0, duration))
                process.send_signal(signal.SIGKILL)
                process.communicate()
                kills += process.returncode == -signal.SIGKILL
            report = json.loads(self.run_scrl(*JOB, "-o", run, "--resume")[0])
            self.assertEqual(report["result_hash"], reference["result_hash"], run)
            self.assertEqual(self.files(run), self.files("whole"), run)
            left = {p.name for p in (self.path / run).iterdir()}
            self.assertEqual(left, {"config.toml", "events.jsonl", "metrics.json", "snapshots", *OUTPUTS}, run)
            self.assertEqual(self.snapshots(run), self.snapshots("whole"), run)
            events = [json.loads(line) for line in (self.path / run / "events.jsonl").read_text().splitlines()]
            epochs = [(e["seed"], e["epoch"]) for e in events if e["event"] == "epoch"]
            self.assertEqual(len(epochs), len(set(epochs)), "an epoch is recorded twice")
        print(f"{kills} kills, {runs} runs, the same bytes each time")

    def interrupt(self, number, code):
        process = self.start("train", "demo", "--fast", "-o", "run", "--set", "epochs=100000", "--set", "patience=0")
        while not (self.path / "run/events.jsonl").exists() or \
                len((self.path / "run/events.jsonl").read_text().splitlines()) < 3:
            time.sleep(0.02)
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, code, err)
        self.assertIn("--resume", err)
        metrics = json.loads((self.path / "run/metrics.json").read_text())
        self.assertTrue(metrics["interrupted"])
        self.run_scrl("predict", "run", "-o", "p.csv")  # the best epoch so far is usable
        self.assertTrue((self.path / "run/checkpoint.scrl").exists())

    def test_sigint(self):
        self.interrupt(signal.SIGINT, 130)

    def test_sigterm(self):
        self.interrupt(signal.SIGTERM, 143)

    def test_resume_refuses_other_options(self):
        self.interrupt(signal.SIGINT, 130)
        _, err = self.run_scrl("train", "demo", "--fast", "-o", "run", "--resume", "--set", "epochs=100000",
                               "--set", "patience=0", "--lr", "0.3", code=2)
        self.assertIn("cannot resume: lr was", err)
        _, err = self.run_scrl("train", "demo:seed=1", "--fast", "-o", "run", "--resume", "--set", "epochs=100000",
                               "--set", "patience=0", code=2)
        self.assertIn("the data has changed", err)

    def test_resume_refuses_another_instruction_set(self):
        self.interrupt(signal.SIGINT, 130)
        _, err = self.run_scrl("train", "demo", "--fast", "-o", "run", "--resume", "--set", "epochs=100000",
                               "--set", "patience=0", SCRL_SIMD="sse4", code=2)
        self.assertIn("set SCRL_SIMD=", err)

    def test_a_finished_run_of_other_data_is_not_taken_for_this_one(self):
        self.run_scrl(*JOB, "-o", "run")
        _, err = self.run_scrl(JOB[0], "demo:seed=5", *JOB[2:], "-o", "run", "--resume", code=2)
        self.assertIn("the data has changed", err)

    def test_resuming_a_finished_run_changes_nothing(self):
        self.run_scrl(*JOB, "-o", "run")
        before = self.files("run")
        out, err = self.run_scrl(*JOB, "-o", "run", "--resume")
        self.assertIn("complete", err)
        self.assertEqual(self.files("run"), before)
        self.assertEqual(json.loads(out)["seeds"], 2)

    def test_a_damaged_checkpoint_is_refused(self):
        self.interrupt(signal.SIGINT, 130)
        checkpoint = self.path / "run/checkpoint.scrl"
        data = bytearray(checkpoint.read_bytes())
        data[len(data) // 2] ^= 1
        checkpoint.write_bytes(data)
        _, err = self.run_scrl("train", "demo", "--fast", "-o", "run", "--resume", "--set", "epochs=100000",
                               "--set", "patience=0", code=4)
        self.assertIn("checkpoint.scrl", err)


if __name__ == "__main__":
    unittest.main()
