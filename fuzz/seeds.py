#!/usr/bin/env python3
"""seeds.py PROGRAM FOLDER: makes the corpus that fuzzing starts from: FOLDER/TARGET/NAME, each a bundle
(bundle.h) of small files that the program accepts, most of them written by the program itself."""
import gzip
import io
import json
import os
import pathlib
import pickle
import struct
import subprocess
import sys
import tempfile
import zipfile

# Those of target_runs.cc.
DATA = "demo:nodes=50,features=100"
SETTINGS = {"gcn": ["--set", "epochs=6", "--set", "hidden1=8"],
            "scrl": ["--set", "epochs=6", "--set", "hidden1=8", "--set", "hidden2=4"],
            "auto": ["--members", "mlp,sgc"],
            "gat": ["--set", "epochs=6", "--set", "hidden1=4"], "logreg": [], "sgc": []}
HERE = pathlib.Path(__file__).resolve().parent


def bundle(parts):
    return b"\n".join(b"=== " + name.encode() + b"\n" + (content if isinstance(content, bytes) else content.encode())
                      for name, content in parts.items())


def sections(path):
    """The sections of a container; the layout is in docs/formats.md."""
    data = path.read_bytes()
    count, kind = struct.unpack_from("<II", data, 40)
    at, out = 48 + kind, {}
    for _ in range(count):
        size, = struct.unpack_from("<I", data, at)
        name = data[at + 4:at + 4 + size].decode()
        offset, length = struct.unpack_from("<QQ", data, at + 4 + size)
        out[name] = data[offset:offset + length]
        at += 4 + size + 24
    return out


def npy(values, shape, kind="<f4", code="f"):
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape!r}, }}"
    header += " " * (64 - (10 + len(header) + 1) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(
        f"<{len(values)}{code}", *values)


class Corpus:
    def __init__(self, program, folder, work):
        self.program, self.folder, self.work = program, pathlib.Path(folder), pathlib.Path(work)

    def add(self, target, name, parts):
        path = self.folder / target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bundle(parts))

    def start(self, *args):
        env = dict(os.environ, SCRL_SIMD="sse4", SCRL_CACHE=str(self.work / "cache"))
        return subprocess.Popen([self.program, *map(str, args)], env=env, cwd=self.work, stdout=subprocess.DEVNULL)

    def run(self, *args):
        if self.start(*args).wait() != 0:
            sys.exit(f"seeds.py: {self.program} {' '.join(map(str, args))} failed")


EDGES = "source,target\n" + "".join(f"n{i},n{(i * 7 + 3) % 12}\n" for i in range(12))
TABLE = "id,x,y,z\n" + "".join(f"n{i},{i % 3},{i * 0.25},{-i}\n" for i in range(12))
LABELS = "id,label\n" + "".join(f"n{i},{'ab'[i % 2]}\n" for i in range(12))
SPLIT = {"train.txt": "n0\nn1\nn2\nn3\n", "val.txt": "n4\nn5\n", "test.txt": "n6\nn7\nn8\nn9\n"}


