"""Options, help, errors and exit codes."""
import json
import unittest

from program import FAST, ProgramTest


class UsageTest(ProgramTest):
    def error(self, *args, code, **env):
        out, err = self.run_scrl(*args, code=code, **env)
        self.assertEqual(out, "")
        self.assertEqual(len(err.splitlines()), 1, err)
        self.assertTrue(err.startswith("scrl: "), err)
        return err

    def test_usage_errors(self):
        cases = [
            (["trian"], "unknown command 'trian'"),
            (["train"], "usage: scrl train DATA"),
            (["train", "demo", "-m", "scrl", "--set", "epoch=3"], "did you mean 'epochs'?"),
            (["train", "demo", "--learning-rate", "3"], "unknown option 'learning_rate'"),
            (["train", "demo", "--set", "alpha"], "--set: expected KEY=VALUE, got 'alpha'"),
            (["train", "demo", "-m", "scrl", "--lr", "nan"], "lr: expected a number above 0, got 'nan'"),
            (["train", "demo", "-m", "scrl", "--dropout", "1"], "dropout: expected a number at least 0 and at most 0.99, got '1'"),
            (["train", "demo", "-m", "scrl", "--epochs", "1.5"], "epochs: expected a whole number"),
            (["train", "demo", "--protocol", "test"], "protocol: expected val, fixed or oracle, got 'test'"),
            (["train", "demo", "-m", "gnn"], "unknown method 'gnn'; the methods are"),
            (["train", "demo", "--epochs", "3"], "unknown option 'epochs'"),
            (["train", "demo", "--fast", "-m", "gcn"], "--fast and --method exclude each other"),
            (["train", "demo", "--fast", "--set", "method=scrl"], "--fast and --method exclude each other"),
            (["train", "demo", "--members", "scrl,gnn"], "members: there is no 'gnn'; there is scrl, scrl-weak,"),
            (["train", "demo", "--members", "sgc,mlp,sgc"], "members: 'sgc' is named twice"),
            (["train", "demo", "--members", ""], "members: there is no ''"),
            (["train", "demo", "--time-limit", "-1"], "time_limit: expected a number at least 0"),
            (["train", "demo", "--metric", "f1"], "metric: expected accuracy, macro-f1 or nll, got 'f1'"),
            (["train", "demo", "-m", "scrl", "--stop", "loss"], "stop"),
            (["train", "demo", "-x", "3"], "unknown option '-x'"),
            (["train", "demo", "--resume"], "--resume needs -o RUN"),
            (["train", "demo", "--resume", "--force", "-o", "r"], "exclude each other"),
            (["train", "demo", "--config", "none.toml"], "none.toml"),
            (["train", "demo:nodes=x"], "nodes"),
            (["train", "demo:size=9"], "size"),
            (["inspect", "demo", "-k", "0"], "k: expected a whole number"),
            (["train", "demo", "-m", "scrl", "-k", "1001"], "k: expected a whole number at least 1 and at most 1000"),
            (["train", "demo", "--mem-limit", "8Q"], "--mem-limit: expected a size as in 800M or 8G, got '8Q'"),
            (["train", "demo", "--snapshots", "0,x"], "snapshots: expected epochs as in 0,10,20, or every:N, got 'x'"),
            (["train", "demo", "--snapshots", "every:0"], "snapshots: expected epochs"),
            (["train", "demo", "--snapshots", "1,"], "snapshots: expected epochs"),
            (["report"], "usage: scrl report RUN"),
            (["report", "nowhere"], "nowhere/config.toml: no such file; expected the folder of a finished run"),
            (["plan"], "usage: scrl plan DATA"),
            (["bench", "demo", "-n", "0"], "bench_epochs: expected a whole number at least 1"),
            (["bench", "demo", "--set", "alpha=x"], "alpha: expected a number"),
            (["predict", "run", "--json"], "unknown option 'json'"),
            (["embed", "run", "--format", "hdf5"], "format: expected npy, csv or word2vec, got 'hdf5'"),
        ]
        for args, expected in cases:
            with self.subTest(args):
                self.assertIn(expected, self.error(*args, code=2))
        self.assertFalse((self.path / "runs").exists(), "a usage error left a run folder behind")

    def test_missing_data_lists_what_there_is(self):
        self.assertIn("nosuch", self.error("train", "nosuch", code=3, SCRL_DATA=str(self.path)))
        self.assertIn("SCRL_DATA", self.error("inspect", "nosuch", code=3, SCRL_DATA=None))

    def test_help_everywhere(self):
        out, _ = self.run_scrl("help")
        for command in ("train compare tune reproduce predict embed eval serve report inspect knn tsne plan bench "
                        "demo methods version").split():
            self.assertIn(f"  {command}", out)
            text, err = self.run_scrl(command, "--help")
            self.assertIn(f"usage: scrl {command}", text)
            self.assertEqual(err, "")
        text, _ = self.run_scrl("train", "--help")
        self.assertIn("--members TEXT", text)
        self.assertIn("--fast  ", text)
        self.assertNotIn("--weight-decay", text)
        for choice in (["--fast"], ["-m", "scrl"]):
            text, _ = self.run_scrl("train", *choice, "--help")
            self.assertIn("--weight-decay X", text)
            self.assertNotIn("--members", text)
            self.assertRegex(text, r"--lr X .*default 0\.005\)")
        text, _ = self.run_scrl("train", "-m", "gcn", "--help")
        self.assertRegex(text, r"--lr X .*default 0\.01\)")
        self.run_scrl(code=2)

    def test_version(self):
        out, _ = self.run_scrl("version", "--json")
        facts = json.loads(out)
        self.assertRegex(facts["version"], r"^\d+\.\d+\.\d+$")
        for key in ("commit", "compiler", "simd", "threads"):
            self.assertIn(key, facts)

    def test_no_colour_when_nobody_looks(self):
        out, err = self.run_scrl("inspect", "demo")
        self.assertNotIn("\x1b", out + err)
        out, _ = self.run_scrl("inspect", "demo", "--color", "always")
        self.assertIn("\x1b[1m", out)

    def test_inspect_json(self):
        out, _ = self.run_scrl("inspect", "demo:nodes=400,seed=2", "--json")
        facts = json.loads(out)
        self.assertEqual(facts["nodes"], 400)
        self.assertEqual(sum(c["nodes"] for c in facts["classes"]), 400)
        self.assertGreater(facts["topology"]["homophily"], 0)
        self.assertIn("feature_graph", facts)

    def test_knn_writes_an_edge_list(self):
        self.run_scrl("knn", "demo", "-k", 4, "-o", "knn.tsv")
        edges = [line.split("\t") for line in (self.path / "knn.tsv").read_text().splitlines()]
        self.assertGreater(len(edges), 1000)
        self.assertTrue(all(len(e) == 2 and e[0] != e[1] for e in edges))
        mutual, _ = self.run_scrl("knn", "demo", "-k", 4, "--knn", "mutual")
        self.assertLess(len(mutual.splitlines()), len(edges))

    def test_knn_and_inspect_show_the_same_graph(self):
        for more in ([], ["-k", 4], ["--knn", "mutual"], ["--binarize", "false"]):
            with self.subTest(more=more):
                graph = json.loads(self.run_scrl("inspect", "demo", "--json", *more)[0])["feature_graph"]
                self.assertEqual(len(self.run_scrl("knn", "demo", *more)[0].splitlines()), graph["edges"])

    def test_demo_shows_why_two_views_win(self):
        out, _ = self.run_scrl("demo", "--seeds", 1, "--json")
        accuracy = {m["method"]: m["accuracy"]["mean"] for m in json.loads(out)["runs"]}
        for single in ("mlp", "gcn", "knn-gcn"):
            self.assertGreater(accuracy["scrl"], accuracy[single] + 5, accuracy)


