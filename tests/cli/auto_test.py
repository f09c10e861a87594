"""Method auto, the default: members, their weights and files, resuming, protocols, --fast."""
import json
import math
import random
import re
import signal
import time
import unittest

from program import FAST, OUTPUTS, ProgramTest

DATA = "demo:nodes=200"
FEW = ["--members", "scrl,sgc,mlp"]
NAMES = FEW[1].split(",")


class AutoTest(ProgramTest):
    def events(self, run):
        return [json.loads(line) for line in (self.path / run / "events.jsonl").read_text().splitlines()]

    def members(self, report, seed=0):
        return {m["name"]: m for m in report["per_seed"][seed]["members"]}

    def test_it_is_the_default_and_its_files_agree(self):
        report = self.train(DATA, *FEW, "-o", "run")
        self.assertEqual((report["method"], report["protocol"]), ("auto", "val"))
        self.assertEqual({p.name for p in (self.path / "run").iterdir()},
                         {"config.toml", "events.jsonl", "metrics.json", *OUTPUTS})
        members = self.members(report)
        self.assertEqual(list(members), NAMES)
        for m in members.values():
            self.assertEqual(set(m), {"name", "weight", "val", "test", "epochs", "best_epoch", "seconds"})
            self.assertGreaterEqual(m["weight"], 0)
        self.assertGreater(max(m["weight"] for m in members.values()), 0)
        self.assertEqual(report["epochs"], sum(m["epochs"] for m in members.values()))
        epochs = [e for e in self.events("run") if e["event"] == "epoch"]
        self.assertEqual({e["member"] for e in epochs}, set(NAMES))
        for name, m in members.items():
            self.assertEqual([e["epoch"] for e in epochs if e["member"] == name], list(range(1, m["epochs"] + 1)))
        self.assertFalse(any("fold" in e for e in epochs))
        self.run_scrl("predict", "run", "-o", "p.csv")
        self.assertEqual((self.path / "p.csv").read_bytes(), self.files("run")["predictions.csv"])
        self.run_scrl("embed", "run", "-o", "e.npy")
        self.assertEqual((self.path / "e.npy").read_bytes(), self.files("run")["embeddings.npy"])
        scores = json.loads(self.run_scrl("eval", "run", "--json")[0])
        for part, key in (("test", "accuracy"), ("val", "val_accuracy")):
            self.assertAlmostEqual(scores[part]["accuracy"], report[key]["mean"], places=9)
        out, err = self.run_scrl("predict", "run/model.scrl", "demo:nodes=150,seed=4")
        self.assertEqual(len(out.splitlines()), 151)
        self.assertIn("is not the data this model was trained on", err)
        repeated = self.train("--config", "run/config.toml", "--no-output")
        self.assertEqual(repeated["result_hash"], report["result_hash"])

    def test_the_prediction_is_the_weighted_product_of_the_members(self):
        report = self.train(DATA, "--members", "sgc,mlp", "--calibration", "none", "-o", "run")
        rows = []
        for name in ("sgc", "mlp"):
            self.train(DATA, "-m", name, "--calibration", "none", "-o", name)
            rows.append([line.split(",") for line in (self.path / name / "predictions.csv").read_text().splitlines()[1:]])
        weights = [self.members(report)[name]["weight"] for name in ("sgc", "mlp")]
        got = [line.split(",") for line in (self.path / "run/predictions.csv").read_text().splitlines()[1:]]
        for node, mine in enumerate(got):
            score = [math.exp(sum(w * math.log(max(float(r[node][c]), 1e-30)) for w, r in zip(weights, rows)))
                     for c in range(2, len(mine))]
            for want, p in zip(score, mine[2:]):
                self.assertAlmostEqual(want / sum(score), float(p), places=3)
        for name in ("sgc", "mlp"):
            alone = json.loads((self.path / name / "metrics.json").read_text())
            self.assertEqual(self.members(report)[name]["test"], alone["per_seed"][0]["test"])

    def test_the_split_is_written(self):
        report = self.train(DATA, *FEW, "-o", "run")
        lines = (self.path / "run/split.csv").read_text().splitlines()
        self.assertEqual(lines[0], "id,part")
        parts = [line.rsplit(",", 1) for line in lines[1:]]
        ids = set((self.path / "run/ids.txt").read_text().splitlines())
        self.assertLessEqual({node for node, _ in parts}, ids)
        self.assertEqual(len({node for node, _ in parts}), len(parts))
        for part in ("train", "val", "test"):
            self.assertEqual(sum(p == part for _, p in parts), report[f"{part}_nodes"])

    def test_what_a_person_reads(self):
        out, err = self.run_scrl("train", DATA, *FEW, "-o", "run")
        self.assertIn("auto, protocol val", err)
        self.assertRegex(out, r"member +weight +validation +test +seconds\n")
        for name, m in self.members(json.loads((self.path / "run/metrics.json").read_text())).items():
            self.assertRegex(out, rf"  {name} +{m['weight']:.3f} +{m['val']['accuracy']:.2f} +{m['test']['accuracy']:.2f} ")
        self.assertIn("oracle, member and epoch chosen on the test nodes (a diagnostic, not a result)", out)
        out, _ = self.run_scrl("train", DATA, *FEW, "--protocol", "fixed", "--no-output")
        self.assertRegex(out, r"member +weight +test +seconds\n")
        report = self.train(DATA, *FEW, "--seeds", 2, "--no-output")
        out, _ = self.run_scrl("train", DATA, *FEW, "--seeds", 2, "--no-output")
        self.assertRegex(out, r"member +mean weight\n")
        for name in NAMES:
            mean = sum(self.members(report, s)[name]["weight"] for s in (0, 1)) / 2
            self.assertRegex(out, rf"  {name} +{mean:.3f}\n")

    def test_a_report(self):
        report = self.train(DATA, *FEW, "-o", "run")
        out, _ = self.run_scrl("report", "run")
        self.assertEqual(out, "run/report.html\n")
        page = (self.path / "run/report.html").read_text()
        self.assertIn(f"{report['accuracy']['mean']:.2f}", page)
        words = re.search(r'<pre class="command"[^>]*>(.*?)</pre>', page).group(1).split()
        self.assertEqual(words[:2], ["scrl", "train"])
        self.assertEqual(self.train(*words[2:], "--no-output")["result_hash"], report["result_hash"])

    def test_a_plan(self):
        plan = json.loads(self.run_scrl("plan", DATA, *FEW, "--json")[0])
        self.assertEqual([m["name"] for m in plan["members"]], NAMES)
        self.assertEqual(plan["epochs"], sum(m["epochs"] for m in plan["members"]))
        self.assertEqual(plan["peak_mb"], max(m["peak_mb"] for m in plan["members"]))
        fixed = json.loads(self.run_scrl("plan", DATA, *FEW, "--protocol", "fixed", "--json")[0])
        self.assertEqual(fixed["epochs"], 4 * plan["epochs"])  # and without each of three folds
        out, _ = self.run_scrl("plan", DATA, *FEW)
        self.assertRegex(out, r"member +peak MB +ms/epoch +epochs\n")
        for name in NAMES:
            self.assertRegex(out, rf"\n  {name} +\d")

    def test_threads_do_not_change_a_bit(self):
        for protocol in ("val", "fixed"):
            for threads in (1, 2):
                self.train(DATA, *FEW, "--protocol", protocol, "-t", threads, "-o", f"{protocol}{threads}")
            self.assertEqual(self.files(f"{protocol}1"), self.files(f"{protocol}2"))

    def test_killed_runs_resume_to_the_same_bytes(self):
        rng = random.Random(3)
        for protocol in ("val", "fixed"):
            job = ["train", "demo:nodes=300", *FEW, "--protocol", protocol, "--set", "checkpoint_secs=0.05", "--json"]
            began = time.monotonic()
            whole = json.loads(self.run_scrl(*job, "-o", protocol)[0])
            duration = time.monotonic() - began
            epochs = [(e["member"], e.get("fold"), e["epoch"]) for e in self.events(protocol) if e["event"] == "epoch"]
            midway = 0
            for attempt in range(20):
                run = f"{protocol}-{attempt}"
                process = self.start(*job, "-o", run, "--resume")
                time.sleep(rng.uniform(0.1, 0.95) * duration)
                process.send_signal(signal.SIGKILL)
                process.communicate()
                midway += (self.path / run / "checkpoint.scrl").exists()
                report = json.loads(self.run_scrl(*job, "-o", run, "--resume")[0])
                self.assertEqual(report["result_hash"], whole["result_hash"], run)
                self.assertEqual(self.files(run), self.files(protocol), run)
                self.assertEqual([(e["member"], e.get("fold"), e["epoch"]) for e in self.events(run)
                                  if e["event"] == "epoch"], epochs)
                self.assertFalse((self.path / run / "checkpoint.scrl").exists())
                if midway == 2:
                    break
            self.assertEqual(midway, 2, "no kill hit the middle of a run")

    def test_an_interrupted_run_has_the_members_so_far(self):
        job = ["train", "demo:nodes=3000", *FEW, "-o", "run"]
        process = self.start(*job, "-q")
        while not (self.path / "run/events.jsonl").exists() or len(self.events("run")) < 2:
            self.assertIsNone(process.poll(), "ended before it could be interrupted")
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (130, ""), err)
        self.assertTrue((self.path / "run/checkpoint.scrl").exists())
        metrics = json.loads((self.path / "run/metrics.json").read_text())
        self.assertTrue(metrics["interrupted"])
        self.assertEqual(list(self.members(metrics)), ["scrl"])
        self.run_scrl("predict", "run", "-o", "p.csv")
        self.assertEqual((self.path / "p.csv").read_bytes(), self.files("run")["predictions.csv"])
        _, err = self.run_scrl("train", "demo:nodes=3000", "--members", "scrl,sgc", "-o", "run", "--resume", code=2)
        self.assertIn("cannot resume: members was scrl,sgc,mlp, now members is scrl,sgc", err)
        report = json.loads(self.run_scrl(*job, "--resume", "--json")[0])
        self.assertFalse(report["interrupted"])
        self.assertEqual(list(self.members(report)), NAMES)

    def test_fixed_chooses_weights_by_the_training_nodes(self):
        report = self.train(DATA, *FEW, "--protocol", "fixed", "-o", "run")
        self.assertEqual(report["protocol"], "fixed")
        self.assertNotIn("val_accuracy", report)
        self.assertGreater(report["accuracy"]["mean"], 50)
        tasks = list(dict.fromkeys((e["member"], e.get("fold")) for e in self.events("run") if e["event"] == "epoch"))
        self.assertEqual(tasks, [(name, None) for name in NAMES] + [(name, f) for name in NAMES for f in (0, 1, 2)])

    def test_one_member_is_that_method(self):
        report = self.train(DATA, "--members", "mlp", "-o", "run")
        alone = self.train(DATA, "-m", "mlp", "-o", "alone")
        self.assertEqual(self.members(report)["mlp"]["weight"], 1)
        self.assertEqual(report["accuracy"], alone["accuracy"])
        self.assertEqual(self.files("run")["embeddings.npy"], self.files("alone")["embeddings.npy"])

    def test_a_time_limit_leaves_members_out(self):
        report = self.train("demo", *FEW, "--time-limit", "0.01", "-o", "run")
        self.assertEqual(report["per_seed"][0]["stopped_because"], "time limit")
        self.assertEqual(list(self.members(report)), ["scrl"])
        self.assertLess(report["epochs"], 100)
        self.run_scrl("predict", "run", "-o", "p.csv")
        self.assertEqual((self.path / "p.csv").read_bytes(), self.files("run")["predictions.csv"])
        report = self.train(DATA, *FEW, "--time-limit", "600", "--no-output")
        self.assertEqual(report["per_seed"][0]["stopped_because"], "all members")

    def test_a_metric_changes_what_is_chosen(self):
        hashes = {metric: self.train(DATA, *FEW, "--metric", metric, "-o", metric)["result_hash"]
                  for metric in ("accuracy", "macro-f1", "nll")}
        self.assertEqual(len(set(hashes.values())), 3, hashes)
        self.assertIn('metric = "macro-f1"', (self.path / "macro-f1/config.toml").read_text())
        for metric, key in (("accuracy", "accuracy"), ("macro-f1", "macro_f1")):  # every method has it
            for other in ("accuracy", "macro-f1"):
                self.train(DATA, *FAST, "--metric", other, "-o", f"{metric}-{other}")
            mine, theirs = (json.loads((self.path / f"{metric}-{other}/metrics.json").read_text())["per_seed"][0]["val"]
                            for other in (metric, "macro-f1" if metric == "accuracy" else "accuracy"))
            self.assertGreaterEqual(mine[key], theirs[key])

    def test_snapshots_are_of_one_model(self):
        _, err = self.run_scrl("train", DATA, "--snapshots", "0,5", "--no-output", code=2)
        self.assertIn("auto trains several models; name one with --method", err)

    def test_fast_is_scrl_alone(self):
        report = self.train(DATA, "--fast", "--epochs", 5, "-o", "run")
        self.assertEqual(report["method"], "scrl")
        self.assertEqual(self.train(DATA, "-m", "scrl", "--epochs", 5, "--no-output")["result_hash"],
                         report["result_hash"])
        self.write("gcn.toml", 'method = "gcn"\nseed = 3\n')
        report = self.train(DATA, "--config", "gcn.toml", "--fast", "--epochs", 5, "--no-output")
        self.assertEqual((report["method"], report["per_seed"][0]["seed"]), ("scrl", 3))

    def test_methods_lists_it_first(self):
        out, _ = self.run_scrl("methods")
        self.assertTrue(out.splitlines()[1].startswith("  auto "), out)
        first = json.loads(self.run_scrl("methods", "--json")[0])["methods"][0]
        self.assertEqual(first["name"], "auto")
        self.assertEqual(list(first["options"]), ["members", "time_limit"])
        self.assertEqual(json.loads(self.run_scrl("methods", "auto", "--json")[0])["methods"], [first])
        out, _ = self.run_scrl("methods", "auto")
        for name in first["options"]["members"]["default"].split(","):
            self.assertRegex(out, rf"\n  {name} ")


if __name__ == "__main__":
    unittest.main()
