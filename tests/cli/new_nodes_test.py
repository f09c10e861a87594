"""scrl predict --new-nodes: nodes that were not there in training, from files."""
import csv
import gzip
import io
import json
import unittest

from program import ProgramTest

COLUMNS = 12


class NewNodesTest(ProgramTest):
    """Two communities of 30 nodes, called a0.. and b0..; six columns of words each."""

    def setUp(self):
        super().setUp()
        graph = self.path / "graph"
        graph.mkdir()
        names = [f"{side}{i}" for side in "ab" for i in range(30)]
        rows = ["id," + ",".join(f"w{c}" for c in range(COLUMNS))]
        for n, name in enumerate(names):
            own = 0 if name[0] == "a" else 6
            words = {own + n % 6, own + (n // 2) % 6, (n * 7) % COLUMNS}
            rows.append(name + "," + ",".join(str(int(c in words)) for c in range(COLUMNS)))
        (graph / "features.csv").write_text("\n".join(rows) + "\n")
        edges = [f"{s}{i},{s}{(i + d) % 30}" for s in "ab" for i in range(30) for d in (1, 4)]
        (graph / "edges.csv").write_text("source,target\n" + "\n".join(edges) + "\n")
        (graph / "labels.csv").write_text("id,label\n" + "\n".join(f"{n},{n[0]}" for n in names) + "\n")
        self.nodes = self.write("new.csv", "\n".join(
            [rows[0], "x," + ",".join("1" if c < 3 else "0" for c in range(COLUMNS)),
             "y," + ",".join("1" if c > 8 else "0" for c in range(COLUMNS))]) + "\n")
        self.edges = self.write("joins.csv", "x,a1\na2,x\ny,b3\ny,b4\n")

    def one_line(self, err):
        self.assertEqual(err.count("\n"), 1, err)
        return err

    def table(self, text):
        return {row["id"]: row for row in csv.DictReader(io.StringIO(text))}

    def train_method(self, method, run="run"):
        self.run_scrl("train", "graph", "-m", method, "-o", run, "-q", "--set", "test_share=0.2")

    def test_new_nodes_are_predicted_each_by_itself(self):
        self.run_scrl("train", "graph", "--members", "scrl,sgc,mlp,h2gcn,scrl-lsa", "-o", "run", "-q")
        text, err = self.run_scrl("predict", "run", "--new-nodes", self.nodes, "--new-edges", self.edges)
        self.assertEqual(err, "")
        both = self.table(text)
        self.assertEqual({i: r["label"] for i, r in both.items()}, {"x": "a", "y": "b"})
        self.assertAlmostEqual(float(both["x"]["a"]) + float(both["x"]["b"]), 1, places=5)
        lines = (self.path / self.nodes).read_text().splitlines()
        self.write("one.csv", "\n".join([lines[0], lines[2]]) + "\n")
        self.write("its.csv", "y,b3\nb4,y\n")
        self.run_scrl("predict", "run", "--new-nodes", "one.csv", "--new-edges", "its.csv", "-o", "p.csv")
        self.assertEqual(self.table((self.path / "p.csv").read_text())["y"], both["y"])
        # Other formats of the same rows, and threads, give the same text.
        rows = [" ".join([line.split(",")[0]] + [f"{c}:{v}" for c, v in enumerate(line.split(",")[1:]) if v != "0"])
                for line in lines[1:]]
        (self.path / "new.svm.gz").write_bytes(gzip.compress(("\n".join(rows) + "\n").encode()))
        again, _ = self.run_scrl("predict", "run", "--new-nodes", "new.svm.gz", "--new-edges", self.edges, "-t", "1")
        self.assertEqual(again, text)
        # What was there is predicted as before.
        self.run_scrl("predict", "run", "-o", "known.csv")
        self.assertEqual((self.path / "known.csv").read_bytes(), (self.path / "run/predictions.csv").read_bytes())

    def test_edges_among_new_nodes_count_with_joint(self):
        self.train_method("gcn")
        edges = self.write("more.csv", "x,a1\ny,b3\nx,y\na1,a2\n")
        call = ["predict", "run", "--new-nodes", self.nodes, "--new-edges", edges]
        alone, err = self.run_scrl(*call)
        self.assertIn("more.csv: 1 edges among new nodes are left out; --joint takes them into account", err)
        self.assertIn("1 edges join nodes of the training data; they change nothing", err)
        joint, err = self.run_scrl(*call, "--joint")
        self.assertNotIn("--joint", err)
        self.assertNotEqual(alone, joint)

    def test_rows_without_ids_go_on_counting(self):
        folder = self.path / "numbers"
        folder.mkdir()
        (folder / "features.svm").write_text("".join(f"{i % 2}:1 2:0.5\n" for i in range(40)))
        (folder / "edges.csv").write_text("".join(f"{i},{(i + 2) % 40}\n" for i in range(40)))
        (folder / "labels.csv").write_text("".join(f"{i % 2}\n" for i in range(40)))
        self.run_scrl("train", "numbers", "-m", "sgc", "-o", "run", "-q")
        self.write("more.svm", "0:1\n1:1 2:0.5\n")
        out, _ = self.run_scrl("predict", "run", "--new-nodes", "more.svm")
        self.assertEqual({i: r["label"] for i, r in self.table(out).items()}, {"40": "0", "41": "1"})

    def test_methods_without_features_take_neighbours(self):
        self.train_method("label-propagation")
        out, err = self.run_scrl("predict", "run", "--new-nodes", self.nodes, "--new-edges", self.edges)
        self.assertIn("a new node gets the mean of its neighbours", self.one_line(err))
        self.assertEqual({i: r["label"] for i, r in self.table(out).items()}, {"x": "a", "y": "b"})

    def test_what_cannot_be_is_said(self):
        self.train_method("gcn")
        self.train_method("demo-net", "degrees")
        header = (self.path / self.nodes).read_text().splitlines()[0]
        values = ",".join(["1"] * COLUMNS)
        wrong = self.write("wrong.csv", f"{header}\nz,{values},1\n")
        known = self.write("known.csv", f"{header}\na1,{values}\n")
        far = self.write("far.svm", "z 3:1\nw 12:1\n")
        nameless = self.write("nameless.svm", "3:1\n")
        stranger = self.write("stranger.csv", "x,a1\nx,nobody\n")
        new = ["--new-nodes", self.nodes]
        for args, code, message in [
                (["run", *new, "--new-edges", stranger], 3, "stranger.csv:2: target: expected a known node id, "
                                                            "found \"nobody\""),
                (["run", "--new-nodes", wrong], 3, "wrong.csv:2: expected 12 values, the columns of the training "
                                                   "data, found 13"),
                (["run", "--new-nodes", far], 3, "far.svm:2: column: expected 0..11, found 12"),
                (["run", "--new-nodes", known], 3, "known.csv: node \"a1\" is in"),
                (["run", "--new-nodes", nameless], 3, "nameless.svm: expected a node id at the start of each row"),
                (["run", "--new-nodes", "absent.csv"], 3, "absent.csv: cannot open"),
                (["run", "--new-nodes", "new.docx"], 2, "new.docx: expected a file of features named .csv"),
                (["degrees", *new], 2, "demo-net cannot predict new nodes: it knows only those it was trained on"),
                (["run", "--joint"], 2, "need --new-nodes FILE"),
                (["run", *new, "--joint"], 2, "--joint needs --new-edges FILE")]:
            with self.subTest(args=args):
                out, err = self.run_scrl("predict", *args, code=code)
                self.assertEqual(out, "")
                self.assertIn(message, self.one_line(err))


if __name__ == "__main__":
    unittest.main()