class OwnDataTest(ProgramTest):
    def graph(self):
        """Two cliques of ten with string ids, two labels each, words as features."""
        nodes = [f"{side}-{i}" for side in ("left", "right") for i in range(10)]
        edges = [f"{a},{b}" for a in nodes for b in nodes if a < b and a.split("-")[0] == b.split("-")[0]]
        self.write("g/edges.csv", "source,target\n" + "\n".join(edges) + "\n")
        self.write("g/features.svm", "\n".join(
            f"{n} {0 if n.startswith('left') else 1}:1 {2 + i % 5}:0.5" for i, n in enumerate(nodes)) + "\n")
        labels = [f"{s}-{i},{s}" for s in ("left", "right") for i in range(6)]
        self.write("g/labels.csv", "id,label\n" + "\n".join(labels) + "\n")
        return nodes

    def test_own_ids_in_and_out(self):
        nodes = self.graph()
        report = self.train("g", "-o", "run", *FAST, "--set", "epochs=60")
        lines = (self.path / "run/predictions.csv").read_text().splitlines()
        self.assertEqual(lines[0], "id,label,left,right")
        got = {line.split(",")[0]: line.split(",")[1] for line in lines[1:]}
        self.assertEqual(set(got), set(nodes))
        self.assertEqual(got, {n: n.split("-")[0] for n in nodes})
        self.assertEqual(report["accuracy"]["mean"], 100)
        # Found again from another place, because config.toml keeps the absolute path.
        (self.path / "elsewhere").mkdir()
        self.run_scrl("predict", "run", "-o", "elsewhere/p.csv")

    def test_bad_data_is_exit_code_3_and_leaves_nothing(self):
        self.graph()
        self.write("g/edges.csv", "source,target\nleft-0\n")
        _, err = self.run_scrl("train", "g", "-o", "run", code=3)
        self.assertRegex(err, r"g/edges\.csv:2: ")
        self.assertFalse((self.path / "run").exists())


if __name__ == "__main__":
    unittest.main()