def folders(c):
    base = {"edges.csv": EDGES, "features.csv": TABLE, "labels.csv": LABELS}
    c.add("folder", "table", base)
    c.add("folder", "split", {**base, **SPLIT, "method": "mlp", "no_norm": ""})
    c.add("folder", "weights", {**base, "edges.csv": "n0 n1 0.5\nn1 n2 2\nn3 n1 1e-3\n", "method": "label-propagation"})
    c.add("folder", "svm", {"edges.txt": "a b\nb c\nc d\n", "features.svm": "a 0:1 3:0.5\nb 1:2\nc 2:1 # x\nd 0:4\n",
                            "labels.txt": "a x\nb y\nc x\nd y\n", "method": "logreg"})
    market = "%%MatrixMarket matrix coordinate real general\n% c\n4 3 4\n1 1 1\n2 2 0.5\n3 3 -2\n4 1 1e3\n"
    c.add("folder", "mtx", {"edges.tsv": "0\t1\n1\t2\n2\t3\n", "features.mtx": market, "labels.txt": "1\n-1\n2\n?\n"})
    c.add("folder", "ids", {**base, "ids.txt": "".join(f"n{i}\n" for i in range(12)), "method": "scrl"})
    c.add("folder", "knn", {**base, "features.knn.tsv": "n0\tn1\nn1\tn2\t0.5\nn2\tn2\n", "method": "knn-gcn"})
    c.add("folder", "quoted", {"edges.csv": '"a, b","#c"\n"#c",d\n', "labels.csv": '"a, b",1\n"#c",2\nd,1\n',
                               "features.csv": 'id,v\n"a, b",1\n"#c",2\nd,3e38\n', "no_norm": "", "method": "gcn"})
    c.add("folder", "gzip", {**base, "labels.csv.gz": gzip.compress(LABELS.encode(), mtime=0), "labels.csv": ""})
    c.add("amgcn", "plain", {"x.label": "0\n1\n0\n1\n-1\n", "x.feature": "1 0 2\n0 1 0\n1 1 1\n0 0 0\n3 0 1\n",
                             "x.edge": "0 1\n1 2\n3 4\n", "train20.txt": "0\n1\n", "test20.txt": "2\n3\n",
                             "knn/c5.txt": "0 1\n2 3\n"})
    c.add("numpy", "npy", {"edges.csv": "0,1\n1,2\n", "labels.txt": "a\nb\na\n",
                           "features.npy": npy([1, 0, 2, 3, 0, 1e30], (3, 2)), "no_norm": ""})
    c.add("numpy", "integers", {"edges.csv": "0,1\n1,2\n", "labels.txt": "a\nb\na\n",
                                "features.npy": npy([1, 0, 2, 3, 0, 5], (3, 2), "<i4", "i")})
    stored = io.BytesIO()
    with zipfile.ZipFile(stored, "w") as z:
        arrays = {"data": npy([1, 2, 3], (3,)), "indices": npy([0, 1, 0], (3,), "<i4", "i"),
                  "indptr": npy([0, 1, 2, 3], (4,), "<i4", "i"), "shape": npy([3, 2], (2,), "<i8", "q"),
                  "format": b"\x93NUMPY\x01\x00\x76\x00" + (b"{'descr': '|S3', 'fortran_order': False, 'shape': (), }").ljust(117)
                  + b"\ncsr"}
        for name, content in arrays.items():
            z.writestr(zipfile.ZipInfo(name + ".npy"), content)
    c.add("numpy", "npz", {"edges.csv": "0,1\n1,2\n", "labels.txt": "a\nb\na\n", "features.npz": stored.getvalue()})
    for method, name in ((zipfile.ZIP_STORED, "stored"), (zipfile.ZIP_DEFLATED, "deflated")):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", method) as z:
            for file, text in base.items():
                info = zipfile.ZipInfo("top/" + file)
                info.compress_type = method
                z.writestr(info, text)
        c.add("archive", name, {"data.zip": packed.getvalue()})


GRAPHML = """<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="s" for="node" attr.name="size" attr.type="double"><default>0.5</default></key>
<key id="b" for="node" attr.name="big" attr.type="boolean"/>
<key id="l" for="node" attr.name="label" attr.type="string"/>
<key id="w" for="edge" attr.name="weight" attr.type="double"/>
<key id="c" for="graph" attr.name="classes" attr.type="string"/>
<key id="t" for="graph" attr.name="train" attr.type="string"/>
<graph edgedefault="undirected"><data key="c">x
y</data><data key="t">a
b</data>
<edge source="a" target="b"><data key="w">2</data></edge>
<node id="a"><data key="s">1e3</data><data key="l">y</data></node>
<node id="b"><data key="b">true</data><data key="l">x</data><desc>d</desc></node>
<node id="c&lt;"/><edge source="b" target="c&lt;"/>
</graph></graphml>
"""


