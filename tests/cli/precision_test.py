"""--precision bf16: as accurate within the noise of seeds, the same bits for any number of threads."""
import json
import unittest

from program import FAST, ProgramTest

DATA = "demo:nodes=600"


class PrecisionTest(ProgramTest):
    def accuracies(self, method, precision):
        report = self.train(DATA, "-m", method, "-l", "20", "--precision", precision, "--seeds", "4", "--no-output")
        return [seed["test"]["accuracy"] for seed in report["per_seed"]]

    def test_accuracy_stays_within_the_noise_of_seeds(self):
        for method in ("scrl", "gcn"):
            exact, rounded = self.accuracies(method, "float32"), self.accuracies(method, "bf16")
            difference = (sum(rounded) - sum(exact)) / len(exact)
            spread = max(max(exact) - min(exact), max(rounded) - min(rounded))
            self.assertLess(abs(difference), max(1.0, spread), f"{method}: {exact} {rounded}")

    def test_threads_do_not_change_a_bit(self):
        for method in ("scrl", "chebnet", "grace"):
            with self.subTest(method=method):
                args = [DATA, "-m", method, *FAST[-2:], "--no-output", "--precision"]
                hashes = {self.train(*args, "bf16", "-t", threads)["result_hash"] for threads in (1, 2, 3)}
                self.assertEqual(len(hashes), 1)
                self.assertNotIn(self.train(*args, "float32")["result_hash"], hashes)

    def test_a_model_predicts_as_it_was_trained(self):
        self.train(DATA, *FAST, "--precision", "bf16", "-o", "run")
        self.run_scrl("predict", "run/model.scrl", DATA, "-o", "again.csv")
        self.assertEqual((self.path / "again.csv").read_text(), (self.path / "run/predictions.csv").read_text())

    def test_a_run_keeps_its_precision(self):
        self.train(DATA, *FAST, "--precision", "bf16", "-o", "run")
        self.assertIn('precision = "bf16"', (self.path / "run/config.toml").read_text())
        plan = json.loads(self.run_scrl("plan", DATA, "-m", "scrl", "--precision", "bf16", "--json")[0])
        self.assertEqual(plan["precision"], "bf16")

    def test_another_word_is_refused(self):
        _, err = self.run_scrl("train", DATA, "--precision", "half", code=2)
        self.assertIn("precision: expected float32 or bf16, got 'half'", err)


if __name__ == "__main__":
    unittest.main()
