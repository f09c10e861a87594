"""Files and folders that somebody else made: one clear error, the right code, bounded time and memory."""
import csv
import gzip
import json
import os
import subprocess
import time
import unittest

import numpy as np

from program import SCRL, ProgramTest


class NumbersTest(ProgramTest):
    """Finite numbers of any size: a run that trained is one that tsne and report can show."""

    def data(self, name, features):
        rng = np.random.default_rng(1)
        n = len(features)
        self.write(f"{name}/edges.csv", "".join(f"{a},{b}\n" for a, b in rng.integers(0, n, (3 * n, 2))))
        self.write(f"{name}/features.csv", "".join(",".join(map(repr, map(float, r))) + "\n" for r in features))
        self.write(f"{name}/labels.txt", "".join(f"{i % 3}\n" for i in range(n)))

    def test_a_run_on_huge_or_tiny_features_has_a_map_and_a_report(self):
        rng = np.random.default_rng(2)
        usual = rng.choice([0, 1, 0.5], (60, 6))
        one_huge, mixed = usual.copy(), usual.copy()
        one_huge[0, 0] = 1e30
        mixed[::17, 0], mixed[1::17, 1] = 1e38, 1e-40
        for name, features in {"one_huge": one_huge, "huge": 3e38 * rng.choice([0, 1, -1], (60, 6)),
                               "tiny": 1e-42 * rng.choice([0, 1, 2], (60, 6)), "mixed": mixed}.items():
            with self.subTest(name):
                self.data(name, features)
                self.run_scrl("train", name, "-m", "gcn", "--epochs", "3", "--feature-norm", "none", "-o", "run",
                              "--force", "-q")
                self.run_scrl("tsne", "run", "-o", "map.csv", "--iterations", "60", "-q")
                rows = np.genfromtxt(self.path / "map.csv", delimiter=",", skip_header=1, usecols=(1, 2))
                self.assertEqual(rows.shape, (60, 2))
                self.assertTrue(np.isfinite(rows).all())
                for layout in ("tsne", "pca"):
                    self.run_scrl("report", "run", "-o", "page.html", "--layout", layout, "-q")
                self.run_scrl("tsne", name, "-o", "map.csv", "--iterations", "60", "-q")
                self.run_scrl("knn", name, "-k", "3", "-o", "knn.txt", "-q")

    def test_points_of_a_table_may_be_far_apart(self):
        rng = np.random.default_rng(3)
        points = rng.integers(0, 9, (50, 3)).astype(float)
        points[7, 2] = 1e25
        self.write("points.csv", "".join(",".join(map(repr, map(float, p))) + "\n" for p in points))
        self.run_scrl("tsne", "points.csv", "-o", "map.csv", "-q")
        rows = np.genfromtxt(self.path / "map.csv", delimiter=",", skip_header=1)
        self.assertTrue(np.isfinite(rows).all())


class LockTest(ProgramTest):
    """One writer per run folder."""

    LONG = ["train", "demo:nodes=300", "-m", "gcn", "--epochs", "100000", "--patience", "100000", "-o", "run", "-q"]

    def start_and_wait(self, *more):
        process = self.start(*self.LONG, *more)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 60
        while not (self.path / "run/events.jsonl").exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        return process

    def test_a_second_training_is_told_who_is_at_work_before_it_changes_anything(self):
        first = self.start_and_wait("--seed", "1")
        config = (self.path / "run/config.toml").read_bytes()
        for more in ([], ["--force"], ["--resume"]):
            out, err = self.run_scrl(*self.LONG, "--seed", "2", *more, code=2)
            self.assertRegex(err, rf"^scrl: run: another training is at work in this folder "
                                  rf"\(process {first.pid} on .* since 20.*Z\); wait for it, or give another -o\n$")
        self.assertEqual((self.path / "run/config.toml").read_bytes(), config)

    def test_a_killed_one_holds_nothing(self):
        first = self.start_and_wait("--checkpoint-secs", "0")
        while not (self.path / "run/checkpoint.scrl").exists():
            time.sleep(0.02)
        first.kill()
        first.wait()
        self.run_scrl("train", "demo:nodes=300", "-m", "gcn", "--epochs", "3", "-o", "run", "--force", "-q")
        self.assertFalse((self.path / "run/.scrl.lock").exists())

    def test_of_many_that_start_at_once_the_folder_is_that_of_one(self):
        args = ["train", "demo:nodes=200", "-m", "gcn", "--epochs", "30", "-o", "run", "-q"]
        all_of_them = [self.start(*args, "--seed", seed) for seed in range(6)]
        codes = []
        for process in all_of_them:
            process.communicate(timeout=120)
            codes.append(process.returncode)
        self.assertEqual(sorted(set(codes)), [0, 2], codes)
        self.assertEqual(codes.count(0), 1)
        seed = codes.index(0)
        self.assertIn(f"seed = {seed} ", (self.path / "run/config.toml").read_text())
        self.assertEqual(json.loads((self.path / "run/metrics.json").read_text())["per_seed"][0]["seed"], seed)


