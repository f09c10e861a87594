"""scrl compare as a user runs it: tables and files, going on after a kill, cells that fail."""
import csv
import json
import os
import random
import re
import signal
import time
import unittest

from program import ProgramTest

FEW = ["--set", "epochs=12", "--set", "hidden1=16", "--seeds", "3"]
FILES = ["results.csv", "results.md", "results.tex", "results.json"]


class CompareTest(ProgramTest):
    def compare(self, *args, code=0, **env):
        out, err = self.run_scrl("compare", *args, "--json", code=code, **env)
        return json.loads(out)["rows"], err

    def results(self, folder):
        return {name: (self.path / folder / name).read_bytes() for name in FILES}

    def rows_of_csv(self, folder):
        with open(self.path / folder / "results.csv", newline="") as file:
            return list(csv.DictReader(file))

    @staticmethod
    def lasting(rows):
        """What does not depend on how fast and how often it was trained."""
        return [{k: v for k, v in r.items() if k not in ("seconds", "peak_mb")} for r in rows]

    def test_cells_are_what_train_gives(self):
        rows, err = self.compare("demo", "-m", "scrl,mlp", "--protocol", "val,fixed,oracle", "-o", "c", *FEW,
                                 "--set", "mlp.lr=0.02")
        self.assertEqual([(r["protocol"], r["method"]) for r in rows],
                         [(p, m) for p in ("val", "fixed", "oracle") for m in ("scrl", "mlp")])
        self.assertIn("[4/4] demo 20 mlp fixed: ", err)
        for method, extra in (("scrl", []), ("mlp", ["--set", "lr=0.02"])):
            for protocol in ("val", "fixed"):
                alone = self.train("demo", "-m", method, "--no-output", "--protocol", protocol, *FEW, *extra)
                row = next(r for r in rows if (r["method"], r["protocol"]) == (method, protocol))
                self.assertEqual(row["result_hash"], alone["result_hash"])
                self.assertEqual(row["accuracy"], alone["accuracy"])
                self.assertEqual(row["macro_f1"], alone["macro_f1"])
                self.assertEqual(row["labels_per_class"], alone["labels_per_class"])
                if protocol == "val":
                    oracle = next(r for r in rows if (r["method"], r["protocol"]) == (method, "oracle"))
                    self.assertAlmostEqual(oracle["accuracy"]["mean"], alone["oracle"]["accuracy"], places=9)
                    self.assertEqual(oracle["result_hash"], alone["result_hash"])
                    self.assertTrue(oracle["diagnostic"])
                    self.assertFalse(oracle["best"])
        for row in rows:
            self.assertGreater(row["seconds"], 0)

    def test_files_agree(self):
        out, _ = self.run_scrl("compare", "demo", "-m", "gcn,mlp", "--protocol", "val,oracle", "-l", "5,20", "-o", "c",
                               *FEW)
        rows = json.loads((self.path / "c/results.json").read_text())["rows"]
        table = self.rows_of_csv("c")
        md, tex = ((self.path / "c" / name).read_text() for name in ("results.md", "results.tex"))
        self.assertEqual(len(rows), 8)
        self.assertEqual(len(table), 8)
        for r, t in zip(rows, table):
            self.assertEqual([t[k] for k in ("dataset", "method", "protocol", "status", "result_hash", "chosen_on")],
                             [r[k] for k in ("dataset", "method", "protocol", "status", "result_hash", "chosen_on")])
            self.assertEqual(int(t["labels_per_class"]), r["labels_per_class"])
            self.assertEqual(float(t["accuracy_mean"]), r["accuracy"]["mean"])
            self.assertEqual(float(t["macro_f1_std"]), r["macro_f1"]["std"])
            self.assertEqual(t["p_value"] or None, r["p_value"] if r["p_value"] is None else repr(r["p_value"]))
            score = f"{r['accuracy']['mean']:.2f} ± {r['accuracy']['std']:.2f}"
            for text in (out, md):
                self.assertIn(score, text)
            self.assertIn(score.replace("±", "$\\pm$"), tex)
        for labels in (5, 20):
            best = [r for r in rows if r["labels_per_class"] == labels and r["best"]]
            honest = [r for r in rows if r["labels_per_class"] == labels and r["protocol"] == "val"]
            self.assertEqual([b["method"] for b in best],
                             [max(honest, key=lambda r: r["accuracy"]["mean"])["method"]])
            self.assertTrue(all(r["p_value"] is not None for r in honest if not r["best"]))
            self.assertIn(f"demo, {labels} labels per class", out)
        for text in (out, md, tex):
            self.assertIn("(diagnostic, not a result)", text)
            self.assertIn("two-sided paired t-test", text)
            self.assertRegex(text, r"oracle(†|\$\^\\dagger\$) accuracy")
        self.assertEqual(tex.count(r"\begin{table}"), 3)  # two, and the overview
        self.assertEqual(tex.count(r"\caption{"), tex.count("(diagnostic, not a result)"))
        self.assertEqual({t["chosen_on"] for t in table if t["protocol"] == "oracle"},
                         {"test nodes (diagnostic, not a result)"})

    def test_a_second_call_trains_nothing(self):
        args = ["demo", "-m", "gcn,mlp", "-o", "c", *FEW]
        self.compare(*args)
        before = self.results("c")
        began = {p.name: p.stat().st_mtime_ns for p in (self.path / "c/cells").iterdir()}
        out, err = self.run_scrl("compare", *args)
        self.assertIn("2 of 2 trainings are there already", err)
        self.assertNotIn("[", err)
        self.assertEqual(self.results("c"), before)
        self.assertEqual({p.name: p.stat().st_mtime_ns for p in (self.path / "c/cells").iterdir()}, began)
        self.assertTrue(all(p.suffix == ".json" or p.name == "lock" for p in (self.path / "c/cells").iterdir()))
        # One method's setting: one cell is trained again, and the old ones are kept.
        _, err = self.compare(*args, "--set", "mlp.lr=0.5")
        self.assertIn("(lr was 0.01, now 0.5): training anew", err)
        self.assertEqual(err.count("demo 20 "), 1)
        _, err = self.compare(*args, SCRL_SIMD="sse4")
        self.assertIn("now sse4", err)
        self.assertEqual(err.count("demo 20 "), 2)
        self.run_scrl("compare", *args)
        self.assertEqual(self.results("c"), before)

    def wait_for_epochs(self, process, folder, method, count):
        """Until the cell of a method has a checkpoint and some epochs; False: it ended before."""
        while process.poll() is None:
            for run in (self.path / folder).glob(f"cells/*-{method}-0-*.run"):
                events = run / "events.jsonl"
                if (run / "checkpoint.scrl").exists() and events.read_bytes().count(b"epoch\"") > count:
                    return True
            time.sleep(0.002)
        return False

    def test_what_a_kill_left_of_a_finished_training_is_cleared_away(self):
        args = ["demo", "-m", "mlp", *FEW, "-o", "c"]
        self.compare(*args)
        cells = self.path / "c/cells"
        done = {p.name for p in cells.iterdir()}
        left = [p.with_suffix(".run") for p in cells.glob("*.json")]
        self.assertEqual(len(left), 1)
        left[0].mkdir()
        (left[0] / "checkpoint.scrl").write_bytes(b"x")
        self.compare(*args)
        self.assertEqual({p.name for p in cells.iterdir()}, done)

    def test_killed_comparisons_go_on_to_the_same_results(self):
        args = ["demo", "-m", "scrl,gcn,mlp", "--protocol", "val,oracle", *FEW, "--set", "epochs=40",
                "--set", "checkpoint_secs=0"]
        whole, _ = self.compare(*args, "-o", "whole")
        for i, number in enumerate((signal.SIGKILL, signal.SIGTERM)):
            killed, goes_on = 0, 0
            # Inside a seed, after one, and at any moment.
            for method, epochs in (("scrl", 5), ("scrl", 45), ("gcn", 20), ("mlp", 90), ("", 0)):
                process = self.start("compare", *args, "-o", f"c{i}")
                if method:
                    self.wait_for_epochs(process, f"c{i}", method, epochs)
                else:
                    time.sleep(random.Random(i).uniform(0, 0.3))
                process.send_signal(number)
                out, err = process.communicate()
                killed += process.returncode in (-number, 128 + number)
                goes_on += "resuming from" in err
                if process.returncode == 128 + signal.SIGTERM:
                    self.assertIn("the same command goes on", err)
                    self.assertIn("still to do", out)
            self.assertGreaterEqual(killed, 2)
            rows, err = self.compare(*args, "-o", f"c{i}")
            self.assertGreaterEqual(goes_on + ("resuming from" in err), 1)
            self.assertEqual(self.lasting(rows), self.lasting(whole))
            figures = re.compile(r"[\d.]+ (\||&) [\d.]+ (\||\\\\)$", re.M)  # seconds and peak MB
            for name in ("results.md", "results.tex"):
                got, want = ((self.path / c / name).read_text() for c in (f"c{i}", "whole"))
                self.assertEqual(figures.sub("", got), figures.sub("", want))
            left = {p.name for p in (self.path / f"c{i}/cells").iterdir()}
            self.assertEqual(left, {p.name for p in (self.path / "whole/cells").iterdir()})

    def test_interrupt_shows_what_there_is(self):
        args = ["demo", "-m", "mlp,scrl", "-o", "c", "--seeds", "3", "--set", "mlp.epochs=5",
                "--set", "scrl.epochs=100000", "--set", "scrl.patience=0"]
        process = self.start("compare", *args)
        events = lambda: [p for p in (self.path / "c").glob("cells/*scrl*.run/events.jsonl") if p.stat().st_size > 500]
        while not events():
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("[1/2] demo 20 mlp: ", err)
        self.assertRegex(out, r"scrl +- +- +- +- +-\n")
        self.assertIn("1 of 2 trainings are still to do", out)
        self.assertEqual([r["status"] for r in self.rows_of_csv("c")], ["done", "missing"])
        self.assertTrue(any((self.path / "c").glob("cells/*scrl*.run/checkpoint.scrl")))

    def test_a_cell_that_fails_does_not_end_it(self):
        args = ["demo", "-m", "gcn,mlp", "-o", "c", *FEW]
        rows, err = self.compare(*args, "--set", "gcn.lr=1e30", code=6)
        self.assertEqual([r["status"] for r in rows], ["failed", "done"])
        self.assertIn("diverged", rows[0]["failure"])
        self.assertIsNone(rows[0]["accuracy"]["mean"])
        out, err = self.run_scrl("compare", *args, "--set", "gcn.lr=1e30", code=6)
        self.assertIn("[1/2] demo 20 gcn: failed", err)  # tried again
        self.assertNotIn("[2/2]", err)
        self.assertRegex(out, r"gcn +failed +- +- +- +-\n")
        self.assertRegex(out, r"\n  gcn failed: .*diverged.*\n")
        self.assertIn("diverged", self.rows_of_csv("c")[0]["failure"])
        self.assertFalse(any((self.path / "c").glob("cells/*.run")))
        self.compare(*args)
        rows, _ = self.compare("demo", "-m", "knn-gcn,mlp", "-o", "d", *FEW, "--set", "knn-gcn.knn=file", code=3)
        self.assertEqual([r["status"] for r in rows], ["failed", "done"])
        if not os.environ.get("SCRL_SANITIZE"):  # sanitizers need more memory than that
            rows, _ = self.compare("demo", "-m", "gcn", "-o", "e", *FEW, "--set", "hidden1=65536", "--mem-limit", "50M",
                                   code=5)
            self.assertEqual(rows[0]["status"], "failed")
            self.assertIn("memory", rows[0]["failure"])

    def test_several_data_sets_and_settings_for_some(self):
        out, _ = self.run_scrl("compare", "demo:nodes=200,seed=1", "demo:nodes=200,seed=2", "-m", "all",
                               "--set", "epochs=3", "--set", "tau=0.3", "--seeds", "2", "--set", "line.samples=30000",
                               "--set", "deepwalk.walks=1")
        self.assertIn("set by hand: tau = 0.3 for scrl-paper, grace; the others have no such setting.", out)
        self.assertIn("dgi, grace, deepwalk, line: learned without labels", out)
        self.assertIn("needs 3 seeds", out)
        self.assertIn("demo:nodes=200,seed=2", out)
        self.assertIn("written to compare/demo-demo: ", out)
        methods = json.loads(self.run_scrl("methods", "--json")[0])["methods"]
        self.assertEqual(len(self.rows_of_csv("compare/demo-demo")), 2 * len(methods))
        hashes = {r["result_hash"] for r in self.rows_of_csv("compare/demo-demo")}
        self.assertEqual(len(hashes), 2 * len(methods))

    def test_what_needs_no_labels_is_learned_once(self):
        methods = ["dgi", "grace", "deepwalk", "line"]
        few = ["--set", "epochs=4", "--seeds", "2", "--set", "line.samples=30000", "--set", "deepwalk.walks=1"]
        data = "demo:nodes=300"
        rows, err = self.compare(data, "-m", ",".join(methods + ["mlp"]), "-l", "5,20", "--protocol", "val,fixed", "-o", "c",
                                 *few)
        for m in methods:
            self.assertEqual(err.count(f"{m}: learned already; only the classifier is fitted"), 3)
        self.assertEqual(err.count("learned already"), 12)
        self.assertEqual({p.suffix for p in (self.path / "c/cells").iterdir()}, {".json"})
        own = {"dgi": few[:4], "grace": few[:4], "deepwalk": few[:4] + ["--set", "walks=1"],
               "line": few[:4] + ["--set", "samples=30000"]}
        for r in rows:
            if r["method"] in own:
                alone = self.train(data, "-m", r["method"], "-l", r["labels_per_class"], "--protocol", r["protocol"],
                                   "--no-output", *own[r["method"]])
                self.assertEqual((r["result_hash"], r["accuracy"], r["macro_f1"]),
                                 (alone["result_hash"], alone["accuracy"], alone["macro_f1"]))
        # Killed between the rates: what was learned is still there; damaged, it is learned again.
        for damage in (False, True):
            args = [data, "-m", "grace", "-l", "5,20", "--seeds", "2", "--set", "epochs=30", "-o", f"d{damage}"]
            process = self.start("compare", *args)
            cells = self.path / f"d{damage}/cells"
            while not list(cells.glob("demo-*-grace-20-*.run")) and not list(cells.glob("*-1.embedding")):
                self.assertIsNone(process.poll(), "ended before it could be killed")
                time.sleep(0.001)
            process.kill()
            process.communicate()
            if damage:
                for p in cells.glob("*.embedding"):
                    p.write_bytes(p.read_bytes()[:-100])
            rows, err = self.compare(*args)
            self.assertIn("training instead" if damage else "learned already", err)
            self.assertEqual({p.suffix for p in cells.iterdir()}, {".json"})
            for r in rows:
                alone = self.train(data, "-m", "grace", "-l", r["labels_per_class"], "--no-output", "--seeds", "2",
                                   "--set", "epochs=30")
                self.assertEqual(r["result_hash"], alone["result_hash"])

    def test_profile_paper_falls_back_with_a_note(self):
        out, _ = self.run_scrl("compare", "demo", "-m", "scrl,mlp", "--profile", "paper", *FEW)
        self.assertIn("profile paper has no settings for scrl, mlp on demo", out)

    def test_bad_options(self):
        cases = [
            (["compare"], "usage: scrl compare DATA"),
            (["compare", "demo", "-m", "gcn,gnn"], "unknown method 'gnn'; the methods are"),
            (["compare", "demo", "-l", "20,x"], "--labels: expected whole numbers as in 20,40,60, got '20,x'"),
            (["compare", "demo", "--protocol", "best"], "--protocol: expected val, fixed or oracle, got 'best'"),
            (["compare", "demo", "-m", "mlp", "--set", "epoch=3"], "did you mean 'epochs'?"),
            (["compare", "demo", "-m", "mlp", "--set", "alpha=3"], "unknown option 'alpha'"),
            (["compare", "demo", "--set", "mlp.lr=x"], "lr: expected a number above 0, got 'x'"),
            (["compare", "demo", "--set", "labels=20"], "give it as --labels"),
            (["compare", "demo", "demo"], "'demo' is listed twice"),
            (["compare", "demo", "--seeds", "0"], "seeds: expected a whole number"),
        ]
        for args, expected in cases:
            with self.subTest(args):
                out, err = self.run_scrl(*args, code=2)
                self.assertEqual(out, "")
                self.assertIn(expected, err)
        self.run_scrl("compare", "demo", "nosuch", code=3)
        self.assertFalse((self.path / "compare").exists(), "an error left a folder behind")

    def test_quiet_prints_nothing(self):
        out, err = self.run_scrl("compare", "demo", "-m", "mlp", "-q", *FEW)
        self.assertEqual((out, err), ("", ""))
        self.assertTrue((self.path / "compare/demo/results.csv").exists())


if __name__ == "__main__":
    unittest.main()
