"""scrl reproduce as a user runs it: tables beside the paper's numbers, going on, other builds, missing data."""
import csv
import json
import os
import random
import re
import signal
import time
import unittest
from xml.etree import ElementTree

from program import ProgramTest

QUICK = ["--set", "epochs=2", "--set", "hidden1=8", "--seeds", "2"]
ENDINGS = [".csv", ".md", ".tex", ".json"]


class ReproduceTest(ProgramTest):
    """On a small graph of our own that goes by the name of a data set of the paper."""

    def setUp(self):
        super().setUp()
        self.data("citeseer", 1)

    def data(self, name, seed):
        rng = random.Random(seed)
        label = [i % 3 for i in range(240)]
        edges = [(i, j) for i in range(240) for j in range(i) if rng.random() < (0.05 if label[i] == label[j] else 0.005)]
        self.write(f"data/{name}/edges.csv", "source,target\n" + "".join(f"{i},{j}\n" for i, j in edges))
        self.write(f"data/{name}/labels.csv", "id,label\n" + "".join(f"{i},c{c}\n" for i, c in enumerate(label)))
        self.write(f"data/{name}/features.svm", "".join(
            f"{i} " + " ".join(f"{k}:1" for k in sorted(rng.sample(range(10 * c + 1, 10 * c + 16), 6))) + "\n"
            for i, c in enumerate(label)))

    def environment(self, **more):
        return super().environment(**{"SCRL_DATA": str(self.path / "data"), **more})

    def reproduce(self, *args, code=0, **env):
        out, err = self.run_scrl("reproduce", *args, "--json", code=code, **env)
        return json.loads(out), err

    def files(self, folder, table):
        return {e: (self.path / folder / (table + e)).read_bytes() for e in ENDINGS}

    def rows_of_csv(self, folder, table):
        with open(self.path / folder / f"{table}.csv", newline="") as file:
            return list(csv.DictReader(file))

    def test_a_table_and_its_files(self):
        args = ["table2", "--only", "citeseer", "-l", "20", "-m", "gcn,mlp", *QUICK]
        out, err = self.run_scrl("reproduce", *args)
        self.assertIn("table2 [2/2] citeseer 20 mlp: ", err)
        self.assertIn("Table 2, node classification: citeseer, 20 labels per class", out)
        self.assertRegex(out, r"method +ACC paper +ACC oracle† \(2\) +ACC val \(2\) +F1 paper +F1 oracle† \(2\) +F1 val")
        self.assertRegex(out, r"gcn +70\.30 +\d+\.\d\d ± \d+\.\d\d +\d+\.\d\d ± \d+\.\d\d( \*)? +67\.50 ")
        self.assertRegex(out, r"mlp +- +\d+\.\d\d ")
        self.assertIn("written to reproduce: table2.csv", out)
        rows = self.rows_of_csv("reproduce", "table2")
        self.assertEqual([(r["variant"], r["protocol"], r["seeds"]) for r in rows],
                         [(m, p, "2") for p in ("oracle", "val") for m in ("gcn", "mlp")])
        facts = json.loads((self.path / "reproduce/table2.json").read_text())
        self.assertEqual(facts["table"], "table2")
        version = json.loads(self.run_scrl("version", "--json")[0])
        for r, j in zip(rows, facts["rows"]):
            self.assertEqual(float(r["accuracy_mean"]), j["accuracy"]["mean"])
            self.assertEqual(r["paper_accuracy"], "70.3" if r["method"] == "gcn" else "")
            self.assertEqual(r["build"], j["build"])
            self.assertIn(version["version"], j["build"])
            score = f"{j['accuracy']['mean']:.2f} ± {j['accuracy']['std']:.2f}"
            self.assertIn(score, out)
            self.assertIn(score, (self.path / "reproduce/table2.md").read_text())
            self.assertIn(score.replace("±", "$\\pm$"), (self.path / "reproduce/table2.tex").read_text())
        # The figures are those of train.
        alone = self.train("citeseer", "-l", "20", "-m", "gcn", "--profile", "paper", "--no-output", *QUICK)
        val = next(j for j in facts["rows"] if (j["method"], j["protocol"]) == ("gcn", "val"))
        self.assertEqual((val["accuracy"], val["result_hash"]), (alone["accuracy"], alone["result_hash"]))

    def test_tables_share_what_is_trained(self):
        common = ["--only", "citeseer", "-m", "scrl-paper,scrl", "-l", "20", *QUICK, "--set", "knn=union"]
        first, err = self.reproduce("table5", *common)
        self.assertEqual([r["variant"] for r in first["tables"][0]["rows"][:4]],
                         ["scrl", "scrl, no L_ss", "scrl default", "scrl default, no L_ss"])
        hashes = {r["variant"]: r["result_hash"] for r in first["tables"][0]["rows"]}
        self.assertEqual(len(set(hashes.values())), 4)
        both, err = self.reproduce("table2", "table5", *common)
        self.assertIn("table2: 2 of 2 trainings are there already", err)
        self.assertIn("table5: 4 of 4 trainings are there already", err)
        self.assertEqual([t["table"] for t in both["tables"]], ["table2", "table5"])
        for r in both["tables"][0]["rows"]:
            self.assertEqual(r["result_hash"], hashes[r["variant"]])
        self.assertEqual(first["tables"][0], both["tables"][1])

    def test_few_labels_have_a_protocol_without_validation_nodes(self):
        got, _ = self.reproduce("table3", "--only", "citeseer", "-l", "3", "-m", "gcn", *QUICK)
        self.assertEqual([r["protocol"] for r in got["tables"][0]["rows"]], ["oracle", "val", "fixed"])
        self.assertEqual(got["tables"][0]["rows"][0]["paper"]["accuracy"], 33.4)

    def test_interrupted_and_resumed(self):
        args = ["all", "--only", "citeseer", "-m", "gcn,mlp", "-l", "3,20", "--set", "mlp.epochs=400", "--set",
                "mlp.patience=0", "--set", "gcn.epochs=3", "--seeds", "2", "--set", "checkpoint_secs=0"]
        whole, _ = self.reproduce(*args, "-o", "whole")
        self.assertEqual([t["table"] for t in whole["tables"]], ["table2", "table3"])
        self.assertTrue(any("table4 is left out" in s for s in whole["skipped"]))
        process = self.start("reproduce", *args, "-o", "part")
        while not any(p.stat().st_size > 2000 for p in (self.path / "part").glob("cells/*mlp*.run/events.jsonl")):
            self.assertIsNone(process.poll(), "ended before it could be interrupted")
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("the same command goes on from here", err)
        self.assertIn("1 of 2 trainings are still to do", out)
        self.assertRegex(out, r"mlp +- +- +- +- +- +-")
        self.assertEqual({r["status"] for r in self.rows_of_csv("part", "table2")}, {"done", "missing"})
        again, err = self.reproduce(*args, "-o", "part")
        self.assertIn("table2: 1 of 2 trainings are there already", err)
        self.assertIn("resuming from", err)
        for a, b in zip(again["tables"], whole["tables"]):
            for x, y in zip(a["rows"], b["rows"]):
                self.assertEqual((x["variant"], x["accuracy"], x["result_hash"]),
                                 (y["variant"], y["accuracy"], y["result_hash"]))
        before = self.files("part", "table3")
        _, err = self.reproduce(*args, "-o", "part")
        self.assertNotIn("[1/", err)
        self.assertEqual(self.files("part", "table3"), before)

    def make_old(self, folder):
        """Gives every stored training to an older build."""
        for path in list((self.path / folder / "cells").glob("*.json")):
            cell = json.loads(path.read_text())
            cell["key"]["program"] = "0.0.9 (old)"
            path.with_name(path.name.rpartition("-")[0] + "-" + "0" * 12 + ".json").write_text(json.dumps(cell))
            path.unlink()

    def test_any_build(self):
        args = ["table2", "--only", "citeseer", "-l", "20", "-m", "gcn,mlp", *QUICK]
        first, _ = self.reproduce(*args)
        self.make_old("reproduce")
        taken, err = self.reproduce(*args, "--any-build")
        self.assertIn("2 of 2 trainings are there already", err)
        table = taken["tables"][0]
        self.assertEqual({r["build"] for r in table["rows"]}, {"0.0.9 (old)"})
        self.assertIn("2 of 2 were done by another build, 0.0.9 (old).", table["caption"])
        self.assertEqual([r["result_hash"] for r in table["rows"]],
                         [r["result_hash"] for r in first["tables"][0]["rows"]])
        self.assertIn("0.0.9 (old)", (self.path / "reproduce/table2.md").read_text())
        _, err = self.reproduce(*args, "--any-build", "--set", "gcn.lr=0.5")  # other settings are never taken
        self.assertIn("1 of 2 trainings are there already", err)
        _, err = self.reproduce(*args)  # without it, nothing of another build is taken
        self.assertIn("program was 0.0.9 (old), now ", err)
        self.assertIn("training anew; --any-build would take it", err)
        again, err = self.reproduce(*args, "--any-build")  # our own comes first
        self.assertEqual({r["build"] for r in again["tables"][0]["rows"]}, {first["tables"][0]["program"]})
        _, err = self.reproduce(*args, "--any-build", SCRL_SIMD="sse4")  # nor of another instruction set
        self.assertNotIn("there already", err)
        # compare has it too
        compare = ["compare", "demo", "-m", "mlp", "-o", "c", *QUICK]
        self.run_scrl(*compare)
        self.make_old("c")
        out, err = self.run_scrl(*compare, "--any-build")
        self.assertIn("1 of 1 trainings are there already", err)
        self.assertIn("1 of 1 were done by another build, 0.0.9 (old).", out)

    def test_epoch_times(self):
        args = ["fig-time", "--only", "citeseer", "-n", "2", "--set", "knn=union", "--set", "hidden1=8"]
        got, err = self.reproduce(*args)
        rows = got["tables"][0]["rows"]
        self.assertEqual([r["variant"] for r in rows], ["scrl", "scrl default", "amgcn", "grace"])
        for r in rows:
            self.assertGreater(r["bench"]["epoch_ms"]["median"], 0)
        out, err = self.run_scrl("reproduce", *args)
        self.assertIn("4 of 4 measurements are there already", err)
        self.assertRegex(out, r"citeseer +grace +- +\d+\.\d ")
        self.assertEqual(len(self.rows_of_csv("reproduce", "fig-time")), 4)
        _, err = self.reproduce(*args, "-t", "1")  # as many threads are part of what is measured
        self.assertNotIn("there already", err)

    def svg(self, name, folder="reproduce"):
        """The file as a tree; every picture is a document of its own."""
        return ElementTree.fromstring((self.path / folder / (name + ".svg")).read_bytes())

    def texts(self, tree):
        return [t.text for t in tree.iter("{http://www.w3.org/2000/svg}text")]

    def points(self, tree):
        """Number of points in each panel of a map."""
        ways = [[p.get("d") for p in g] for g in tree.iter("{http://www.w3.org/2000/svg}g")]
        return [sum(len(re.findall("m", d)) for d in panel) for panel in ways]

    def test_charts(self):
        common = ["--set", "knn=union", "--only", "citeseer", "-l", "20,40", *QUICK]
        out, _ = self.run_scrl("reproduce", "fig-sinkhorn", *common)
        self.assertIn("fig-sinkhorn.json fig-sinkhorn.svg", out)
        texts = self.texts(self.svg("fig-sinkhorn"))
        for text in ("20 labels per class", "40 labels per class", "citeseer, published settings",
                     "Sinkhorn iterations", "accuracy, %", "3", "5", "10", "15", "30"):
            self.assertIn(text, texts)
        before = (self.path / "reproduce/fig-sinkhorn.svg").read_bytes()
        _, err = self.run_scrl("reproduce", "fig-sinkhorn", *common)
        self.assertIn("10 of 10 trainings are there already", err)
        self.assertEqual((self.path / "reproduce/fig-sinkhorn.svg").read_bytes(), before)
        self.run_scrl("reproduce", "fig-time", "--only", "citeseer", "-n", "2", "--set", "knn=union", "--set", "hidden1=8")
        bars = [r for r in self.svg("fig-time").iter("{http://www.w3.org/2000/svg}rect") if r.get("fill", "")[0] == "#"]
        self.assertEqual(len(bars), 1 + 4 + 4)  # paper, legend, bars
        page = (self.path / "reproduce/figures.html").read_text()  # of the figures asked for last
        self.assertEqual((page.count("<svg "), page.count("<code>scrl reproduce fig-time")), (1, 1))

    def test_maps(self):
        self.data("acm", 2)
        self.data("blogcatalog", 3)
        args = ["fig-tsne", "fig-methods", "--only", "acm,blogcatalog", "--set", "knn=union", "--set", "epochs=12",
                "--set", "hidden1=8", "--set", "grace.hidden2=8"]
        names = ["fig-tsne-acm", "fig-methods-blogcatalog"]
        got, _ = self.reproduce(*args, "-t", "1", "-o", "one")
        self.assertEqual([len(t["rows"]) for t in got["tables"]], [2, 5])
        texts = self.texts(self.svg(names[0], "one"))
        for text in ("c0", "c1", "c2", "scrl, epoch 0", "scrl, epoch 10", "scrl default, epoch 10"):
            self.assertIn(text, texts)
        self.assertNotIn("scrl, epoch 20", texts)  # it has 12
        self.assertEqual(self.points(self.svg(names[0], "one")), [240] * 4)
        self.assertEqual(self.points(self.svg(names[1], "one")), [240] * 5)
        texts = self.texts(self.svg(names[1], "one"))
        for row in got["tables"][1]["rows"]:
            self.assertIn(f"{row['variant']}, accuracy {row['accuracy']['mean']:.1f} %", texts)
        before = {n: (self.path / "one" / (n + ".svg")).read_bytes() for n in names}
        self.run_scrl("reproduce", *args, "-t", "3", "-o", "three")
        for n in names:
            self.assertEqual((self.path / "three" / (n + ".svg")).read_bytes(), before[n])
        _, err = self.reproduce(*args, "-o", "one")
        self.assertIn("fig-tsne: 2 of 2 trainings are there already", err)
        self.assertNotIn(": 2-D embeddings", err)
        lost = sorted((self.path / "one/cells").glob("acm*.layouts"))
        self.assertEqual(len(lost), 2)
        lost[0].unlink()
        lost[1].write_text("{")
        _, err = self.reproduce(*args, "-o", "one")
        self.assertEqual(err.count(": 2-D embeddings"), 2)
        for n in names:
            self.assertEqual((self.path / "one" / (n + ".svg")).read_bytes(), before[n])

    def test_a_page_of_all_figures(self):
        self.data("acm", 2)
        got, err = self.reproduce("all-figures", "--only", "acm,citeseer", "-m", "scrl-paper,scrl", "-l", "20", "--set", "knn=union",
                                  "-n", "1", *QUICK)
        self.assertEqual([t["table"] for t in got["tables"]], ["fig-k", "fig-sinkhorn", "fig-time", "fig-tsne"])
        self.assertIn("fig-methods is left out", err)
        page = (self.path / "reproduce/figures.html").read_text()
        self.assertEqual(page.count("<svg "), 4)
        self.assertIn("<code>scrl reproduce fig-sinkhorn</code>", page)
        self.assertNotRegex(page, r'(src|href)=|url\(|@import')  # nothing from elsewhere
        self.write("mine/figures.html", "keep me")
        _, err = self.run_scrl("reproduce", "all-figures", "--only", "acm", "-o", "mine", code=2)
        self.assertIn("figures.html: is there already", err)

    def test_a_row_that_fails_does_not_end_it(self):
        got, err = self.reproduce("table5", "--only", "citeseer", "-l", "20", *QUICK, code=3)  # no published kNN files
        status = {r["variant"]: r["status"] for r in got["tables"][0]["rows"]}
        self.assertEqual(status, {"scrl": "failed", "scrl, no L_ss": "failed", "scrl default": "done",
                                  "scrl default, no L_ss": "done"})

    def test_missing_data(self):
        _, err = self.run_scrl("reproduce", "table2", code=3)
        self.assertIn("Missing: acm, blogcatalog, flickr, pubmed, uai; --only names the data sets to use", err)
        for tables in ([], ["table2"]):
            _, err = self.run_scrl("reproduce", *tables, code=3, SCRL_DATA=None)
            self.assertIn("set SCRL_DATA to the folder", err)
            self.assertEqual(err.count("\n"), 1)
        got, err = self.reproduce("all", "-m", "mlp", "-l", "20", *QUICK)
        self.assertEqual([t["table"] for t in got["tables"]], ["table2"])
        self.assertIn("acm is not there and left out of table2", got["skipped"])
        self.assertIn("table4 is left out: it has none of the methods asked for", err)

    def test_bad_options(self):
        cases = [
            (["table9"], "there is no table 'table9'; there is: table2, table3"),
            (["table2", "--only", "cora"], "--only: the paper has no data set 'cora'"),
            (["table4", "-m", "gcn"], "table4: it has none of the methods asked for"),
            (["table2", "-m", "gnn"], "unknown method 'gnn'"),
            (["table2", "--protocol", "val"], "protocol: the tables say it themselves"),
            (["table2", "--set", "epoch=3"], "did you mean 'epochs'?"),
            (["table4", "--set", "gcn.lr=1"], "gcn is not among the methods compared"),
            (["table2", "--seeds", "-1"], "seeds: expected a whole number"),
        ]
        for args, expected in cases:
            with self.subTest(args):
                out, err = self.run_scrl("reproduce", *args, code=2)
                self.assertEqual(out, "")
                self.assertIn(expected, err)
        self.assertFalse((self.path / "reproduce").exists(), "an error left a folder behind")
        self.write("mine/table2.md", "keep me")
        _, err = self.run_scrl("reproduce", "table2", "--only", "citeseer", "-o", "mine", code=2)
        self.assertIn("not part of a comparison", err)


@unittest.skipUnless(os.environ.get("SCRL_DATA"), "SCRL_DATA names no folder with the public data sets")
class PublicDataTest(ProgramTest):
    def test_every_table_runs_on_the_published_files(self):
        out, err = self.run_scrl("reproduce", "all", "--only", "citeseer", "-m", "scrl-paper,scrl,auto,gcn", "-l", "3,20", "--seeds", "1",
                                 "--set", "epochs=2", "-n", "1", "--json")
        tables = {t["table"]: t for t in json.loads(out)["tables"]}
        self.assertEqual(list(tables), ["table2", "table3", "table5", "consensus", "fig-sinkhorn", "fig-time"])
        for table in tables.values():
            self.assertEqual({r["status"] for r in table["rows"]}, {"done"}, table["table"])
        scrl = [r for r in tables["table2"]["rows"] if (r["variant"], r["protocol"]) == ("scrl", "val")]
        self.assertEqual(scrl[0]["settings"]["knn"], "file")
        self.assertEqual(scrl[0]["settings"]["profile"], "paper")
        self.assertEqual(scrl[0]["paper"], {"accuracy": 73.62, "macro_f1": 69.78})


if __name__ == "__main__":
    unittest.main()
