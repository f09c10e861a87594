"""scrl convert: every layout through the program, and by the tools that such files come from."""
import gzip
import json
import os
import pathlib
import pickle
import re
import unittest
import xml.etree.ElementTree

from program import ProgramTest

try:
    import numpy
    import scipy.sparse
except ImportError:
    numpy = None

DATA = "demo:nodes=200"
LAYOUTS = {"folder": "out", "amgcn": "out-a", "npz": "out.npz", "planetoid": "out-p", "graphml": "out.graphml"}
GRAPHML = """<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
  <key id="d3" for="edge" attr.name="weight" attr.type="double"><default>2.5</default></key>
  <key id="d2" for="node" attr.name="active" attr.type="boolean"/>
  <key id="d1" for="node" attr.name="club" attr.type="string"/>
  <key id="d0" for="node" attr.name="age" attr.type="long"><default>30</default></key>
  <key id="d4" for="node" yfiles.type="nodegraphics"/>
  <graph edgedefault="undirected">
    <desc>a club</desc>
    <edge source="ann" target="bob"><data key="d3">0.5</data></edge>
    <node id="ann"><data key="d1">
      Mr. Hi
    </data><data key="d2">true</data><data key="d0">41</data></node>
    <node id="bob"><data key="d1">Officer</data><data key="d4"><y:ShapeNode><y:Fill/></y:ShapeNode></data></node>
    <node id="cat"><data key="d0">0</data></node>
    <edge source="bob" target="cat"/>
  </graph>
</graphml>
"""


