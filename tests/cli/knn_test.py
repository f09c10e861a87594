"""scrl knn: the search and its check; a feature graph of one's own, in the folder or by --knn-file."""
import json
import re
import unittest

from program import ProgramTest

DEMO = "demo:nodes=3000,seed=4"


class KnnTest(ProgramTest):
    def make(self, name="graph", knn=None):
        """24 nodes of two classes; features tell nothing, so a feature graph of them does not either."""
        folder = self.path / name
        folder.mkdir()
        names = [f"n{i}" for i in range(24)]
        (folder / "features.csv").write_text("id,x,y\n" + "".join(f"{n},1,{i % 3}\n" for i, n in enumerate(names)))
        (folder / "edges.csv").write_text("source,target\n" + "".join(f"n{i},n{(i + 1) % 24}\n" for i in range(24)))
        (folder / "labels.csv").write_text("id,label\n" + "".join(f"{n},{'ab'[i % 2]}\n" for i, n in enumerate(names)))
        if knn:
            (folder / "features.knn.tsv").write_text(knn)
        return folder

    def error(self, *args, code):
        return self.run_scrl(*args, code=code)[1]

    # Each node and the next of its class, and itself, as searches list it.
    OWN = "".join(f"n{i}\tn{i}\t1\nn{i}\tn{(i + 2) % 24}\t0.9\n" for i in range(24))

    def test_check_prints_recall_and_its_interval(self):
        _, err = self.run_scrl("knn", DEMO, "--knn-search", "approximate", "--check", "--samples", "200", "-o", "g.tsv")
        m = re.search(r"recall@15 ([\d.]+) \(95 % confidence ([\d.]+) to ([\d.]+)\).* on 200 nodes", err)
        self.assertTrue(m, err)
        found, low, high = map(float, m.groups())
        self.assertLessEqual(low, found)
        self.assertLessEqual(found, high)
        self.assertLess(low, 1)
        self.assertGreater(found, 0.9)
        _, err = self.run_scrl("knn", DEMO, "--knn-search", "exact", "--check", "--samples", "5000", "-o", "g.tsv")
        self.assertIn("recall@15 1.0000 (95 % confidence 1.0000 to 1.0000)", err)

    def test_threads_do_not_change_an_approximate_graph(self):
        graphs = [self.run_scrl("knn", DEMO, "--knn-search", "approximate", "-q", "-t", t)[0] for t in "123"]
        self.assertEqual(len(set(graphs)), 1)

    def test_training_records_the_recall_of_an_approximate_search(self):
        args = ["train", DEMO, "-m", "knn-gcn", "--epochs", "2", "-q", "--set", "hidden1=8"]
        self.run_scrl(*args, "--knn-search", "approximate", "-o", "run")
        r = json.loads((self.path / "run/metrics.json").read_text())["knn_recall"]
        self.assertEqual(r["nodes"], 256)
        self.assertTrue(0.9 < r["low"] <= r["found"] <= r["high"] <= 1, r)
        events = [json.loads(line) for line in (self.path / "run/events.jsonl").read_text().splitlines()]
        self.assertEqual([e["event"] for e in events][-2:], ["knn_recall", "done"])
        self.run_scrl(*args, "--knn-search", "exact", "-o", "exact")
        self.assertNotIn("knn_recall", json.loads((self.path / "exact/metrics.json").read_text()))

    def test_a_graph_of_ones_own_in_the_folder(self):
        self.make(knn=self.OWN)
        out, err = self.run_scrl("knn", "graph")
        self.assertEqual(len(out.splitlines()), 24)
        self.assertIn("n0\tn2\n", out)
        self.assertIn("features, own graph", self.run_scrl("inspect", "graph")[0])
        # Asked for by name, the graph of the features is still there.
        computed = self.run_scrl("knn", "graph", "--knn", "union", "-k", "2", "-q")[0]
        self.assertNotEqual(computed, out)
        self.run_scrl("plan", "graph", "-m", "knn-gcn")

    def test_a_graph_by_name_is_remembered_and_decides(self):
        self.make()
        own = self.write("own.tsv", self.OWN)
        args = ["-m", "knn-gcn", "-q", "--epochs", "30", "--set", "test_share=0.4", "--set", "val_share=0.2"]
        self.run_scrl("train", "graph", *args, "--knn-file", own, "-o", "with")
        self.run_scrl("train", "graph", *args, "-o", "without")
        config = (self.path / "with/config.toml").read_text()
        self.assertIn(":knn=", config)
        self.assertRegex(config, r'knn = "file" +# the data has its own graph')
        first, second = ((self.path / run / "predictions.csv").read_text() for run in ("with", "without"))
        self.assertNotEqual(first, second)
        self.assertEqual(self.run_scrl("predict", "with")[0], first)
        self.make("there", self.OWN)
        self.run_scrl("train", "there", *args, "-o", "from-folder")
        self.assertEqual((self.path / "from-folder/predictions.csv").read_text(), first)
        # A changed graph is changed data.
        self.write("own.tsv", self.OWN + "n0\tn5\t1\n")
        self.assertIn("the data has changed", self.error("train", "graph", *args, "--knn-file", own, "-o", "with",
                                                        "--resume", code=2))

    def test_errors_name_file_and_line(self):
        self.make()
        self.assertIn('own.tsv:2: target: expected a known node id, found "n99"',
                      self.error("knn", "graph", "--knn-file", self.write("own.tsv", "n0\tn1\nn1\tn99\n"), code=3))
        self.assertIn("none.tsv", self.error("knn", "graph", "--knn-file", "none.tsv", code=3))
        self.assertIn("--check looks at computed neighbours",
                      self.error("knn", "graph", "--knn-file", self.write("own.tsv", self.OWN), "--check", code=2))


if __name__ == "__main__":
    unittest.main()
