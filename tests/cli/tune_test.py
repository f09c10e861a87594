"""scrl tune as a user runs it: the winner, its command and files, going on after a kill, budgets, errors."""
import csv
import json
import os
import random
import shlex
import signal
import subprocess
import time
import unittest

from program import SCRL, ProgramTest

SMALL = ["--set", "epochs=12", "--space", "hidden1=16,32", "--space", "hidden2=8,16", "--seeds", "3"]
COSTS = ("seconds", "peak_mb")


class TuneTest(ProgramTest):
    def tune(self, *args, code=0, **env):
        out, err = self.run_scrl("tune", *args, "--json", code=code, **env)
        return json.loads(out), err

    def rows(self, folder):
        with open(self.path / folder / "trials.csv", newline="") as file:
            return [{k: v for k, v in row.items() if k not in COSTS} for row in csv.DictReader(file)]

    @staticmethod
    def lasting(result):
        """What does not depend on how fast and how often it was trained."""
        trials = [{k: v for k, v in t.items() if k not in COSTS} for t in result["trials"]]
        return dict(result, trials=trials)

    def write_graph(self, name, flip_test=False, without_split=False):
        """Two noisy classes with published training, validation and test nodes."""
        rng = random.Random(5)
        nodes, labels = 240, [i % 2 for i in range(240)]
        edges, features = [], []
        for i in range(nodes):
            for _ in range(3):
                j = rng.randrange(nodes)
                if labels[i] == labels[j] or rng.random() < 0.45:
                    edges.append(f"{i},{j}")
            columns = {2 * rng.randrange(12) + (labels[i] if rng.random() < 0.7 else 1 - labels[i]) for _ in range(3)}
            features.append(f"{i} " + " ".join(f"{c}:1" for c in sorted(columns)))
        test = range(120, 240)
        shown = [1 - y if flip_test and i in test else y for i, y in enumerate(labels)]
        self.write(f"{name}/edges.csv", "source,target\n" + "\n".join(edges) + "\n")
        self.write(f"{name}/features.svm", "\n".join(features) + "\n")
        self.write(f"{name}/labels.csv", "id,label\n" + "".join(f"{i},{'ab'[y]}\n" for i, y in enumerate(shown)))
        if not without_split:
            for part, ids in (("train", range(20)), ("val", range(20, 120)), ("test", test)):
                self.write(f"{name}/{part}.txt", "".join(f"{i}\n" for i in ids))

    def test_the_winner_can_be_trained_again(self):
        result, err = self.tune("demo", "--budget", "7", "-o", "t", *SMALL)
        best = result["best"]
        trials = result["trials"]
        self.assertEqual(len(trials), 7)
        self.assertEqual([t["kind"] for t in trials], ["default"] + 6 * ["drawn"])
        self.assertEqual(trials[0]["changed"], ["epochs=12"])  # the default, but for what was set
        self.assertEqual(result["rungs"], [1, 2, 3])
        self.assertEqual(sorted(t["seeds"] for t in trials), [1, 1, 1, 1, 2, 3, 3])
        self.assertEqual(trials[0]["seeds"], 3)
        # By the command, and by the file.
        words = shlex.split(best["command"])
        self.assertEqual(words[:3], [SCRL, "train", "demo"])
        alone = self.train(*words[2:], "--no-output")
        by_file = self.train("--config", "t/best.toml", "--no-output")
        for run in (alone, by_file):
            self.assertEqual(run["seeds"], best["seeds"])
            self.assertEqual(run["val_accuracy"], best["val_accuracy"])
            self.assertEqual(run["accuracy"], best["test"]["accuracy"])
            self.assertEqual(run["macro_f1"], best["test"]["macro_f1"])
            self.assertEqual(run["result_hash"], best["result_hash"])
        # No trial with as many seeds is better, the default among them.
        for t in trials:
            if t["seeds"] == best["seeds"]:
                self.assertLessEqual(t["val_accuracy"]["mean"], best["val_accuracy"]["mean"])
        # Every trial is what train gives, seed by seed.
        t = next(t for t in trials if t["seeds"] == 2)
        alone = self.train("demo", "-m", "scrl", "--no-output", "--seeds", 2, *[w for c in t["changed"] for w in ("--set", c)])
        self.assertEqual(alone["val_accuracy"], t["val_accuracy"])
        self.assertEqual([s["val"]["accuracy"] for s in alone["per_seed"]], [s["val_accuracy"] for s in t["per_seed"]])
        for row, t in zip(self.rows("t"), trials):
            self.assertEqual(int(row["trial"]), t["trial"])
            self.assertEqual(float(row["val_accuracy_mean"]), t["val_accuracy"]["mean"])
            self.assertEqual(row["best"] == "true", t["trial"] == best["trial"])
            self.assertEqual({k: row[k] for k in t["searched"]}, t["searched"])
        self.assertNotIn("test", (self.path / "t/trials.csv").read_text())
        self.assertIn("trial 7/7: validation ", err)

    def test_equal_for_any_number_of_threads_and_seeded(self):
        args = ["demo:nodes=200", "-m", "knn-gcn", "--budget", "5", "--seeds", "2", "--set", "epochs=8"]
        first, _ = self.tune(*args, "-o", "a", "-t", 1)
        second, _ = self.tune(*args, "-o", "b", "-t", 3)
        self.assertEqual(self.lasting(first), self.lasting(second))
        self.assertEqual((self.path / "a/best.toml").read_text(), (self.path / "b/best.toml").read_text())
        other, _ = self.tune(*args, "-o", "c", "--seed", "1")
        self.assertNotEqual([t["searched"] for t in first["trials"]], [t["searched"] for t in other["trials"]])
        self.assertEqual(other["trials"][0]["per_seed"][0]["seed"], 1)
        self.assertIn(" --seed 1 ", other["best"]["command"])
        words = shlex.split(other["best"]["command"])
        self.assertEqual(self.train(*words[2:], "--no-output")["result_hash"], other["best"]["result_hash"])

    def test_killed_searches_go_on_to_the_same_result(self):
        args = ["demo", "--budget", "6", *SMALL, "--set", "epochs=40", "--set", "checkpoint_secs=0"]
        whole, _ = self.tune(*args, "-o", "whole")
        for i, number in enumerate((signal.SIGKILL, signal.SIGINT)):
            folder, killed = f"t{i}", 0
            for cells in (1, 3, 6, 8):
                process = self.start("tune", *args, "-o", folder)
                # When so many are done and the next is under way.
                while process.poll() is None:
                    done = len(list((self.path / folder).glob("cells/*.json")))
                    if done >= cells and list((self.path / folder).glob("cells/*.run/checkpoint.scrl")):
                        break
                    time.sleep(0.002)
                process.send_signal(number)
                out, err = process.communicate()
                killed += process.returncode in (-number, 128 + number)
                if process.returncode == 128 + number:
                    self.assertIn("the same command goes on", err)
                    self.assertIn("best: trial", out)
                    self.assertNotIn("test accuracy", out)  # only at the end
                # The best so far is whole and can be used at any time.
                if (self.path / folder / "best.toml").exists():
                    self.train("--config", f"{folder}/best.toml", "--no-output", "--set", "epochs=1")
            self.assertGreaterEqual(killed, 2)
            result, err = self.tune(*args, "-o", folder)
            self.assertIn("trainings are there already", err)
            self.assertEqual(self.lasting(result), self.lasting(whole))
            self.assertEqual(self.rows(folder), self.rows("whole"))
            self.assertEqual((self.path / folder / "best.toml").read_text(),
                             (self.path / "whole/best.toml").read_text())
            names = lambda f: {p.name for p in (self.path / f / "cells").iterdir()}
            self.assertEqual(names(folder), names("whole"))
        # Nothing is left to do; a larger budget goes on from there.
        before = self.rows("whole")
        _, err = self.tune(*args, "-o", "whole")
        self.assertEqual(err, "")
        self.assertEqual(self.rows("whole"), before)
        args[2] = "8"
        more, err = self.tune(*args, "-o", "whole")
        self.assertIn("trainings are there already", err)
        self.assertEqual([t["searched"] for t in more["trials"][:6]], [t["searched"] for t in whole["trials"]])

    def test_test_labels_decide_nothing(self):
        self.write_graph("plain")
        self.write_graph("flipped", flip_test=True)
        for method in ["gcn", "scrl"]:
            args = ["--budget", "6", "--seeds", "2", "--set", "epochs=15", "-m", method]
            plain, _ = self.tune("plain", *args)
            flipped, _ = self.tune("flipped", *args)
            self.assertNotEqual(plain["fingerprint"], flipped["fingerprint"])
            self.assertEqual(self.lasting(plain)["trials"], self.lasting(flipped)["trials"])
            self.assertEqual(plain["best"]["trial"], flipped["best"]["trial"])
            p, f = (r["best"]["test"]["accuracy"]["mean"] for r in (plain, flipped))
            self.assertAlmostEqual(p + f, 100)  # the same predictions, two classes
            self.assertNotEqual(p, f)
            self.assertTrue((self.path / f"tune/plain-{method}/best.toml").exists())

    def test_data_without_validation_nodes(self):
        self.write_graph("graph")
        (self.path / "graph/val.txt").unlink()
        self.write("graph/labels.csv", "id,label\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(20)) +
                   "".join(f"{i},{'ab'[i % 2]}\n" for i in range(120, 240)))
        result, err = self.tune("graph", "--budget", "2", "--seeds", "1", "--set", "epochs=5", "-m", "mlp")
        self.assertIn("4 of the training nodes validate instead of training", err)
        self.assertIn("only 4 validation nodes: one of them is 25 points", err)
        self.assertEqual(result["val_nodes"], 4)
        self.write("graph/labels.csv", "id,label\n0,a\n1,b\n")
        self.write("graph/train.txt", "0\n")
        self.write("graph/test.txt", "1\n")
        out, err = self.run_scrl("tune", "graph", code=3)
        self.assertIn("a single labelled node cannot both train and validate", err)

    def test_the_paper_comes_second(self):
        self.write_graph("citeseer")  # the name is what the profile goes by
        args = ["citeseer", "-m", "scrl-paper", "--budget", "3", "--seeds", "1", "--set", "epochs=3",
                "--space", "hidden1=8,16"]
        result, _ = self.tune(*args)
        first, paper, drawn = result["trials"]
        self.assertEqual((first["kind"], paper["kind"], drawn["kind"]), ("default", "paper", "drawn"))
        self.assertEqual(paper["searched"]["k"], "7")
        self.assertEqual(paper["status"], "failed")  # it wants a published feature graph
        self.assertIn("no published feature graph", paper["failure"])
        result, _ = self.tune(*args, "--set", "knn=union")
        paper = result["trials"][1]
        self.assertEqual(paper["status"], "done")
        self.assertIn("weight_decay=0.005", paper["changed"])
        self.assertNotIn("knn", result["space"])  # set for all
        # Where a method has no settings of its own there, it is not trained twice.
        result, _ = self.tune("citeseer", "-m", "gcn", "--budget", "2", "--seeds", "1", "--set", "epochs=3")
        self.assertEqual([t["kind"] for t in result["trials"]], ["default", "drawn"])
        # --profile paper: the search starts from there.
        self.write("space.txt", "tau = 0.2, 0.3\n")
        result, _ = self.tune(*args[:-2], "--profile", "paper", "--set", "knn=union", "--space", "space.txt",
                              "--set", "hidden1=8", "--set", "hidden2=8")
        self.assertIn("weight_decay=0.005", result["trials"][2]["changed"])
        self.assertNotIn("weight_decay=0.005", result["trials"][0]["changed"])

    def test_a_budget_of_time(self):
        began = time.monotonic()
        result, err = self.tune("demo:nodes=300", "--budget", "3s", "--seeds", "2", "-o", "t", "--set", "epochs=30")
        self.assertLess(time.monotonic() - began, 30)
        self.assertTrue(result["complete"])
        self.assertIsNotNone(result["best"]["test"])
        self.assertGreater(len(result["trials"]), 1)
        self.assertTrue((self.path / "t/best.toml").exists())
        # The same configurations in the same order as with a number of them.
        counted, _ = self.tune("demo:nodes=300", "--budget", "4", "--seeds", "1", "-o", "u", "--set", "epochs=30")
        for a, b in zip(result["trials"], counted["trials"]):
            self.assertEqual(a["searched"], b["searched"])
            if a["per_seed"]:
                self.assertEqual(a["per_seed"][0], b["per_seed"][0])
        # Too short for anything: the default is trained all the same.
        result, _ = self.tune("demo", "--budget", "0.01s", "-o", "v", "--set", "epochs=20")
        self.assertEqual([t["seeds"] for t in result["trials"] if t["seeds"]], [1])
        self.assertEqual(result["best"]["trial"], 1)

    def test_failing_trials_are_passed_over(self):
        args = ["demo:nodes=200", "-m", "mlp", "--budget", "8", "--seeds", "2", "--set", "epochs=5", "-o", "t",
                "--space", "lr=0.01,1e30", "--space", "hidden1=8,16"]
        result, err = self.tune(*args)
        failed = [t for t in result["trials"] if t["status"] == "failed"]
        self.assertTrue(failed)
        for t in result["trials"]:
            self.assertEqual(t["status"] == "failed", t["searched"]["lr"] == "1e+30")
        self.assertIn("diverged", failed[0]["failure"])
        self.assertIn("failed: ", err)
        self.assertNotEqual(result["best"]["trial"], failed[0]["trial"])
        again, err = self.tune(*args)
        self.assertEqual(self.lasting(again), self.lasting(result))
        self.assertNotIn("failed", err)  # on record
        out, _ = self.run_scrl("tune", *args)
        self.assertIn("diverged", out)
        self.run_scrl("tune", "demo:nodes=200", "-m", "mlp", "--budget", "2", "-o", "u", "--set", "lr=1e30", code=6)
        _, err = self.run_scrl("tune", "demo:nodes=200", "-m", "mlp", "--budget", "1s", "-o", "x", "--set", "lr=1e30",
                               code=6)
        self.assertIn("no configuration could be trained; the first failed: ", err)
        if not os.environ.get("SCRL_SANITIZE"):  # sanitizers need more memory than that
            result, _ = self.tune("demo", "-m", "gcn", "--budget", "6", "--seeds", "1", "-o", "w", "--mem-limit", "250M",
                                  "--space", "hidden1=16,65536", "--set", "epochs=2", "--set", "dropout=0")
            status = {t["searched"]["hidden1"]: t["status"] for t in result["trials"]}
            self.assertEqual(status, {"64": "done", "16": "done", "65536": "failed"})
            self.assertTrue(all("memory" in t["failure"] for t in result["trials"] if t["status"] == "failed"))

    def test_spaces(self):
        # A file is all of the space; used up when every configuration was tried.
        self.write("space.txt", "# two settings\nhidden1 = 8, 16\ndropout = 0.1, 0.2\n")
        result, err = self.tune("demo:nodes=200", "-m", "mlp", "--budget", "50", "--seeds", "1", "--set", "epochs=3",
                                "--space", "space.txt", "-o", "t")
        self.assertEqual(result["space"], {"hidden1": "8,16", "dropout": "0.1,0.2"})
        self.assertEqual(len(result["trials"]), 5)
        self.assertIn("the space has no more than 5 configurations", err)
        tried = {tuple(t["searched"].values()) for t in result["trials"][1:]}
        self.assertEqual(tried, {(h, d) for h in ("8", "16") for d in ("0.1", "0.2")})
        # What it searched can be given back.
        text = (self.path / "t/space.txt").read_text()
        self.write("again.txt", text)
        same, _ = self.tune("demo:nodes=200", "-m", "mlp", "--budget", "50", "--seeds", "1", "--set", "epochs=3",
                            "--space", "again.txt", "-o", "u")
        self.assertEqual(self.lasting(same), self.lasting(result))
        # A range replaces what is searched by default, another setting comes on top.
        result, _ = self.tune("demo:nodes=200", "-m", "mlp", "--budget", "3", "--seeds", "1", "--set", "epochs=3",
                              "--space", "lr=1e-3..2e-3", "--space", "optimizer=adam,sgd", "-o", "v")
        self.assertEqual(result["space"]["lr"], "0.001..0.002")
        self.assertIn("hidden1", result["space"])
        self.assertIn("optimizer", result["space"])
        for t in result["trials"][1:]:
            self.assertTrue(0.001 <= float(t["searched"]["lr"]) <= 0.002)

    def test_what_a_person_reads(self):
        args = ["demo", "--budget", "8", "-o", "t", "-l", "10", *SMALL]
        out, err = self.run_scrl("tune", *args)
        for text in ("demo, 10 labels per class: scrl, accuracy on validation nodes", "1 (default)", "What seems to matter",
                     "best: trial ", "test accuracy ", "no part of the choice",
                     f"{SCRL} train demo -m scrl -l 10 --seeds 3 ", "written to t: best.toml trials.csv space.txt"):
            self.assertIn(text, out)
        self.assertEqual(out.count("test accuracy"), 1)
        self.assertIn("trials go on to 2 seeds", err)
        self.assertNotIn("\x1b", out + err)
        command = next(line for line in out.splitlines() if line.startswith(f"  {SCRL} train"))
        done = subprocess.run(command + " --no-output -q", shell=True, env=self.environment(), cwd=self.path)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(self.run_scrl("tune", *args, "-q"), ("", ""))

    def test_one_process_at_a_time(self):
        process = self.start("tune", "demo", "-o", "t", "--set", "epochs=100000", "--set", "patience=0")
        while not (self.path / "t/space.txt").exists():
            time.sleep(0.01)
        _, err = self.run_scrl("tune", "demo", "-o", "t", code=2)
        self.assertIn("another search is at work in this folder", err)
        process.send_signal(signal.SIGINT)
        process.communicate()
        self.assertEqual(process.returncode, 130)
        self.write("u/best.toml", "mine")
        _, err = self.run_scrl("tune", "demo", "-o", "u", code=2)
        self.assertIn("is there already and not part of a search", err)

    def test_bad_options(self):
        cases = [
            (["tune"], "usage: scrl tune DATA"),
            (["tune", "demo", "demo"], "too many arguments"),
            (["tune", "demo", "-m", "gnn"], "unknown method 'gnn'; the methods are"),
            (["tune", "demo", "--budget", "soon"], "--budget: expected a number of trials as in 50, or a time"),
            (["tune", "demo", "--budget", "0"], "--budget: expected"),
            (["tune", "demo", "--seeds", "0"], "seeds: expected a whole number"),
            (["tune", "demo", "--space", "nosuch"], "or a file of them, got 'nosuch', which is no file"),
            (["tune", "demo", "--space", "k=5,x"], "k: expected a whole number"),
            (["tune", "demo", "--space", "hiden1=5"], "did you mean 'hidden1'?"),
            (["tune", "demo", "--space", "lr=1..0.1"], "0 < LOW < HIGH"),
            (["tune", "demo", "--space", "labels=5,20"], "labels cannot be searched"),
            (["tune", "demo", "-m", "gcn", "--space", "alpha=1,2"], "unknown option 'alpha'"),
            (["tune", "demo", "--space", "k=5,9", "-k", "5"], "k is set to one value, too"),
            (["tune", "demo", "--protocol", "oracle"], "tune chooses on validation nodes"),
            (["tune", "demo", "--set", "protocol=fixed"], "tune chooses on validation nodes"),
            (["tune", "demo", "--set", "seeds=3"], "seeds: give it as --seeds"),
            (["tune", "demo", "--set", "epoch=3"], "did you mean 'epochs'?"),
            (["tune", "demo", "--profile", "paper"], "profile paper: nothing is known for scrl on demo"),
            (["tune", "demo", "--space", self.write("empty.toml", "")], "there is nothing to search"),
        ]
        for args, expected in cases:
            with self.subTest(args):
                out, err = self.run_scrl(*args, code=2)
                self.assertEqual(out, "")
                self.assertEqual(len(err.splitlines()), 1, err)
                self.assertIn(expected, err)
        self.run_scrl("tune", "nosuch", code=3)
        self.assertFalse((self.path / "tune").exists(), "an error left a folder behind")


if __name__ == "__main__":
    unittest.main()
