"""Every method from training to files, resuming, other data, plan and bench."""
import json
import random
import signal
import subprocess
import time
import unittest

from program import SCRL, ProgramTest

DATA = "demo:nodes=200,features=150"
SMALL = {"hidden1": 16, "hidden2": 8, "dim": 8, "walks": 2, "length": 8, "samples": 20000, "stages": 2, "clusters": 10,
         "epochs": 6, "patience": 0}
SCORES = {"train_accuracy", "val_loss", "val_accuracy", "oracle_test_accuracy"}


def methods():
    out = subprocess.run([SCRL, "methods", "--json"], check=True, capture_output=True, text=True).stdout
    return json.loads(out)["methods"]


METHODS = [m for m in methods() if m["name"] != "auto"]  # auto_test.py has that one
COMMON = {"epochs", "patience"}


def small(method, **more):
    """Settings that make a method quick, as far as it knows them."""
    known = COMMON | set(method["options"])
    values = {k: v for k, v in {**SMALL, **more}.items() if k in known or k in more}
    return [word for key, value in values.items() for word in ("--set", f"{key}={value}")]


def named(name):
    return next(m for m in METHODS if m["name"] == name)


class MethodsTest(ProgramTest):
    def events(self, run):
        lines = (self.path / run / "events.jsonl").read_text().splitlines()
        return [e for e in map(json.loads, lines) if e["event"] == "epoch"]

    def one_line(self, err):
        self.assertEqual(len(err.splitlines()), 1, err)
        return err

    def test_files_agree_with_predict_and_embed_for_any_number_of_threads(self):
        for method in METHODS:
            with self.subTest(method=method["name"]):
                name = method["name"]
                report = self.train(DATA, "-m", name, "-o", name, "-t", 1, *small(method))
                again = self.train(DATA, "-m", name, "-o", name + "3", "-t", 3, *small(method))
                self.assertEqual(report["result_hash"], again["result_hash"])
                self.assertEqual(self.files(name), self.files(name + "3"))
                self.assertEqual(report["method"], name)
                self.assertEqual(report["epochs"], 6)
                self.run_scrl("predict", name, "-t", 2, "-o", "p.csv")
                self.assertEqual((self.path / "p.csv").read_bytes(), self.files(name)["predictions.csv"])
                self.run_scrl("embed", name, "-t", 2, "-o", "e.npy")
                self.assertEqual((self.path / "e.npy").read_bytes(), self.files(name)["embeddings.npy"])
                scores = json.loads(self.run_scrl("eval", name, "--json")[0])
                self.assertAlmostEqual(scores["test"]["accuracy"], report["accuracy"]["mean"], places=9)
                repeated = self.train("--config", f"{name}/config.toml", "--no-output")
                self.assertEqual(repeated["result_hash"], report["result_hash"])

    def test_settings_are_the_same_on_every_graph(self):
        """No statistic of the data sets a hyper-parameter. The type of the features decides `binarize = auto`, alone."""
        def resolved(method, data):
            self.train(data, "-m", method, "--epochs", 1, "-o", "run", "--force")
            lines = (self.path / "run/config.toml").read_text().splitlines()
            return [line for line in lines if not line.startswith(("data =", "fingerprint ="))]

        for method in METHODS:
            with self.subTest(method=method["name"]):
                one = resolved(method["name"], "demo:nodes=80,classes=4,features=100,words=4")
                other = resolved(method["name"], "demo:nodes=400,classes=8,features=900,degree=12")
                self.assertEqual(one, other)
                from_data = [line.split(" ")[0] for line in one if "on this graph" in line]
                self.assertIn(from_data, ([], ["binarize"]))
        self.assertLessEqual(len(named("scrl")["options"]), 30)

    def test_epochs_without_scores_claim_none(self):
        for method in METHODS:
            with self.subTest(method=method["name"]):
                name = method["name"]
                _, err = self.run_scrl("train", DATA, "-m", name, "-o", name, *small(method))
                self.assertNotIn("%", err)  # progress comes every ten seconds; nothing here takes as long
                events = self.events(name)
                self.assertEqual([e["epoch"] for e in events], [1, 2, 3, 4, 5, 6])
                scored = [e["epoch"] for e in events if SCORES & set(e)]
                for e in events:
                    self.assertIn(len(SCORES & set(e)), (0, 4))
                    self.assertGreater(e["train_ms"], 0)
                    self.assertIsInstance(e["loss"], float)
                if not method["uses"]["labels"]:
                    self.assertEqual(scored, [])
                elif name == "m3s":  # three trainings of two epochs, the last is scored
                    self.assertEqual(scored, [5, 6])
                else:
                    self.assertEqual(scored, [1, 2, 3, 4, 5, 6])
                report = json.loads((self.path / name / "metrics.json").read_text())
                self.assertIn("val_accuracy", report)

    def test_protocols_of_methods_that_learn_without_labels(self):
        for method in METHODS:
            with self.subTest(method=method["name"]):
                if method["uses"]["labels"]:
                    continue
                name = method["name"]
                best = set()
                for protocol in ("val", "fixed", "oracle"):
                    report = self.train(DATA, "-m", name, "--no-output", "--protocol", protocol, *small(method))
                    self.assertEqual(report["protocol"], protocol)
                    # There is one epoch to choose from: the oracle knows no better.
                    self.assertEqual(report["oracle"]["accuracy"], report["accuracy"]["mean"])
                    self.assertEqual(report["per_seed"][0]["oracle_epoch"], report["best_epoch"])
                    self.assertEqual("val_accuracy" in report, protocol == "val")
                    best.add(report["best_epoch"])
                    if name in ("deepwalk", "line", "grace"):
                        self.assertEqual(report["best_epoch"], 6, protocol)
                self.assertEqual(len(best), 1)
                # Without a choice there is no better choice to tell of.
                out, _ = self.run_scrl("train", DATA, "-m", name, "--no-output", *small(method))
                self.assertNotIn("oracle", out)
                self.assertNotRegex(out, r"\bnan\b")

    def test_killed_runs_resume_to_the_same_bytes(self):
        rng = random.Random(2)
        jobs = {"gcn": {"epochs": 150}, "dgi": {"epochs": 60}, "m3s": {"epochs": 90},
                "deepwalk": {"epochs": 12, "walks": 6, "length": 20}, "line": {"epochs": 12, "samples": 600000}}
        for name, more in jobs.items():
            with self.subTest(method=name):
                job = ["train", DATA, "-m", name, "--json", "--set", "checkpoint_secs=0",
                       *small(named(name), **more)]
                began = time.monotonic()
                whole = json.loads(self.run_scrl(*job, "-o", name)[0])
                duration = time.monotonic() - began
                kills = 0
                for attempt in range(40):
                    run = f"{name}-{attempt}"
                    process = self.start(*job, "-o", run, "--resume")
                    time.sleep(rng.uniform(0.2, 0.9) * duration)
                    process.send_signal(signal.SIGKILL)
                    process.communicate()
                    killed = process.returncode == -signal.SIGKILL
                    midway = killed and (self.path / run / "checkpoint.scrl").exists()
                    kills += midway
                    report = json.loads(self.run_scrl(*job, "-o", run, "--resume")[0])
                    self.assertEqual(report["result_hash"], whole["result_hash"], run)
                    self.assertEqual(self.files(run), self.files(name), run)
                    self.assertEqual([e["epoch"] for e in self.events(run)], list(range(1, more["epochs"] + 1)))
                    if kills == 2:
                        break
                self.assertEqual(kills, 2, "no kill hit the middle of a run")

    def test_an_interrupted_run_can_be_used(self):
        for name in ("dgi", "m3s", "deepwalk"):
            job = ["train", DATA, "-m", name, "-o", name, *small(named(name), epochs=100000)]
            process = self.start(*job)
            events = self.path / name / "events.jsonl"
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline and not (events.exists() and events.read_text().count("\n") > 3):
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130, err)
            self.assertIn("--resume", err)
            self.assertGreater(json.loads(self.run_scrl("eval", name, "--json")[0])["train"]["accuracy"], 0)

    def test_other_data_with_new_nodes(self):
        known_only = set()
        for method in METHODS:
            with self.subTest(method=method["name"]):
                name = method["name"]
                self.train(DATA, "-m", name, "-o", name, *small(method))
                for other in ("demo:nodes=150,features=150,seed=3", DATA + ",degree=9"):
                    if not method["new_nodes"]:
                        for command in ("predict", "embed", "eval"):
                            out, err = self.run_scrl(command, name, other, code=2)
                            self.assertEqual(out, "")
                            self.assertIn(f"{name} knows only the nodes it was trained on", self.one_line(err))
                        known_only.add(name)
                        continue
                    out, err = self.run_scrl("predict", name, other)
                    self.assertIn("is not the data this model was trained on", err)
                    nodes = 150 if "150,f" in other else 200
                    self.assertEqual(len(out.splitlines()), nodes + 1)
                    self.assertNotIn("nan", out.split("\n", 1)[1].lower())
                # Other columns are refused by all, in one line.
                code = 4 if method["new_nodes"] else None
                if code:
                    _, err = self.run_scrl("predict", name, "demo:nodes=200,features=160", code=code)
                    self.assertIn("the model knows 150 features", self.one_line(err))
        self.assertEqual(known_only, {"deepwalk", "line", "demo-net", "label-propagation", "correct-smooth"})

    def write_graph(self, edges):
        rng = random.Random(4)
        labels = [i % 2 for i in range(40)]
        self.write("g/edges.csv", "source,target\n" + "".join(f"a{i},a{j}\n" for i, j in edges))
        self.write("g/labels.csv", "id,label\n" + "".join(f"a{i},{'xy'[c]}\n" for i, c in enumerate(labels)))
        self.write("g/features.csv", "id,f0,f1,f2\n" + "".join(
            f"a{i},{c},{1 - c},{rng.random():.3f}\n" for i, c in enumerate(labels)))

    def test_a_graph_without_edges(self):
        self.write_graph([(0, 0), (5, 5)])  # loops join nothing
        for method in METHODS:
            with self.subTest(method=method["name"]):
                name = method["name"]
                if method["uses"]["features"]:
                    report = self.train("g", "-m", name, "--no-output", *small(method))
                    self.assertEqual(report["epochs"], 6)
                    continue
                out, err = self.run_scrl("train", "g", "-m", name, "-o", "run", "-q", *small(method), code=3)
                self.assertEqual(out, "")
                self.assertIn("none of the 40 nodes has an edge to another one", self.one_line(err))
        self.write_graph([])
        _, err = self.run_scrl("train", "g", "-m", "deepwalk", "--no-output", code=3)
        self.assertIn("expected edges, found none", self.one_line(err))

    def test_methods_tells_the_options_of_each(self):
        for method in METHODS:
            with self.subTest(method=method["name"]):
                out, _ = self.run_scrl("methods", method["name"])
                self.assertIn(f"{method['name']}: {method['summary']}", out)
                for key in method["options"]:
                    self.assertIn("--" + key.replace("_", "-"), out)
                self.assertEqual("knows only the nodes" in out, not method["new_nodes"])
                alone = json.loads(self.run_scrl("methods", method["name"], "--json")[0])["methods"]
                self.assertEqual(alone, [method])
        names = [m["name"] for m in METHODS]
        self.assertEqual(len(names), len(set(names)))
        _, err = self.run_scrl("methods", "gnc", code=2)
        for name in names:
            self.assertIn(name, self.one_line(err))


