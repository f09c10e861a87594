"""Calibration, sets, queries, explanations and suspects, through the program."""
import csv
import json
import unittest

from program import FAST, ProgramTest

DATA = "demo:nodes=400"
SPLIT = ["-l", 10, "--val-nodes", 80, "--test-nodes", 100]  # leaves nodes in no part


class TrustTest(ProgramTest):
    def table(self, name):
        with open(self.path / name, newline="") as file:
            return list(csv.DictReader(file))

    def test_calibration_changes_probabilities_and_no_prediction(self):
        with_t = self.train(DATA, *FAST, "-l", 10, "-o", "with")
        without = self.train(DATA, *FAST, "-l", 10, "--calibration", "none", "-o", "without")
        record = with_t["per_seed"][0]["calibration"]
        self.assertEqual(record["labels_from"], "validation nodes")
        self.assertEqual(record["labels"], with_t["val_nodes"])
        self.assertNotEqual(record["temperature"], 1)
        self.assertNotIn("calibration", without["per_seed"][0])
        self.assertEqual(with_t["result_hash"], without["result_hash"])
        a, b = self.table("with/predictions.csv"), self.table("without/predictions.csv")
        self.assertEqual([r["label"] for r in a], [r["label"] for r in b])
        self.assertNotEqual(a, b)
        self.run_scrl("predict", "with/model.scrl", DATA, "-o", "again.csv")
        self.assertEqual((self.path / "again.csv").read_bytes(), (self.path / "with/predictions.csv").read_bytes())

    def test_under_fixed_the_temperature_comes_from_folds(self):
        for method in ("scrl", "deepwalk"):
            fast = FAST[2:] if method == "scrl" else ["--set", "epochs=1"]
            report = self.train(DATA, "-m", method, *fast, "-l", 10, "--protocol", "fixed", "-o", method)
            record = report["per_seed"][0]["calibration"]
            self.assertEqual(record["labels_from"], "folds of the training nodes")
            self.assertEqual(record["labels"], report["train_nodes"])

    def test_sets_with_and_without_a_promise(self):
        self.train(DATA, *FAST, "-l", 10, "--conformal-share", "0.5", "-o", "kept")
        parts = [r["part"] for r in self.table("kept/split.csv")]
        self.assertGreater(parts.count("conformal"), 50)
        self.assertLessEqual(abs(parts.count("conformal") - parts.count("val")), 1)
        _, err = self.run_scrl("predict", "kept", "--coverage", "0.9", "-o", "sets.csv")
        self.assertIn("Guaranteed", err)
        self.assertIn(f"{parts.count('conformal')} calibration labels", err)
        rows = self.table("sets.csv")
        labels = {c for c in rows[0] if c not in ("id", "label", "set")}
        used = {r["id"] for r in self.table("kept/split.csv")}
        for row in rows:
            members = row["set"].split("|") if row["set"] else []
            self.assertLessEqual(set(members), labels)
            self.assertEqual(members, sorted(members, key=lambda c: -float(row[c])))
        self.assertGreater(len(used), 0)
        _, err = self.run_scrl("predict", "kept", "--coverage", "0.9", "--nonempty", "-o", "full.csv")
        self.assertTrue(all(row["set"] for row in self.table("full.csv")))
        _, err = self.run_scrl("predict", "kept", "--coverage", "0.999", code=2)
        self.assertIn("needs at least 999 calibration labels", err)

        self.train(DATA, *FAST, "-l", 10, "-o", "plain")
        _, err = self.run_scrl("predict", "plain", "--coverage", "0.9", "-o", "sets.csv")
        self.assertIn("Not guaranteed", err)
        _, err = self.run_scrl("predict", "plain", "demo:nodes=400,seed=5", "--coverage", "0.9", code=2)
        self.assertIn("other data", err)
        self.train(DATA, *FAST, "-l", 10, "--protocol", "fixed", "--calibration", "none", "-o", "fixed")
        _, err = self.run_scrl("predict", "fixed", "--coverage", "0.9", code=2)
        self.assertIn("--conformal-share", err)
        _, err = self.run_scrl("train", DATA, *FAST, "--protocol", "fixed", "--conformal-share", "0.5", "-o", "x", code=2)
        self.assertIn("only protocol val", err)

    def test_least_confidence_leaves_labels_empty(self):
        self.train(DATA, *FAST, "-l", 10, "-o", "run")
        self.run_scrl("predict", "run", "--min-confidence", "0.9", "-o", "sure.csv")
        rows = self.table("sure.csv")
        for row in rows:
            largest = max(float(v) for k, v in row.items() if k not in ("id", "label"))
            self.assertEqual(row["label"] == "", largest < 0.9)
        self.assertEqual(len({row["label"] == "" for row in rows}), 2)

    def test_query_before_any_label_and_with_a_model(self):
        _, err = self.run_scrl("query", DATA, code=2)
        self.assertIn("--no-labels", err)
        first = json.loads(self.run_scrl("query", DATA, "-n", 12, "--no-labels", "--json", "-t", 1)[0])
        again = json.loads(self.run_scrl("query", DATA, "-n", 12, "--no-labels", "--json", "-t", 3)[0])
        self.assertEqual(first, again)
        self.assertEqual(len({n["id"] for n in first["nodes"]}), 12)
        self.train(DATA, *FAST, *SPLIT, "-o", "run")
        self.run_scrl("query", "run", "-n", 15, "-o", "ask.csv")
        asked = self.table("ask.csv")
        self.assertEqual(len(asked), 15)
        used = {r["id"] for r in self.table("run/split.csv")}
        self.assertFalse(used & {r["id"] for r in asked})
        self.assertIn("surer", asked[0]["reason"])

    def test_query_replays_on_known_labels(self):
        out, _ = self.run_scrl("query", DATA, "--oracle-labels", "-n", 5, "--batches", 2, "--draws", 2, *FAST,
                               "-o", "curve.svg", "--json", "-q")
        replay = json.loads(out)
        self.assertEqual([p["labels"] for p in replay["points"]], [5, 10])
        self.assertIn("<svg", (self.path / "curve.svg").read_text())
        _, err = self.run_scrl("query", DATA, "--oracle-labels", "-n", 5000, code=2)
        self.assertIn("labelled nodes", err)

    def test_explain(self):
        self.train(DATA, *FAST, "-l", 10, "-o", "run")
        node = self.table("run/predictions.csv")[7]
        first, _ = self.run_scrl("explain", "run", node["id"], "--json", "-t", 1)
        again, _ = self.run_scrl("explain", "run", node["id"], "--json", "-t", 3)
        self.assertEqual(first, again)
        answer = json.loads(first)
        self.assertEqual(answer["label"], node["label"])
        self.assertTrue(answer["effects"]["feature"])
        self.assertEqual({p["view"] for p in answer["prototypes"]}, {"topology", "features"})
        text, _ = self.run_scrl("explain", "run", node["id"])
        self.assertIn("feature column", text)
        _, err = self.run_scrl("explain", "run", "nobody", code=2)
        self.assertIn("there is no node 'nobody'", err)

    def test_suspects(self):
        fast = [*FAST[2:]]
        out, _ = self.run_scrl("suspects", DATA, "-l", 20, "--flip", "0.1", "-q", "--json", *fast)
        answer = json.loads(out)
        self.assertGreater(answer["flipped"]["labels"], 1)
        self.train(DATA, *FAST, "-l", 10, "-o", "run")
        self.run_scrl("suspects", "run", "-q", "-o", "s.csv", *fast)
        used = {r["id"] for r in self.table("run/split.csv") if r["part"] in ("train", "val")}
        self.assertEqual({r["id"] for r in self.table("s.csv")}, used)


if __name__ == "__main__":
    unittest.main()
