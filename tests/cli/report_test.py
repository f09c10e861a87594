"""--snapshots and scrl report from outside; tests/report has the page in a browser."""
import base64
import json
import os
import re
import shutil
import struct
import subprocess
import unittest
import zlib

from program import FAST, ProgramTest

TABLES_ONLY = os.environ["SCRL_TABLES_ONLY"]  # the program as it is when built without esbuild


def npy(path):
    """Header text and float values of a .npy file."""
    raw = path.read_bytes()
    length = struct.unpack("<H", raw[8:10])[0]
    header, data = raw[10:10 + length].decode(), raw[10 + length:]
    code, width = ("e", 2) if "<f2" in header else ("f", 4)
    return header, struct.unpack(f"<{len(data) // width}{code}", data)


class SnapshotsTest(ProgramTest):
    def epochs(self, run):
        return sorted(int(re.fullmatch(r"epoch-(\d+)\.npy", p.name).group(1))
                      for p in (self.path / run / "snapshots").iterdir())

    def test_snapshots_change_nothing_else(self):
        with_them = self.train("demo", "-o", "a", "--snapshots", "0,3,20,99", *FAST)
        without = self.train("demo", "-o", "b", *FAST)
        self.assertEqual(with_them["result_hash"], without["result_hash"])
        self.assertEqual(self.files("a"), self.files("b"))
        self.assertEqual(self.epochs("a"), [0, 3, 20])
        self.assertFalse((self.path / "b/snapshots").exists())

    def test_the_last_snapshot_is_the_embedding_in_half_precision(self):
        for method in ("scrl", "dgi"):  # with and without scores in every epoch
            self.train("demo", "-o", method, "-m", method, "--protocol", "fixed", "--snapshots", "every:5", *FAST[-2:],
                       "--set", "patience=0")
            self.assertEqual(self.epochs(method), [0, 5, 10, 15, 20])
            header, halves = npy(self.path / method / "snapshots/epoch-20.npy")
            full_header, full = npy(self.path / method / "embeddings.npy")
            self.assertEqual(header.replace("<f2", "<f4"), full_header)
            rounded = struct.unpack(f"<{len(full)}e", struct.pack(f"<{len(full)}e", *full))
            if method == "scrl":
                self.assertEqual(halves, rounded)
            self.assertNotEqual(halves, npy(self.path / method / "snapshots/epoch-0.npy")[1])

    def test_force_removes_them_and_resume_wants_the_same(self):
        self.train("demo", "-o", "run", "--snapshots", "0,1", *FAST)
        self.write("run/snapshots/mine.txt", "not a snapshot")
        _, err = self.run_scrl("train", "demo", "-o", "run", "--resume", "--snapshots", "0,2", *FAST, code=2)
        self.assertIn("snapshots was '0,1'", err)
        self.train("demo", "-o", "run", "--force", *FAST)
        self.assertEqual([p.name for p in (self.path / "run/snapshots").iterdir()], ["mine.txt"])