def layouts(c):
    c.add("graphml", "small", {"x.graphml": GRAPHML})
    c.add("graphml", "gzip", {"x.graphml.gz": gzip.compress(GRAPHML.encode(), mtime=0), "method": "mlp"})
    c.add("convert", "graphml", {"x.graphml": GRAPHML})
    base = {"edges.csv": EDGES, "features.csv": TABLE, "labels.csv": LABELS, "classes.txt": "b\na\nc\n", **SPLIT}
    c.add("convert", "folder", base)
    c.add("folder", "classes", base)
    ogb = {"raw/edge.csv": "0,1\n1,2\n2,3\n", "raw/node-feat.csv": "0.5,0\n1,2\n0,0\n-1,3\n",
           "raw/num-node-list.csv": "4\n", "raw/node-label.csv": "1\n0\nnan\n1\n",
           "split/time/train.csv": "0\n", "split/time/valid.csv": "1\n", "split/time/test.csv": "3\n"}
    c.add("ogb", "tables", ogb)
    c.add("convert", "ogb", ogb)
    c.run("convert", DATA, "--to", "npz", "-q", "-o", "x.npz")
    c.add("arrays", "demo", {"data.zip": (c.work / "x.npz").read_bytes()})
    c.add("ogb", "arrays", {"raw/data.npz": (c.work / "x.npz").read_bytes()})
    c.add("convert", "arrays", {"data.zip": (c.work / "x.npz").read_bytes()})
    c.run("convert", DATA, "--to", "graphml", "-q", "-o", "x.graphml")
    c.add("graphml", "demo", {"x.graphml": (c.work / "x.graphml").read_bytes()})


def blocks(c):
    """A data set in two blocks, made of the only one that the program writes of so few nodes."""
    parts, rows, nodes = c.work / "x.parts", 30, 50
    c.run("partition", f"demo:nodes={nodes},features=100", "-o", parts, "-q")
    whole, block = sections(parts / "parts.scrl"), sections(parts / "block-00000.scrl")
    numbers = lambda name, code: struct.unpack(f"<{len(block[name]) // struct.calcsize(code)}{code}", block[name])
    pack = lambda values, code: struct.pack(f"<{len(values)}{code}", *values)
    row_ptr, edges = numbers("features.rows", "q"), list(zip(numbers("edges.source", "i"), numbers("edges.target", "i")))
    ends = (0,) + numbers("ids.ends", "q")
    out, entries, touching = {}, [], []
    for b, (first, last) in enumerate(((0, rows), (rows, nodes))):
        low, high = row_ptr[first], row_ptr[last]
        own = [e for e, edge in enumerate(edges) if any(first <= v < last for v in edge)]
        entries.append(high - low)
        touching.append(len(own))
        content = {**block, "block": pack([b, last - first], "q"), "ids": block["ids"][ends[first]:ends[last]],
                   "ids.ends": pack([e - ends[first] for e in ends[first + 1:last + 1]], "q"),
                   "features.rows": pack([p - low for p in row_ptr[first:last + 1]], "q"),
                   "features.columns": block["features.columns"][4 * low:4 * high],
                   "features.values": block["features.values"][4 * low:4 * high],
                   "labels": block["labels"][4 * first:4 * last], "edges.number": pack(own, "q"),
                   "edges.source": pack([edges[e][0] for e in own], "i"),
                   "edges.target": pack([edges[e][1] for e in own], "i")}
        out.update({f"block-0000{b}.scrl/{name}": value for name, value in content.items()})
    sizes = list(struct.unpack("<6q", whole["sizes"]))
    sizes[3] = rows
    whole.update({"sizes": pack(sizes, "q"), "feature_entries": pack(entries, "q"), "edge_entries": pack(touching, "q")})
    c.add("blocks", "two", {**{f"parts.scrl/{name}": value for name, value in whole.items()}, **out})
    c.add("blocks", "mlp", {**{f"parts.scrl/{name}": value for name, value in whole.items()}, **out, "method": "mlp"})


