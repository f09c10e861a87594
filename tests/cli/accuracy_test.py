"""No method falls below the accuracy it has on a real graph: Cora-ML, 20 labels per class, one seed. The floors are
three to four points below what was measured, so that another instruction set passes and a broken method does not."""
import json
import os
import pathlib
import unittest

from program import ProgramTest

DATA = "cora-ml"
FLOORS = {"auto": 82, "scrl": 80, "scrl-paper": 72, "amgcn": 75, "gcn": 77, "gcn-tf": 77, "knn-gcn": 68, "chebnet": 74,
          "gat": 78, "demo-net": 76, "mixhop": 78, "appnp": 80, "gprgnn": 78, "h2gcn": 79, "grand": 79, "m3s": 78,
          "dgi": 77, "grace": 76, "deepwalk": 74, "line": 70, "mlp": 63, "logreg": 64, "sgc": 78,
          "label-propagation": 70, "correct-smooth": 77}
# Shorter than the defaults, where these take long.
SHORTER = {"amgcn": ["epochs=60"], "scrl-paper": ["epochs=100"], "dgi": ["epochs=60"],
           "grace": ["epochs=60", "negatives=500"], "deepwalk": ["walks=3"], "line": ["samples=3e6"]}


@unittest.skipUnless((pathlib.Path(os.environ.get("SCRL_DATA", "/nonexistent")) / DATA).is_dir(),
                     f"needs {DATA} below SCRL_DATA")
@unittest.skipIf(os.environ.get("SCRL_SANITIZE"), "takes long with a sanitizer, and shows nothing more")
class AccuracyTest(ProgramTest):
    def test_every_method_keeps_its_accuracy(self):
        methods = json.loads(self.run_scrl("methods", "--json")[0])["methods"]
        self.assertEqual(sorted(FLOORS), sorted(["auto", *(m["name"] for m in methods if m["name"] != "auto")]))
        for name, floor in FLOORS.items():
            with self.subTest(method=name):
                more = [word for setting in SHORTER.get(name, []) for word in ("--set", setting)]
                report = json.loads(self.run_scrl("train", DATA, "-l", 20, "-m", name, "--no-output", "--json", *more)[0])
                self.assertGreater(report["accuracy"]["mean"], floor)


if __name__ == "__main__":
    unittest.main()
