"""scrl train, predict, embed, eval as a user runs them."""
import json
import os
import struct
import subprocess
import unittest

from program import FAST, OUTPUTS, SCRL, ProgramTest


class TrainTest(ProgramTest):
    def test_run_folder_and_json(self):
        report = self.train("demo", "-o", "run", *FAST)
        for key in ("method dataset labels_per_class protocol seeds accuracy macro_f1 oracle epochs best_epoch "
                    "train_ms_per_epoch epoch_ms peak_rss_mb result_hash").split():
            self.assertIn(key, report)
        self.assertEqual(set(report["accuracy"]), {"mean", "std"})
        self.assertEqual(set(report["oracle"]), {"accuracy", "macro_f1"})
        self.assertGreaterEqual(report["oracle"]["accuracy"], report["accuracy"]["mean"])
        self.assertEqual(report["protocol"], "val")
        self.assertEqual(json.loads((self.path / "run/metrics.json").read_text()), report)
        names = {p.name for p in (self.path / "run").iterdir()}
        self.assertEqual(names, {"config.toml", "events.jsonl", "metrics.json", *OUTPUTS})
        events = [json.loads(line) for line in (self.path / "run/events.jsonl").read_text().splitlines()]
        self.assertEqual([e["epoch"] for e in events if e["event"] == "epoch"], list(range(1, report["epochs"] + 1)))
        self.assertEqual(events[-1]["result_hash"], report["result_hash"])

    def test_predictions_carry_own_ids_and_probabilities(self):
        self.train("demo", "-o", "run", *FAST)
        lines = (self.path / "run/predictions.csv").read_text().splitlines()
        ids = (self.path / "run/ids.txt").read_text().splitlines()
        header = lines[0].split(",")
        self.assertEqual(header[:2], ["id", "label"])
        self.assertEqual(len(lines) - 1, len(ids))
        for line, node in zip(lines[1:], ids):
            cells = line.split(",")
            self.assertEqual(cells[0], node)
            probabilities = [float(x) for x in cells[2:]]
            self.assertAlmostEqual(sum(probabilities), 1, places=4)
            self.assertEqual(cells[1], header[2 + probabilities.index(max(probabilities))])

    def test_predict_and_embed_give_back_the_files(self):
        self.train("demo", "-o", "run", *FAST)
        self.run_scrl("predict", "run", "-o", "again.csv")
        self.assertEqual((self.path / "again.csv").read_bytes(), self.files("run")["predictions.csv"])
        self.run_scrl("embed", "run", "-o", "again.npy")
        self.assertEqual((self.path / "again.npy").read_bytes(), self.files("run")["embeddings.npy"])
        out, _ = self.run_scrl("predict", "run/model.scrl", "demo")
        self.assertEqual(out.encode(), self.files("run")["predictions.csv"])

    def test_embedding_formats_agree(self):
        self.train("demo", "-o", "run", *FAST)
        ids = (self.path / "run/ids.txt").read_text().splitlines()
        csv, _ = self.run_scrl("embed", "run", "--format", "csv")
        w2v, _ = self.run_scrl("embed", "run", "--format", "word2vec")
        rows = [line.split(",") for line in csv.splitlines()[1:]]
        words = w2v.splitlines()
        self.assertEqual(words[0], f"{len(ids)} 32")
        self.assertEqual([r[0] for r in rows], ids)
        self.assertEqual([" ".join(r) for r in rows], words[1:])
        raw = (self.path / "run/embeddings.npy").read_bytes()
        values = struct.unpack(f"<{len(ids) * 32}f", raw[-len(ids) * 32 * 4:])
        texts = struct.unpack("<32f", struct.pack("<32f", *map(float, rows[3][1:])))  # text to float32
        self.assertEqual(texts, values[96:128])

    def test_eval_agrees_with_training(self):
        report = self.train("demo", "-o", "run", *FAST)
        out, _ = self.run_scrl("eval", "run", "--json")
        scores = json.loads(out)
        self.assertAlmostEqual(scores["test"]["accuracy"], report["accuracy"]["mean"], places=9)
        self.assertAlmostEqual(scores["test"]["macro_f1"], report["macro_f1"]["mean"], places=9)
        self.assertEqual(sum(map(sum, scores["confusion"])), scores["test"]["nodes"])

    def test_threads_and_reruns_give_the_same_bytes(self):
        hashes, files = set(), []
        for threads in (1, 2, 3, 7):
            report = self.train("demo", "-o", f"run{threads}", "-t", threads, *FAST)
            hashes.add(report["result_hash"])
            files.append(self.files(f"run{threads}"))
        self.assertEqual(len(hashes), 1)
        for other in files[1:]:
            self.assertEqual(other, files[0])
        self.assertNotEqual(self.train("demo", "--no-output", "--seed", 1, *FAST)["result_hash"], hashes.pop())

    def test_every_simd_level_trains(self):
        for level in ("sse4", "avx2"):
            report = self.train("demo", "--no-output", *FAST, "--set", "lr=0.02", "--set", "epochs=60", SCRL_SIMD=level)
            self.assertGreater(report["accuracy"]["mean"], 75)
            out, _ = self.run_scrl("version", "--json", SCRL_SIMD=level)
            self.assertEqual(json.loads(out)["simd"], level)
        _, err = self.run_scrl("train", "demo", "--no-output", SCRL_SIMD="mmx", code=2)
        self.assertIn("mmx", err)

    def test_seeds_are_repeated_and_averaged(self):
        report = self.train("demo", "--seeds", 3, "--seed", 5, "-o", "run", *FAST)
        single = [self.train("demo", "--seed", s, "--no-output", *FAST)["accuracy"]["mean"] for s in (5, 6, 7)]
        self.assertEqual([r["test"]["accuracy"] for r in report["per_seed"]], single)
        self.assertAlmostEqual(report["accuracy"]["mean"], sum(single) / 3, places=9)
        self.train("demo", "--seed", 5, "-o", "one", *FAST)
        for name in ("predictions.csv", "embeddings.npy"):
            self.assertEqual(self.files("run")[name], self.files("one")[name])

    def test_config_file_repeats_a_run(self):
        first = self.train("demo", "-o", "run", "--set", "alpha=2.5", *FAST)
        again = self.train("--config", "run/config.toml", "-o", "again")
        self.assertEqual(first["result_hash"], again["result_hash"])
        text = (self.path / "run/config.toml").read_text()
        self.assertRegex(text, r'(?m)^alpha = 2\.5 +# --set$')
        self.assertRegex(text, r'(?m)^binarize = "auto" +# profile of scrl; (true|false) on this graph$')

    def test_protocols_are_stamped(self):
        for protocol in ("val", "fixed", "oracle"):
            report = self.train("demo", "--no-output", "--protocol", protocol, *FAST)
            self.assertEqual(report["protocol"], protocol)
            if protocol == "fixed":
                self.assertEqual(report["best_epoch"], 20)
            if protocol == "oracle":
                self.assertEqual(report["accuracy"]["mean"], report["oracle"]["accuracy"])
        out, _ = self.run_scrl("train", "demo", "--no-output", *FAST)
        self.assertIn("oracle, epoch chosen on the test nodes (a diagnostic, not a result)", out)

    def test_a_run_is_not_overwritten_by_accident(self):
        self.train("demo", "-o", "run", *FAST)
        before = self.files("run")
        _, err = self.run_scrl("train", "demo", "-o", "run", "--seed", 9, *FAST, code=2)
        self.assertIn("holds a run already", err)
        self.assertEqual(self.files("run"), before)
        self.train("demo", "-o", "run", "--seed", 9, "--force", *FAST)
        self.assertNotEqual(self.files("run"), before)

    def test_files_of_somebody_else_are_never_touched(self):
        ids = self.write("mine/ids.txt", "keep me")
        _, err = self.run_scrl("train", "demo", "-o", "mine", *FAST, code=2)
        self.assertIn("mine/ids.txt: is there already and not part of a run", err)
        self.run_scrl("train", "demo", "-o", "mine", "--force", *FAST, code=2)
        self.assertEqual(ids.read_text(), "keep me")

    def test_a_failed_start_does_not_block_the_folder(self):
        self.run_scrl("train", "demo", "-o", "run", "--set", "knn=file", *FAST, code=3)
        self.train("demo", "-o", "run", *FAST)

    def test_seeds_beyond_the_largest_number(self):
        _, err = self.run_scrl("train", "demo", "--no-output", "--seed", 2147483647, "--seeds", 2, *FAST, code=2)
        self.assertIn("leaves no room", err)

    def test_a_run_may_have_the_name_of_its_data(self):
        ring = "".join(f"{i},{(i + d) % 40}\n" for i in range(40) for d in (1, 2))
        self.write("data/mine/edges.csv", "source,target\n" + ring)
        self.write("data/mine/labels.csv", "id,label\n" + "".join(f"{i},{'ab'[i // 20]}\n" for i in range(40)))
        self.write("data/mine/features.svm", "".join(f"{i} {i % 7 + 1}:1 {i // 20 + 8}:1\n" for i in range(40)))
        found = {"SCRL_DATA": str(self.path / "data")}
        few = ["-m", "gcn", "-l", "4", "--set", "epochs=3", "--set", "val_nodes=8", "--set", "test_nodes=8", "-q"]
        for run in ("mine", "other"):
            self.run_scrl("train", "mine", *few, "-o", run, **found)
            self.run_scrl("predict", run, "-o", f"{run}.csv", "-q", **found)
            self.assertEqual((self.path / f"{run}.csv").read_text(), (self.path / run / "predictions.csv").read_text())

    def test_a_random_split_is_stamped_and_drawn_again(self):
        few = ["demo", "--split", "random", "-l", "4", "--val-nodes", "50"]
        out, _ = self.run_scrl("train", *few, "-o", "run", *FAST)
        self.assertIn("4 labels per class, random split", out)
        metrics = json.loads((self.path / "run" / "metrics.json").read_text())
        nodes, unlabelled = (json.loads(self.run_scrl("inspect", "demo", "--json")[0])[k] for k in ("nodes", "unlabelled"))
        self.assertEqual(metrics["split"], "random")
        self.assertEqual(sum(metrics[f"{part}_nodes"] for part in ("train", "val", "test")), nodes - unlabelled)
        out, _ = self.run_scrl("eval", "run", "--json")
        self.assertEqual(json.loads(out)["test"]["accuracy"], metrics["accuracy"]["mean"])
        out, _ = self.run_scrl("compare", "demo", "-m", "mlp", "-l", "4", "--split", "random", "-o", "table",
                               "--set", "epochs=2")
        self.assertIn("set by hand: split = random", out)
        _, err = self.run_scrl("compare", "demo", "-m", "mlp,gcn", "--set", "gcn.split=random", code=2)
        self.assertIn("gcn.split: all methods of a comparison have the same split", err)

    def test_run_folders_are_named_after_the_data(self):
        self.run_scrl("train", "demo:nodes=200", *FAST)
        self.run_scrl("train", "demo:nodes=200", *FAST)
        self.assertEqual({p.name for p in (self.path / "runs").iterdir()}, {"demo-scrl", "demo-scrl-2"})

    def test_output_through_a_link_and_to_a_device(self):
        self.train("demo", "-o", "run", *FAST)
        self.write("target.csv", "old")
        (self.path / "link.csv").symlink_to("target.csv")
        self.run_scrl("predict", "run", "-o", "link.csv")
        self.assertTrue((self.path / "link.csv").is_symlink())
        self.assertEqual((self.path / "target.csv").read_bytes(), self.files("run")["predictions.csv"])
        self.run_scrl("predict", "run", "-o", "/dev/full", code=1)

    def test_a_full_stdout_is_noticed(self):
        with open("/dev/full", "w") as full:
            for command in (["inspect", "demo"], ["methods"], ["version"], ["train", "--help"]):
                process = subprocess.run([SCRL, *command], stdout=full, stderr=subprocess.PIPE, env=self.environment())
                self.assertEqual(process.returncode, 5, command)

    @unittest.skipIf(os.environ.get("SCRL_SANITIZE"), "sanitizers need the address space that this test takes away")
    def test_more_threads_than_the_system_gives(self):
        script = f"ulimit -v 4000000; exec {SCRL} train demo -m scrl --no-output --set epochs=3 -t 1024 -q"
        # Done with fewer threads, or told that memory is short: never a crash.
        self.assertIn(subprocess.run(["bash", "-c", script], env=self.environment()).returncode, (0, 5))

    def test_quiet_prints_nothing(self):
        out, err = self.run_scrl("train", "demo", "-o", "run", "--quiet", *FAST)
        self.assertEqual((out, err), ("", ""))

    def test_divergence_has_its_own_exit_code(self):
        _, err = self.run_scrl("train", "demo", "--no-output", *FAST, "--set", "lr=1e38", code=6)
        self.assertIn("diverged", err)
        self.assertIn("lr", err)

    def test_methods_train(self):
        out, _ = self.run_scrl("methods", "--json")
        for method in json.loads(out)["methods"][1:]:  # the first is auto
            brief = [f"--set={key}={value}" for key, value in (("walks", 1), ("samples", 1000000))
                     if key in method["options"]]
            report = self.train("demo", "-m", method["name"], "--no-output", "--set", "epochs=15", *brief)
            self.assertEqual(report["method"], method["name"])
            self.assertGreater(report["accuracy"]["mean"], 20, method["name"])


class DamagedModelTest(ProgramTest):
    def test_a_damaged_model_is_refused(self):
        self.train("demo:nodes=120", "-m", "scrl", "-o", "run", "--set", "hidden1=4", "--set", "hidden2=4", "--set", "epochs=2")
        model = self.path / "run/model.scrl"
        good = model.read_bytes()
        for position in range(0, len(good), max(1, len(good) // 40)):
            bad = bytearray(good)
            bad[position] ^= 0x10
            model.write_bytes(bad)
            _, err = self.run_scrl("predict", "run", code=4)
            self.assertIn("model.scrl", err)
        for size in (0, 7, 64, len(good) - 1):
            model.write_bytes(good[:size])
            self.run_scrl("predict", "run", code=4)
        model.write_bytes(good)
        self.run_scrl("predict", "run", "-o", "fine.csv")

    def test_what_is_not_a_model(self):
        self.write("notes.txt", "hello\n" * 20)
        _, err = self.run_scrl("predict", "notes.txt", "demo", code=4)
        self.assertIn("notes.txt", err)
        self.run_scrl("predict", "nothing", code=4)


if __name__ == "__main__":
    unittest.main()