class ConvertTest(ProgramTest):
    def inspect(self, data):
        return json.loads(self.run_scrl("inspect", data, "--json")[0])

    def convert(self, data, layout, *more, out=None, code=0):
        out = out or LAYOUTS[layout]
        text, err = self.run_scrl("convert", data, "--to", layout, "-o", out, *more, code=code)
        return out, text, err

    def test_round_trips_keep_the_fingerprint(self):
        before = self.inspect(DATA)
        for layout in ("folder", "npz", "graphml"):
            out, text, err = self.convert(DATA, layout)
            self.assertIn("read back and equal", text)
            self.assertEqual(err, "")
            self.assertEqual(self.inspect(out)["fingerprint"], before["fingerprint"], layout)
        # From one layout to the next and back.
        self.convert("out", "npz", out="again.npz")
        self.convert("again.npz", "graphml", out="again.graphml")
        self.assertEqual(self.inspect("again.graphml")["fingerprint"], before["fingerprint"])

    def test_what_a_layout_cannot_hold(self):
        for layout in ("amgcn", "planetoid"):
            out, text, err = self.convert(DATA, layout, code=2)
            self.assertEqual(text, "")
            self.assertIn("node ids: nodes become 0, 1, 2", err)
            self.assertIn("--allow-loss", err)
            self.assertFalse((self.path / out).exists())
            out, text, err = self.convert(DATA, layout, "--allow-loss")
            self.assertIn("warning: not written: class names", err)
            self.assertEqual(self.inspect(out)["splits"], self.inspect(DATA)["splits"])
        report = json.loads(self.convert(DATA, "amgcn", "--allow-loss", "--force", "--json")[1])
        self.assertEqual(report["fingerprint"], self.inspect("out-a")["fingerprint"])
        self.assertEqual(len(report["lost"]), 2)

    def test_existing_outputs(self):
        self.convert(DATA, "folder")
        before = {p.name: p.read_bytes() for p in (self.path / "out").iterdir()}
        _, _, err = self.convert("demo:nodes=100", "folder", code=2)
        self.assertIn("give --force", err)
        self.assertEqual({p.name: p.read_bytes() for p in (self.path / "out").iterdir()}, before)
        self.convert("demo:nodes=100", "folder", "--force")
        self.assertEqual(self.inspect("out")["nodes"], 100)
        self.write("out/notes.txt", "mine")
        _, _, err = self.convert(DATA, "folder", "--force", code=2)
        self.assertIn("notes.txt", err)
        self.run_scrl("convert", DATA, "--to", "npz", "-o", "x", code=2)
        self.run_scrl("convert", DATA, "--to", "npz", code=2)
        self.run_scrl("convert", DATA, "--to", "zip", "-o", "x.zip", code=2)
        self.assertEqual(sorted(p.name for p in self.path.iterdir()), ["cache", "out"])

    def test_a_place_that_cannot_be_written(self):
        self.write("file", "")
        _, _, err = self.convert(DATA, "npz", out="file/x.npz", code=1)
        self.assertIn("file/x.npz", err)

    @unittest.skipIf(numpy is None, "needs numpy and scipy")
    def test_numpy_and_scipy_read_what_was_written(self):
        self.convert(DATA, "folder")
        self.convert(DATA, "npz")
        X = scipy.sparse.load_npz(self.path / "out/features.npz")
        arrays = numpy.load(self.path / "out.npz", allow_pickle=False)
        self.assertEqual(X.shape, (200, 600))
        self.assertEqual(arrays["edge_index"].shape[0], 2)
        self.assertEqual(arrays["node_names"][7], "n0007")
        self.assertEqual(set(arrays["class_names"]), {"amber", "birch", "coral", "dune", "ember", "fern"})
        Y = scipy.sparse.csr_matrix((arrays["attr_data"], arrays["attr_indices"], arrays["attr_indptr"]),
                                    shape=arrays["attr_shape"])
        self.assertEqual((X != Y).nnz, 0)

    @unittest.skipIf(numpy is None, "needs numpy and scipy")
    def test_python_reads_the_planetoid_files(self):
        self.convert(DATA, "planetoid", "--allow-loss")
        load = lambda part: pickle.loads((self.path / f"out-p/ind.demo.{part}").read_bytes(), encoding="latin1")
        allx, tx, ally, graph = load("allx"), load("tx"), load("ally"), load("graph")
        self.assertEqual(allx.shape[0] + tx.shape[0], 200)
        self.assertEqual(ally.shape, (allx.shape[0], 6))
        self.assertTrue((ally.sum(1) == 1).all())
        self.assertEqual(sum(len(v) for v in graph.values()), self.inspect(DATA)["edge_file"]["rows"])

    @unittest.skipUnless(os.environ.get("SCRL_DATA"), "needs SCRL_DATA")
    def test_planetoid_data_come_back_as_planetoid_data(self):
        root = pathlib.Path(os.environ["SCRL_DATA"])
        name = next((p.name for p in root.iterdir() if p.name.lower() in ("cora", "pubmed")), None)
        if name is None:
            self.skipTest("neither cora nor pubmed")
        out, _, err = self.convert(root / name, "planetoid")
        self.assertEqual(self.inspect(out)["fingerprint"], self.inspect(root / name)["fingerprint"])

    def test_graphml_of_others(self):
        self.write("club.graphml", GRAPHML)
        facts = self.inspect("club.graphml:label=club")
        self.assertEqual((facts["nodes"], facts["features"]["columns"]), (3, 2))
        self.assertEqual([c["name"] for c in facts["classes"]], ["Mr. Hi", "Officer"])
        self.assertEqual(facts["unlabelled"], 1)
        self.convert("club.graphml:label=club", "folder")
        self.assertEqual((self.path / "out/edges.csv").read_text(),
                         "source,target,weight\nann,bob,0.5\nbob,cat,2.5\n")
        self.assertEqual((self.path / "out/labels.csv").read_text(), "id,label\nann,Mr. Hi\nbob,Officer\n")
        self.assertEqual(self.inspect("club.graphml")["classes"], [])
        _, err = self.run_scrl("inspect", "club.graphml:label=age2", code=2)
        self.assertIn('there is "active", "club", "age"', err)
        with gzip.open(self.path / "packed.graphml.gz", "wt") as file:
            file.write(GRAPHML)
        self.assertEqual(self.inspect("packed.graphml.gz:label=club")["fingerprint"], facts["fingerprint"])

    def test_a_graph_without_features(self):
        self.convert(DATA, "graphml")
        lines = (self.path / "out.graphml").read_text().splitlines()
        text = "\n".join(re.sub(r'<data key="f\d+">[^<]*</data>', "", line) for line in lines
                         if '"node" attr.name="f' not in line)
        self.write("bare.graphml", text)
        facts = self.inspect("bare.graphml")
        self.assertEqual(facts["features"]["columns"], 0)
        self.assertTrue(any("-m deepwalk" in line for line in facts["warnings"]))
        self.train("bare.graphml", "-m", "deepwalk", "--set", "epochs=1", "-o", "run")
        for method in ("auto", "scrl", "gcn", "mlp"):
            _, err = self.run_scrl("train", "bare.graphml", "-m", method, "-o", "other", code=2)
            self.assertIn("its nodes have no features", err)
        for layout, out in (("folder", "f"), ("npz", "n.npz")):
            self.convert("bare.graphml", layout, out=out)
            self.assertEqual(self.inspect(out)["fingerprint"], facts["fingerprint"])

    def test_a_run_remembers_the_label(self):
        self.convert(DATA, "graphml")
        text = (self.path / "out.graphml").read_text()
        self.write("x.graphml", text.replace('attr.name="label"', 'attr.name="kind"'))
        self.train("x.graphml:label=kind", "-m", "sgc", "-o", "run")
        (self.path / "else").mkdir()
        self.run_scrl("eval", "run")
        self.assertIn(f'{self.path}/x.graphml:label=kind', (self.path / "run/config.toml").read_text())

    def test_the_xml_is_xml(self):
        self.convert(DATA, "graphml")
        root = xml.etree.ElementTree.parse(self.path / "out.graphml").getroot()
        ns = {"g": "http://graphml.graphdrawing.org/xmlns"}
        self.assertEqual(len(root.findall(".//g:node", ns)), 200)

    def test_ogb_folders(self):
        pack = lambda name, text: (self.path / name).write_bytes(gzip.compress(text.encode()))
        for folder in ("ogb/raw", "ogb/split/time", "ogb/mapping"):
            (self.path / folder).mkdir(parents=True)
        pack("ogb/raw/edge.csv.gz", "0,1\n1,2\n2,3\n")
        pack("ogb/raw/node-feat.csv.gz", "0.5,0\n1,2\n0,0\n-1,3\n")
        pack("ogb/raw/num-node-list.csv.gz", "4\n")
        pack("ogb/raw/num-edge-list.csv.gz", "3\n")
        pack("ogb/raw/node-label.csv.gz", "1\n0\nnan\n1\n")
        pack("ogb/raw/node_year.csv.gz", "2001\n2002\n2003\n2004\n")
        pack("ogb/mapping/nodeidx2paperid.csv.gz", "node idx,paper id\n0,9\n")
        for part, nodes in (("train", "0\n1\n"), ("valid", "3\n"), ("test", "")):
            pack(f"ogb/split/time/{part}.csv.gz", nodes) if nodes else None
        facts = self.inspect("ogb")
        self.assertEqual((facts["nodes"], facts["unlabelled"], facts["features"]["stored"]), (4, 1, 5))
        self.assertEqual(facts["splits"], [{"labels_per_class": 0, "train": 2, "val": 1, "test": 0}])
        if numpy is None:
            return
        (self.path / "big/raw").mkdir(parents=True)
        numpy.savez_compressed(self.path / "big/raw/data.npz", edge_index=numpy.array([[0, 1, 2], [1, 2, 3]]),
                               num_nodes_list=numpy.array([4]), num_edges_list=numpy.array([3]),
                               node_feat=numpy.array([[.5, 0], [1, 2], [0, 0], [-1, 3]], dtype="float16"))
        numpy.savez(self.path / "big/raw/node-label.npz",
                    node_label=numpy.array([[1], [0], [numpy.nan], [1]], dtype="float32"))
        (self.path / "big/split/time").mkdir(parents=True)
        pack("big/split/time/train.csv.gz", "0\n1\n")
        pack("big/split/time/valid.csv.gz", "3\n")
        self.assertEqual(self.inspect("big")["fingerprint"], facts["fingerprint"])

    @unittest.skipIf(numpy is None, "needs numpy and scipy")
    def test_archives_of_the_amazon_and_coauthor_graphs(self):
        a = scipy.sparse.csr_matrix(numpy.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype="float32"))
        x = scipy.sparse.csr_matrix(numpy.array([[1, 0], [0, 2], [0, 0]], dtype="float32"))
        numpy.savez(self.path / "photo.npz", adj_data=a.data, adj_indices=a.indices, adj_indptr=a.indptr,
                    adj_shape=a.shape, attr_data=x.data, attr_indices=x.indices, attr_indptr=x.indptr,
                    attr_shape=x.shape, labels=numpy.array([0, 2, 2]),
                    class_names=numpy.array(["a", 1, None], dtype=object))
        facts = self.inspect("photo.npz")
        self.assertEqual([c["name"] for c in facts["classes"]], ["0", "1", "2"])
        self.assertEqual(facts["edge_file"]["rows"], 3)


if __name__ == "__main__":
    unittest.main()