class NamesTest(ProgramTest):
    """Ids and folders with characters that a format gives a meaning."""

    IDS = ["#a", "%b", " c", "d ", '"e"', "f,g", "h", "=1+2", "0x", "i"]

    def test_ids_round_trip_through_every_file(self):
        quote = ['"' + i.replace('"', '""') + '"' for i in self.IDS]
        self.write("d/edges.csv", "".join(f"{quote[i]},{quote[(i + 1) % 10]}\n" for i in range(10)))
        self.write("d/features.csv", "id,x,y\n" + "".join(f"{q},{i % 3},{i % 2}\n" for i, q in enumerate(quote)))
        self.write("d/labels.csv", "id,label\n" + "".join(f"{q},{i % 2}\n" for i, q in enumerate(quote)))
        settings = ["-m", "gcn", "--epochs", "2", "--val-share", "0", "--protocol", "fixed", "-q"]
        self.run_scrl("train", "d", *settings, "-o", "run")
        ids = {}
        for name in ("predictions.csv", "split.csv"):
            with open(self.path / "run" / name, newline="") as file:
                ids[name] = {row["id"] for row in csv.DictReader(file)}
        self.assertEqual(ids["predictions.csv"], set(self.IDS))
        self.assertLessEqual(ids["split.csv"], set(self.IDS))
        # What was written is read back: ids.txt as that of a run and of a data set, a table of embeddings by tsne.
        self.run_scrl("embed", "run", "--format", "csv", "-o", "table.csv")
        for what in ("run", "table.csv"):
            self.run_scrl("tsne", what, "-o", "map.csv", "-q")
            with open(self.path / "map.csv", newline="") as file:
                self.assertEqual([row["id"] for row in csv.DictReader(file)], self.IDS)
        (self.path / "d/ids.txt").write_bytes((self.path / "run/ids.txt").read_bytes())
        self.run_scrl("train", "d", *settings, "-o", "again")
        self.assertEqual(self.files("run"), self.files("again"))

    def test_a_folder_of_any_name_gives_a_configuration_that_reads_back(self):
        for name in ("a\x7fb", "a\nb", "a\tb", 'a"b', "a\\b", "a#b", "a'b", "\u2028", "  "):
            with self.subTest(name):
                self.write(f"{name}/edges.csv", "0,1\n1,2\n2,3\n3,0\n")
                self.write(f"{name}/features.csv", "1,0\n0,1\n1,1\n0,1\n")
                self.write(f"{name}/labels.txt", "x\ny\nx\ny\n")
                settings = ["-m", "gcn", "--epochs", "2", "--val-share", "0", "--protocol", "fixed", "-q"]
                self.run_scrl("train", self.path / name, *settings, "-o", "run", "--force")
                self.run_scrl("predict", "run")
                self.run_scrl("report", "run", "-o", "page.html", "-q")
                self.run_scrl("train", self.path / name, "--config", "run/config.toml", "-o", "again", "--force", "-q")


