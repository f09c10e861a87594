"""scrl diff: what differs between two runs, on real runs."""
import json
import shutil
import unittest

from program import FAST, ProgramTest

DATA = "demo:nodes=300"


class DiffTest(ProgramTest):
    def diff(self, a, b, code=1):
        out, _ = self.run_scrl("diff", a, b, "--json", code=code)
        report = json.loads(out)
        self.assertEqual(report["equal"], code == 0)
        return report

    def test_the_same_training_is_equal_for_any_number_of_threads(self):
        self.train(DATA, *FAST, "-o", "a")
        self.train(DATA, *FAST, "-o", "b", "-t", 1, "--set", "checkpoint_secs=7")
        report = self.diff("a", "b", code=0)
        self.assertEqual(report["epochs"], {"compared": 20, "first_differences": []})
        self.assertIn({"name": "checkpoint_secs", "a": "30", "b": "7"}, report["circumstances"])
        out, _ = self.run_scrl("diff", "a", "b")
        self.assertIn("equal: data, settings, split, 20 epochs and result", out)
        self.assertEqual(self.run_scrl("diff", "a", "b", "-q"), ("", ""))

    def test_a_setting_with_its_origin_and_the_first_epoch(self):
        self.train(DATA, *FAST, "-o", "a")
        self.train(DATA, *FAST, "-o", "b", "--lr", "0.01", "--seed", "0")
        report = self.diff("a", "b")
        self.assertEqual([s["name"] for s in report["settings"]], ["lr"])
        setting = report["settings"][0]
        self.assertEqual((setting["b"], setting["origin_b"]), ("0.01", "command line"))
        self.assertNotEqual(setting["origin_a"], "command line")
        self.assertEqual((report["data"], report["split"]["nodes"]), ([], 0))
        events = [[json.loads(line) for line in (self.path / run / "events.jsonl").read_text().splitlines()]
                  for run in "ab"]
        epochs = [[e for e in run if e["event"] == "epoch"] for run in events]
        first = report["epochs"]["first_differences"][0]
        expected = next(x["epoch"] for x, y in zip(*epochs) if any(
            x[k] != y[k] for k in ("loss", "val_loss", "val_accuracy", "train_accuracy", "agreement")))
        self.assertEqual(first["epoch"], expected)
        self.assertNotEqual(first["a"], first["b"])
        self.assertEqual(first["a"], epochs[0][expected - 1][first["figure"]])
        self.assertIn("result_hash", [r["name"] for r in report["result"]])
        out, _ = self.run_scrl("diff", "a", "b", code=1)
        self.assertIn("0.01 (command line)", out)
        self.assertIn("numbers part in", out)

    def test_other_data_and_another_split(self):
        self.train(DATA, *FAST, "-o", "a")
        self.train("demo:nodes=300,seed=4", *FAST, "-o", "b")
        self.assertEqual([d["name"] for d in self.diff("a", "b")["data"]], ["data", "fingerprint"])
        self.train(DATA, *FAST, "-o", "c", "-l", 5)
        report = self.diff("a", "c")
        self.assertGreater(report["split"]["nodes"], len(report["split"]["examples"]))
        for example in report["split"]["examples"]:
            self.assertNotEqual(example["a"], example["b"])

    def test_fewer_epochs(self):
        self.train(DATA, *FAST, "-o", "a", "--set", "patience=0")
        self.train(DATA, *FAST, "-o", "b", "--set", "patience=0", "--epochs", "12")
        last = self.diff("a", "b")["epochs"]["first_differences"][-1]
        self.assertEqual((last["figure"], last["epoch"], last["a"], last["b"]), ("epochs", 12, 20.0, 12.0))

    def test_members_of_auto(self):
        self.train(DATA, "--members", "mlp,sgc", "-o", "a")
        self.train(DATA, "--members", "mlp,sgc", "-o", "b", "--seed", 1)
        self.train(DATA, "--members", "mlp", "-o", "c")
        self.diff("a", "a", code=0)
        report = self.diff("a", "b")
        self.assertEqual({p["seed"] for p in report["epochs"]["first_differences"]}, {0, 1})
        report = self.diff("a", "c")
        names = [r["name"] for r in report["result"]]
        self.assertIn("seed 0: sgc: weight", names)
        sgc = [p for p in report["epochs"]["first_differences"] if p.get("member") == "sgc"]
        self.assertEqual([p["figure"] for p in sgc], ["epochs"])
        self.assertFalse([p for p in report["epochs"]["first_differences"] if p.get("member") == "mlp"])

    def test_the_program_and_the_cpu_are_on_record(self):
        self.train(DATA, *FAST, "-o", "a")
        start = json.loads((self.path / "a/events.jsonl").read_text().splitlines()[0])
        version = json.loads(self.run_scrl("version", "--json")[0])
        self.assertEqual(start["event"], "start")
        self.assertEqual(start["program"], f"{version['version']} ({version['commit']})")
        self.assertEqual(start["simd"], version["simd"])
        shutil.copytree(self.path / "a", self.path / "b")
        log = self.path / "b/events.jsonl"
        log.write_text(log.read_text().replace(start["program"], "0.0.1 (else)", 1))
        self.assertEqual(self.diff("a", "b", code=0)["circumstances"],
                         [{"name": "program", "a": start["program"], "b": "0.0.1 (else)"}])

    def test_what_is_no_run(self):
        (self.path / "empty").mkdir()
        self.train(DATA, *FAST, "-o", "a")
        _, err = self.run_scrl("diff", "a", "empty", code=2)
        self.assertIn("empty: expected the folder of a run", err)
        self.run_scrl("diff", "a", code=2)
        shutil.copytree(self.path / "a", self.path / "b")
        (self.path / "b/metrics.json").write_text("{")
        _, err = self.run_scrl("diff", "a", "b", code=4)
        self.assertIn("metrics.json", err)
        (self.path / "b/metrics.json").unlink()
        self.assertIn({"name": "finished", "a": "yes", "b": "no"}, self.diff("a", "b")["result"])


if __name__ == "__main__":
    unittest.main()
