"""scrl partition: binary blocks that are the data set they were made of."""
import json
import shutil
import unittest

from program import FAST, ProgramTest

# Two blocks, and little to do.
LARGE = "demo:nodes=66000,features=100,words=3,degree=2"
MLP = ["-m", "mlp", "--set", "hidden1=8", "--set", "epochs=3"]


class PartitionTest(ProgramTest):
    def test_blocks_train_to_the_same_bytes(self):
        out, err = self.run_scrl("partition", "demo", "-o", "demo.parts")
        self.assertEqual((out, err), ("demo.parts: 1200 nodes and 3523 edges in 1 block\n", ""))
        self.assertEqual({p.name for p in (self.path / "demo.parts").iterdir()}, {"parts.scrl", "block-00000.scrl"})
        direct = self.train("demo", "-o", "direct", *FAST)
        blocks = self.train("demo.parts", "-o", "blocks", *FAST)
        self.assertEqual(blocks["result_hash"], direct["result_hash"])
        self.assertEqual(blocks["dataset"], "demo")
        self.assertEqual(self.files("blocks"), self.files("direct"))
        self.run_scrl("predict", "direct", "demo.parts", "-o", "predicted.csv")
        self.assertEqual((self.path / "predicted.csv").read_bytes(), self.files("direct")["predictions.csv"])
        self.assertEqual(json.loads(self.run_scrl("inspect", "demo.parts", "--json")[0])["fingerprint"],
                         json.loads(self.run_scrl("inspect", "demo", "--json")[0])["fingerprint"])

    def test_several_blocks_and_any_number_of_threads(self):
        facts = json.loads(self.run_scrl("partition", LARGE, "-o", "x.parts", "--json")[0])
        self.assertEqual([b["nodes"] for b in facts["blocks"]], [65536, 464])
        self.assertEqual((facts["nodes"], facts["block_rows"], facts["dataset"]), (66000, 65536, "demo"))
        self.assertGreaterEqual(sum(b["edges"] for b in facts["blocks"]), facts["edges"])
        hashes = {self.train(what, *MLP, "-t", threads)["result_hash"]
                  for what, threads in ((LARGE, 1), ("x.parts", 1), ("x.parts", 2), ("x.parts", 3))}
        self.assertEqual(len(hashes), 1)

    def test_what_is_refused(self):
        _, err = self.run_scrl("partition", "demo", code=2)
        self.assertIn("-o PARTS", err)
        self.write("full/mine.txt", "x")
        _, err = self.run_scrl("partition", "demo", "-o", "full", code=2)
        self.assertIn("full: holds mine.txt", err)
        self.assertEqual([p.name for p in (self.path / "full").iterdir()], ["mine.txt"])
        self.run_scrl("partition", "demo", "-o", "x.parts")
        block = self.path / "x.parts/block-00000.scrl"
        damaged = bytearray(block.read_bytes())
        damaged[len(damaged) // 2] ^= 1
        block.write_bytes(damaged)
        _, err = self.run_scrl("train", "x.parts", code=3)
        self.assertIn("block-00000.scrl", err)
        block.unlink()
        _, err = self.run_scrl("inspect", "x.parts", code=3)
        self.assertIn("block-00000.scrl", err)
        self.assertEqual(len(err.splitlines()), 1)
        shutil.rmtree(self.path / "x.parts")
        _, err = self.run_scrl("inspect", "x.parts", code=3)
        self.assertIn("no such folder", err)


if __name__ == "__main__":
    unittest.main()