class MetricsTest(ProgramTest):
    """metrics.json of a run, field by field: whatever is there instead, one line of ours and the right code."""

    WRONG = [None, -1, "x", [], {}, True, 2**63, -2**70, 1e308, [[[]]], "\u0000", "DELETED", "1e400"]

    def places(self, value, place=()):
        yield place
        for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
            yield from self.places(value[key], place + (key,))

    def changed(self, metrics, place, value):
        if not place:
            return value
        copy = json.loads(json.dumps(metrics))
        inside = copy
        for key in place[:-1]:
            inside = inside[key]
        if value == "DELETED":
            del inside[place[-1]]
        else:
            inside[place[-1]] = value
        return copy

    def test_every_field(self):
        self.run_scrl("train", "demo:nodes=60", "-m", "gcn", "--epochs", "2", "-o", "run", "-q")
        file = self.path / "run/metrics.json"
        metrics = json.loads(file.read_text())
        # Fields that follow from others are written for people and not read.
        unread = {"schema", "seeds", "accuracy", "macro_f1", "oracle", "val_accuracy", "epochs", "best_epoch",
                  "train_ms_per_epoch", "epoch_ms"}
        refused = 0
        for count, place in enumerate(self.places(metrics)):
            wrong = self.WRONG[count % len(self.WRONG)]
            file.write_text(json.dumps(self.changed(metrics, place, wrong)).replace('"1e400"', "1e400"))
            out, err = "", ""
            process = self.start("train", "demo:nodes=60", "-m", "gcn", "--epochs", "2", "-o", "run", "--resume")
            out, err = process.communicate(timeout=60)
            self.assertIn(process.returncode, (0, 4), (place, wrong, err))
            if process.returncode == 4:
                refused += 1
                self.assertRegex(err, r"(?m)^scrl: run/metrics.json: .*$", (place, wrong))
                self.assertNotIn("json.exception", err)
            elif place and place[0] not in unread and "calibration" not in place:
                value = metrics
                for key in place:
                    value = value[key]
                self.assertIn((type(wrong), type(value)), {(float, float), (int, float), (str, str)}, (place, wrong))
        self.assertGreater(refused, 15)


class BudgetTest(ProgramTest):
    """What a file of a few bytes may cost."""

    def measured(self, *args, code):
        """One line on stderr, the seconds it took, and the peak of its memory in MB."""
        begin = time.monotonic()
        with open(self.path / "err", "w+") as err:
            process = subprocess.Popen([SCRL, *map(str, args)], cwd=self.path, env=self.environment(),
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            err.seek(0)
            text = err.read()
        self.assertEqual(process.returncode, code, text)
        self.assertEqual(len(text.splitlines()), 1, text)
        return text, time.monotonic() - begin, usage.ru_maxrss / 1024

    def test_labels_that_expand_a_thousandfold_are_refused_soon(self):
        self.write("d/edges.csv", "0,1\n1,2\n")
        self.write("d/features.csv", "1,0\n0,1\n1,1\n")
        (self.path / "d/labels.txt.gz").write_bytes(gzip.compress(b"0\n" * (64 << 20)))
        err, seconds, peak = self.measured("inspect", "d", code=3)
        self.assertIn("d/labels.txt.gz: refused: ", err)
        self.assertLess(peak, 800)  # 5,100 MB when every row was a text of its own
        self.assertLess(seconds, 20)

    def test_a_large_file_that_is_no_model_is_refused_at_its_first_bytes(self):
        self.write("model.scrl", "")
        os.truncate(self.path / "model.scrl", 6 << 30)
        err, seconds, peak = self.measured("predict", "model.scrl", "demo", code=4)
        self.assertEqual(err, "scrl: model.scrl: is not a scrl file\n")
        self.assertLess(peak, 300)

    def test_a_pipe_is_refused_instead_of_waited_for(self):
        os.mkfifo(self.path / "pipe")
        for args, code in ((("tsne", "pipe"), 3), (("inspect", "pipe"), 3), (("predict", "pipe", "demo"), 4),
                           (("train", "demo:nodes=30", "--config", "pipe"), 2)):
            with self.subTest(args):
                err, seconds, _ = self.measured(*args, code=code)
                self.assertIn("pipe", err)

    def test_an_array_without_values_is_no_reason_for_memory(self):
        np.save(self.path / "a.npy", np.zeros((1, 0), np.float32))
        content = (self.path / "a.npy").read_bytes().replace(b"(1, 0), }" + b" " * 15, b"(1125899906842624, 0), }")
        (self.path / "a.npy").write_bytes(content)
        err, _, _ = self.measured("tsne", "a.npy", code=3)
        self.assertIn("a.npy: bad .npy header: shape: a size of 1125899906842624", err)


if __name__ == "__main__":
    unittest.main()