class MethodCostTest(ProgramTest):
    def test_a_plan_for_every_method(self):
        for method in METHODS:
            with self.subTest(method=method["name"]):
                for data in (DATA, "demo:nodes=33000,features=150,degree=2,words=4"):
                    settings = small(method, epochs=2) + (["--set", "knn_search=approximate"]
                                                          if method["uses"]["feature_graph"] else [])
                    plan = json.loads(self.run_scrl("plan", data, "-m", method["name"], "--json", *settings)[0])
                    self.assertEqual(plan["measured"], "whole" if data == DATA else "piece")
                    self.assertGreater(plan["epoch_ms"], 0)  # null if it were no number
                    self.assertGreater(plan["peak_mb"], 1)
                out, _ = self.run_scrl("plan", DATA, "-m", method["name"], *small(method))
                self.assertIn("time per epoch", out)

    def test_a_bench_for_every_method(self):
        for method in METHODS:
            with self.subTest(method=method["name"]):
                # More epochs than a training has, too.
                b = json.loads(self.run_scrl("bench", DATA, "-n", 4, "-m", method["name"], "--json",
                                             *small(method, epochs=2))[0])["benchmarks"][0]
                self.assertGreater(b["epoch_ms"]["median"], 0)
                self.assertEqual(b["edges"] > 0, method["uses"]["topology"] or method["uses"]["feature_graph"])
                text, _ = self.run_scrl("bench", DATA, "-n", 2, "-m", method["name"], *small(method))
                self.assertNotRegex(text, r"\b(nan|inf)\b")
                if method["uses"]["features"]:
                    self.assertGreater(b["bound_ratio"], 0)
                    self.assertIn("roofline bound", text)
                else:
                    self.assertIsNone(b["bound_ms"])
                    self.assertIsNone(b["bound_ratio"])
                    self.assertEqual(len(b["ops"]), 1)
                    self.assertIn("no roofline bound", text)

    def test_what_grows_with_the_graph_is_counted(self):
        """The matrices of demo-net have the shape of the graph's degrees."""
        settings = ["--set", "hidden1=512", "--set", "epochs=1"]
        _, err = self.run_scrl("train", "demo", "-m", "demo-net", "-o", "run", "--mem-limit", "60M", *settings, code=5)
        self.assertIn("demo-net on demo needs about", err)
        self.assertFalse((self.path / "run").exists())


if __name__ == "__main__":
    unittest.main()