class ReportTest(ProgramTest):
    def facts(self, name):
        """The JSON of a page and its unpacked arrays, read as the page's script does."""
        text = (self.path / name).read_text()
        part = lambda id: re.search(rf'<script id="{id}"[^>]*>(.*?)</script>', text, re.S).group(1)
        return json.loads(part("facts")), zlib.decompress(base64.b64decode(part("arrays")))

    def numbers(self, ref, raw):
        code, width = {"u8": ("B", 1), "u16": ("H", 2), "u32": ("I", 4), "f32": ("f", 4)}[ref["type"]]
        return struct.unpack(f"<{ref['count']}{code}", raw[ref["at"]:ref["at"] + ref["count"] * width])

    def test_arrays_are_those_of_the_run(self):
        metrics = self.train("demo", "-o", "run", "--seeds", 2, "--snapshots", "0,10", *FAST)
        out, _ = self.run_scrl("report", "run")
        self.assertEqual(out, "run/report.html\n")
        facts, raw = self.facts("run/report.html")
        run, data = facts["runs"][0], facts["data"][0]
        rows = [line.split(",") for line in (self.path / "run/predictions.csv").read_text().splitlines()]
        self.assertEqual(data["classes"], rows[0][2:])
        ids = raw[data["ids"]["at"]:data["ids"]["at"] + data["ids"]["count"]].decode()
        self.assertEqual(json.loads(ids), [r[0] for r in rows[1:]])
        self.assertEqual([data["classes"][c] for c in self.numbers(run["predicted"], raw)], [r[1] for r in rows[1:]])
        probabilities = self.numbers(run["probabilities"], raw)
        for i, row in enumerate(rows[1:]):
            for c, p in enumerate(row[2:]):
                self.assertAlmostEqual(probabilities[i * len(data["classes"]) + c] / 65535, float(p), delta=1e-5)
        epochs = sorted({0, 10, metrics["best_epoch"]})
        self.assertEqual([f["epoch"] for f in run["frames"]], epochs)
        self.assertEqual([f["epoch"] for f in run["frames"] if f["chosen"]], [metrics["best_epoch"]])
        coordinates = {self.numbers(f["coordinates"], raw) for f in run["frames"]}
        self.assertEqual(len(coordinates), len(epochs))
        events = [json.loads(line) for line in (self.path / "run/events.jsonl").read_text().splitlines()]
        for seed in (0, 1):
            mine = [e for e in events if e.get("seed") == seed]
            curve = run["curves"][seed]
            for key, name in (("loss", "loss"), ("val", "val_accuracy"), ("agreement", "agreement")):
                for got, event in zip(self.numbers(curve[key], raw), mine, strict=True):
                    self.assertAlmostEqual(got, event[name], delta=1e-4 * abs(event[name]))
        roles = self.numbers(run["roles"], raw)
        self.assertEqual([roles.count(r) for r in (1, 2, 3)],
                         [metrics["train_nodes"], metrics["val_nodes"], metrics["test_nodes"]])

    def test_agreement_is_that_of_the_prototypes(self):
        self.train("demo", "-o", "run", *FAST)
        self.run_scrl("report", "run", "-q")
        facts, raw = self.facts("run/report.html")
        run = facts["runs"][0]
        by_topology, by_features = (self.numbers(v, raw) for v in run["views"]["nearest"])
        same = 100 * sum(a == b for a, b in zip(by_topology, by_features)) / len(by_topology)
        epochs, values = (self.numbers(run["curves"][0][key], raw) for key in ("epoch", "agreement"))
        self.assertAlmostEqual(values[epochs.index(run["best_epoch"])], same, places=3)
        self.assertIn(f"<b>{same:.2f}</b> percent", (self.path / "run/report.html").read_text())

    def test_the_command_gives_the_run_again(self):
        before = self.train("demo", "-m", "gcn", "-o", "run", "--profile", "paper", "-l", 5, "--set", "hidden1=24",
                            "--epochs", 7, "--seed", 3)
        self.run_scrl("report", "run", "-q")
        page = (self.path / "run/report.html").read_text()
        words = re.search(r'<pre class="command"[^>]*>(.*?)</pre>', page).group(1).split()
        self.assertEqual(words[:2], ["scrl", "train"])
        self.assertEqual(self.train(*words[2:], "--no-output")["result_hash"], before["result_hash"])

    def test_same_run_same_page(self):
        self.train("demo", "-o", "run", "--snapshots", "0", *FAST)
        for threads in (1, 3):
            self.run_scrl("report", "run", "-o", f"{threads}.html", "-t", threads, "-q")
        self.assertEqual((self.path / "1.html").read_bytes(), (self.path / "3.html").read_bytes())

    def test_every_method_and_several_runs(self):
        methods = [m["name"] for m in json.loads(self.run_scrl("methods", "--json")[0])["methods"]][1:]
        for method in methods:
            self.run_scrl("train", "demo:nodes=120", "-m", method, "-o", method, "--set", "epochs=4", "-q")
        self.run_scrl("report", *methods, "-o", "all.html", "--layout", "pca", "-q")
        facts, _ = self.facts("all.html")
        self.assertEqual([r["method"] for r in facts["runs"]], methods)
        page = (self.path / "all.html").read_text()
        for method in methods:
            accuracy = json.loads((self.path / method / "metrics.json").read_text())["accuracy"]["mean"]
            self.assertRegex(page, rf"<bdi>{method}</bdi>.*<b>{accuracy:.2f}</b>")

    def test_no_test_nodes(self):
        self.write("g/edges.csv", "source,target\na,b\nb,c\nc,a\n")
        self.write("g/features.svm", "a 0:1\nb 1:1\nc 2:1\n")
        self.write("g/labels.csv", "id,label\na,x\nb,y\n")
        self.train("g", "-o", "run", "-m", "scrl", "-k", 1, "--test-share", 0, "--set", "epochs=3")
        self.run_scrl("report", "run", "-q")
        self.assertIn("no test nodes", (self.path / "run/report.html").read_text())

    def test_data_that_moved(self):
        self.write("g/edges.csv", "source,target\na,b\nb,c\nc,a\n")
        self.write("g/features.svm", "a 0:1\nb 1:1\nc 2:1\n")
        self.write("g/labels.csv", "id,label\na,x\nb,y\nc,x\n")
        self.train("g", "-o", "run", "-m", "scrl", "-k", 1, "--test-share", 0, "--set", "epochs=3")
        shutil.move(self.path / "g", self.path / "h")
        self.run_scrl("report", "run", code=3)
        self.run_scrl("report", "run", "--data", "h", "-q")
        _, err = self.run_scrl("report", "run", "--data", "demo", code=4)
        self.assertIn("features", err)

    def test_names_cannot_leave_their_place(self):
        bad = "</script><script>alert(1)</script>"
        self.write("g/ids.txt", f"{bad}\nb\nc\nd\n")
        self.write("g/edges.csv", f'source,target\n"{bad}",b\nb,c\nc,d\n')
        self.write("g/features.svm", "0:1\n0:1 1:1\n1:1\n2:1\n")
        self.write("g/labels.csv", f'id,label\n"{bad}","{bad}"\nb,y\nc,"{bad}"\nd,y\n')
        self.train("g", "-o", "run", "-m", "scrl", "-k", 1, "--set", "epochs=3")
        self.run_scrl("report", "run", "-q")
        page = (self.path / "run/report.html").read_text()
        self.assertNotIn("<script>alert", page)
        self.assertEqual(page.count("</script>"), 3)
        facts, raw = self.facts("run/report.html")
        self.assertIn(bad, facts["data"][0]["classes"])

    def test_without_esbuild_there_are_tables(self):
        metrics = self.train("demo", "-o", "run", *FAST)
        run = lambda *args: subprocess.run([TABLES_ONLY, *args], cwd=self.path, capture_output=True, text=True, check=True)
        self.assertIn("built without esbuild", run("report", "run").stderr)
        self.assertIn("reports without pictures", run("version").stdout)
        self.assertFalse(json.loads(run("version", "--json").stdout)["report_pictures"])
        page = (self.path / "run/report.html").read_text()
        self.assertNotIn("<script", page)
        self.assertIn(f"{metrics['accuracy']['mean']:.2f}", page)
        self.assertIn("<style>", page)


if __name__ == "__main__":
    unittest.main()