def planetoid(c):
    def op_string(s):
        return b"U" + bytes([len(s)]) + s

    def array(values, shape, kind, code):
        raw = struct.pack(f"<{len(values)}{code}", *values)
        dims = b"(" + b"".join(b"K" + bytes([d]) for d in shape) + b"t"
        return (b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(K\x00t" + op_string(b"b") + b"tR(K\x01" + dims +
                b"cnumpy\ndtype\n(" + op_string(kind) + b"K\x00K\x01tR(K\x03" + op_string(b"<") +
                b"NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb\x89" + op_string(raw) + b"tb")

    def csr(indptr, indices, data, rows, cols):
        return (b"\x80\x02ccopy_reg\n_reconstructor\n(cscipy.sparse.csr\ncsr_matrix\nc__builtin__\nobject\nNtR}(" +
                op_string(b"_shape") + b"K" + bytes([rows]) + b"K" + bytes([cols]) + b"\x86" +
                op_string(b"maxprint") + b"K2" + op_string(b"indices") + array(indices, [len(indices)], b"i4", "i") +
                op_string(b"indptr") + array(indptr, [len(indptr)], b"i4", "i") +
                op_string(b"data") + array(data, [len(data)], b"f4", "f") + b"ub.")

    labels = lambda rows: b"\x80\x02" + array([v for r in rows for v in ((1, 0), (0, 1))[r]], [len(rows), 2], b"i4", "i") + b"."
    graph = {0: [1, 2], 1: [0], 2: [0, 3], 3: [2, 4], 4: [3], 5: [4]}
    c.add("planetoid", "six", {
        "ind.x.allx": csr([0, 1, 2, 3, 4], [0, 1, 2, 0], [1, 1, 1, 2], 4, 3), "ind.x.ally": labels([0, 1, 0, 1]),
        "ind.x.x": csr([0, 1, 2], [0, 1], [1, 1], 2, 3), "ind.x.y": labels([0, 1]),
        "ind.x.tx": csr([0, 1, 2], [2, 1], [1, 1], 2, 3), "ind.x.ty": labels([0, 1]),
        "ind.x.graph": pickle.dumps(graph, 2), "ind.x.test.index": "5\n4\n"})


def runs(c):
    for method, settings in SETTINGS.items():
        run = c.work / method
        snapshots = [] if method == "auto" else ["--snapshots", "every:3"]
        c.run("train", DATA, "-m", method, "--seeds", 2, "-q", "-o", run, *settings, *snapshots)
        model = sections(run / "model.scrl")
        mark = model["meta"].split(b'"fingerprint":"')[1][:32]
        as_parts = lambda name, parts: {f"{name}/{k}": v.replace(mark, b"@FINGERPRINT@") for k, v in parts.items()}
        texts = {f: (run / f).read_bytes().replace(mark, b"@FINGERPRINT@")
                 for f in ("config.toml", "events.jsonl", "metrics.json")}
        c.add("model", method, as_parts("model.scrl", model))
        c.add("run", method, {**texts, **as_parts("model.scrl", model),
                              **{f"snapshots/{p.name}": p.read_bytes() for p in (run / "snapshots").glob("*")}})
        split = (run / "split.csv").read_bytes()
        c.add("diff", method, {"a/split.csv": split, **{f"a/{f}": t for f, t in texts.items()},
                               **{f"b/{f}": t.replace(b"0.", b"1.", 1) for f, t in texts.items()}})
        c.add("points", method, {f: (run / f).read_bytes() for f in ("embeddings.npy", "ids.txt", "predictions.csv")})
        c.add("metrics", method, {"metrics.json": texts["metrics.json"]})
        c.add("config", method, {"config.toml": texts["config.toml"]})
        if method in ("gcn", "scrl", "auto"):
            unfinished = checkpoint(c, method)
            if unfinished:
                parts = {"config.toml": (unfinished / "config.toml").read_bytes().replace(mark, b"@FINGERPRINT@"),
                         "events.jsonl": (unfinished / "events.jsonl").read_bytes()}
                c.add("checkpoint", method, {**parts, "method": method,
                                             **as_parts("checkpoint.scrl", sections(unfinished / "checkpoint.scrl"))})
    c.add("container", "model", {"file": (c.work / "gcn/model.scrl").read_bytes()[:6000]})
    c.add("container", "small", {"file": (c.work / "logreg/model.scrl").read_bytes()[:3000], "as_is": ""})


def checkpoint(c, method):
    """The folder of a run that was killed after its first checkpoint; None if it was too fast."""
    run = c.work / f"{method}-stopped"
    process = c.start("train", DATA, "-m", method, "--seeds", 2, "--set", "checkpoint_secs=0", "-q", "-o", run,
                      *SETTINGS[method])
    while process.poll() is None:
        if (run / "checkpoint.scrl").exists():
            process.kill()
            process.wait()
            break
    return run if (run / "checkpoint.scrl").exists() else None


def tables(c):
    c.add("points", "csv", {"points.csv": "".join(f"{i % 7},{i * i % 11},{i % 3}\n" for i in range(30))})
    c.add("points", "ids", {"points.csv": "id,a,b\n" + "".join(f"p{i},{i * 0.5},{i % 4}\n" for i in range(12)),
                            "start.csv": "id,x,y\n" + "".join(f"p{i},{i},{-i}\n" for i in range(12))})
    c.add("points", "npy", {"points.npy": npy([i * i % 13 for i in range(60)], (20, 3)),
                            "start.npy": npy(list(range(40)), (20, 2))})
    c.run("compare", DATA, "-m", "logreg,mlp", "--set", "mlp.epochs=1", "-q", "-o", c.work / "compared")
    cells = {}
    for path in sorted((c.work / "compared/cells").glob("*.json")):
        cell = json.loads(path.read_text())
        number = 0 if cell["key"]["settings"]["method"] == "logreg" else 1
        cell["key"] = f"@KEY{number}@"
        cells[f"cells/{number}"] = json.dumps(cell)
    c.add("cells", "two", cells)
    c.add("cells", "other-build", {"any_build": "", **{f"{name}x.json": text for name, text in cells.items()}})
    data = {"edges.csv": EDGES, "features.csv": TABLE, "labels.csv": LABELS, **SPLIT}
    folder = c.work / "folder"
    folder.mkdir()
    for name, text in data.items():
        (folder / name).write_text(text)
    before = set((c.work / "cache").glob("*")) if (c.work / "cache").exists() else set()
    c.run("inspect", folder, "-q")
    copy, = set((c.work / "cache").glob("*.cache")) - before
    c.add("cache", "folder", {**data, **{f"cache.scrl/{k}": v for k, v in sections(copy).items() if k != "key"}})
    c.add("space", "forms", {"space.txt": "# a comment\nlr=1e-3..1e-1\nhidden1 = 8,16,32\nk=3..9\nbinarize=true,auto\n"})
    row = lambda i: ",".join(str((i * k + k) % 4) for k in range(100))
    new = {"nodes.csv": "id," + ",".join(f"f{k}" for k in range(100)) + "\n" + "".join(f"x{i},{row(i)}\n" for i in range(3)),
           "edges.csv": "source,target\nx0,n0001\nn0002,x1\nx0,x1\nn0001,n0002\n"}
    c.add("joining", "table", new)
    c.add("joining", "no-edges", {"nodes.csv": new["nodes.csv"]})
    c.add("joining", "weights", {"nodes.svm": "x0 0:1 99:2\nx1 3:0.5\n", "edges.csv": "x0,n0001,0.5\nx0,n0003,3e38\n"})
    c.add("config", "forms", {"config.toml": 'data = "\\u00e4\\"x"\nk = 5\nlr = 1e-2\nmethod = \'gcn\'\n# \u00e4\nseeds = 0x2\n'})


def requests(c):
    node = '{"id": "x\\u00e4", "features": {"0": 1, "99": -2.5e-3, "7": 0}, "neighbours": %s}'
    for name, body in {"ids": '{"ids": ["n001", "n0049", "n001"], "alpha": 0.1}',
                       "numbers": '{"ids": ["0", "49"]}',
                       "new": '{"nodes": [%s, {"id": "y"}]}' % (node % '["n001", "n002", "n001"]'),
                       "weights": '{"alpha": 0.25, "nodes": [%s]}' % (node % '{"3": 0.5, "4": 1e3}'),
                       "refused": '{"ids": ["nobody"], "nodes": [{"features": {"100": 1}}]}'}.items():
        c.add("request", name, {"body": body})
    for i, target in enumerate(("GET /v1/nodes/a%2Fb%20%c3%a4?alpha=0.1", "POST /v1/predict", "HEAD /", "GET /v1/nodes/%ff",
                                "PUT /v1/embedding2d?x=1&y", "GET /nothing")):
        c.add("request", f"target-{i}", {"target": target})


def main():
    program, folder = sys.argv[1:]
    with tempfile.TemporaryDirectory() as work:
        corpus = Corpus(str(pathlib.Path(program).resolve()), folder, work)
        folders(corpus)
        layouts(corpus)


        blocks(corpus)
        planetoid(corpus)
        runs(corpus)
        tables(corpus)
        requests(corpus)
    for path in (HERE / "findings").glob("*/*"):  # where to look again
        (corpus.folder / path.parent.name).mkdir(parents=True, exist_ok=True)
        (corpus.folder / path.parent.name / ("finding-" + path.name)).write_bytes(path.read_bytes())
    print(sum(1 for p in corpus.folder.rglob("*") if p.is_file()), "inputs in", folder)


if __name__ == "__main__":
    main()
