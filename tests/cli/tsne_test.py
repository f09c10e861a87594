"""scrl tsne: maps of runs, files and data sets."""
import csv
import json
import unittest

import numpy as np

from program import FAST, ProgramTest

QUICK = ["--iterations", "120", "--exaggeration-iters", "60"]


def groups(rows=240, columns=8, count=4):
    rng = np.random.default_rng(0)
    centres = 8 * rng.standard_normal((count, columns))
    return (centres[np.arange(rows) % count] + rng.standard_normal((rows, columns))).astype(np.float32)


class TsneTest(ProgramTest):
    def rows(self, name):
        with open(self.path / name, newline="") as file:
            return list(csv.DictReader(file))

    def save(self, name, array):
        np.save(self.path / name, array)
        return name

    def error(self, *args, code):
        out, err = self.run_scrl("tsne", *args, code=code)
        self.assertEqual(out, "")
        self.assertEqual(len(err.splitlines()), 1, err)
        return err

    def test_a_run_becomes_a_map_with_ids_and_predictions(self):
        self.run_scrl("train", "demo:nodes=300", "-m", "gcn", *FAST[-2:], "-o", "run", "-q")
        _, err = self.run_scrl("tsne", "run", "-o", "map.csv", *QUICK)
        self.assertIn("trustworthiness", err)
        ids = (self.path / "run/ids.txt").read_text().split()
        rows = self.rows("map.csv")
        self.assertEqual([r["id"] for r in rows], ids)
        predicted = [r["label"] for r in self.rows("run/predictions.csv")]
        self.assertEqual([r["prediction"] for r in rows], predicted)
        self.assertNotIn("label", rows[0])
        self.assertTrue(np.isfinite([[float(r["x"]), float(r["y"])] for r in rows]).all())
        # The same through the model file, and with labels.
        self.run_scrl("tsne", "run/model.scrl", "-o", "model.csv", "-q", "--labels", "demo:nodes=300", *QUICK)
        again = self.rows("model.csv")
        self.assertEqual([(r["id"], r["x"], r["y"], r["prediction"]) for r in again],
                         [(r["id"], r["x"], r["y"], r["prediction"]) for r in rows])
        self.assertEqual(list(again[0]), ["id", "x", "y", "label", "prediction"])
        self.assertGreater(sum(r["label"] == r["prediction"] for r in again), 150)

    def test_threads_formats_and_summary(self):
        X = groups()
        self.save("points.npy", X)
        out, err = self.run_scrl("tsne", "points.npy", "-o", "map.npy", "--json", "-q", *QUICK)
        self.assertEqual(err, "")
        facts = json.loads(out)
        self.assertEqual((facts["points"], facts["dimensions"], facts["repulsion"]), (240, 8, "exact"))
        self.assertGreater(facts["quality"]["trustworthiness"], 0.9)
        self.assertGreater(facts["quality"]["recall"], 0.2)
        self.assertGreater(facts["kl"], 0)
        first = (self.path / "map.npy").read_bytes()
        for threads in (1, 2, 3):
            self.run_scrl("tsne", "points.npy", "-o", "map.npy", "-q", "-t", threads, *QUICK)
            self.assertEqual((self.path / "map.npy").read_bytes(), first)
        Y = np.load(self.path / "map.npy")
        self.assertEqual(Y.shape, (240, 2))
        d = ((Y[:, None] - Y[None]) ** 2).sum(2) + np.diag(np.full(240, 1e9))
        self.assertTrue((d.argmin(1) % 4 == np.arange(240) % 4).all())
        # Stdout is the map; a table with ids of one's own gives the same places.
        text, _ = self.run_scrl("tsne", "points.npy", "-q", *QUICK)
        self.assertEqual(text.splitlines()[0], "id,x,y")
        table = "id,a,b,c,d,e,f,g,h\n" + "".join(
            f'"n, {i}",' + ",".join(repr(float(v)) for v in row) + "\n" for i, row in enumerate(X))
        self.write("points.csv", table)
        self.run_scrl("tsne", "points.csv", "-o", "table.csv", "-q", *QUICK)
        rows = self.rows("table.csv")
        self.assertEqual(rows[5]["id"], "n, 5")
        self.assertEqual([[float(r["x"]), float(r["y"])] for r in rows],
                         [[float(v) for v in line.split(",")[1:]] for line in text.splitlines()[1:]])

    def test_a_data_set_is_mapped_by_its_features(self):
        out, _ = self.run_scrl("tsne", "demo:nodes=200", "-o", "map.csv", "--json", "-q", *QUICK)
        self.assertEqual(json.loads(out)["distance"], "cosine")
        self.assertEqual(list(self.rows("map.csv")[0]), ["id", "x", "y", "label"])

    def test_a_start_is_kept_close_to(self):
        self.save("points.npy", groups())
        self.run_scrl("tsne", "points.npy", "-o", "first.csv", "-q")
        first = self.rows("first.csv")
        self.write("shuffled.csv", "\n".join(["id,label,y,x"] + [f"{r['id']},k,{r['y']},{r['x']}" for r in first[::-1]]))
        self.run_scrl("tsne", "points.npy", "--start", "shuffled.csv", "--iterations", "0", "-o", "same.csv", "-q")
        self.assertEqual(self.rows("same.csv"), first)
        self.run_scrl("tsne", "points.npy", "--start", "first.csv", "--iterations", "50", "-o", "next.csv", "-q")
        a, b = ([[float(r["x"]), float(r["y"])] for r in rows] for rows in (first, self.rows("next.csv")))
        self.assertLess(np.linalg.norm(np.subtract(a, b)), 0.1 * np.linalg.norm(a))

    def test_few_and_equal_points(self):
        for n in (1, 2, 3):
            self.save("few.npy", groups()[:n])
            _, err = self.run_scrl("tsne", "few.npy", "-o", "few.csv", *QUICK)
            self.assertIn("note: perplexity 1,", err)
            self.assertEqual(len(self.rows("few.csv")), n)
        _, err = self.run_scrl("tsne", self.save("less.npy", groups()[:61]), "-o", "less.csv", *QUICK)
        self.assertIn("note: perplexity 20, a third of the other points: 61 points are too few for 30", err)
        self.run_scrl("tsne", self.save("equal.npy", np.ones((100, 3), np.float32)), "-o", "equal.npy.csv", "-q", *QUICK)
        self.assertTrue(all(np.isfinite(float(r["x"])) for r in self.rows("equal.npy.csv")))

    def test_errors(self):
        X = groups()
        X[3, 2] = np.nan
        self.save("nan.npy", X)
        self.save("flat.npy", X[0])
        self.save("points.npy", groups())
        self.save("start.npy", groups()[:, :2][:-1])
        self.write("words.csv", "id,a\nx,1\ny,two\n")
        self.write("start.csv", "id,x,y\n0,1,2\n")
        self.write("noid.csv", "a,b\n1,2\n")
        self.assertIn("nan.npy: row 3, column 2: expected a finite number, found nan", self.error("nan.npy", code=3))
        self.assertIn("flat.npy: expected an array of points x numbers", self.error("flat.npy", code=3))
        self.assertIn("none.npy: no such file", self.error("none.npy", code=3))
        self.assertIn("words.csv:3", self.error("words.csv", code=3))
        self.assertIn("no row for the point \"1\"", self.error("points.npy", "--start", "start.csv", code=3).replace("'", '"'))
        self.assertIn("expected a column 'id'", self.error("points.npy", "--start", "noid.csv", code=3))
        self.assertIn("expected 240 rows of 2", self.error("points.npy", "--start", "start.npy", code=3))
        self.assertIn("perplexity: expected a number at least 1", self.error("points.npy", "--perplexity", "0", code=2))
        self.assertIn("method: expected auto, exact or fft", self.error("points.npy", "--method", "tree", code=2))
        self.assertIn("name a file by -o", self.error("points.npy", "--json", code=2))
        self.assertIn("usage: scrl tsne", self.error(code=2))
        self.assertFalse(list(self.path.glob("*.tmp*")))


if __name__ == "__main__":
    unittest.main()
