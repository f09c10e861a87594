"""Data sets and splits for the judge of accuracy (bench/accuracy.py).

Reads the layouts of docs/formats.md that the judged data come in: AM-GCN, Planetoid, the built-in graph, and folders
with edges.csv, features.npz or .npy, labels.csv and, if need be, ids.txt. Whatever was read is compared with what
`scrl inspect` says of the same data, so that both sides of the table have the same nodes, edges, values and labels."""
import collections
import csv
import gzip
import io
import json
import pathlib
import subprocess

import numpy as np
import scipy.sparse as sp

import demo_graph
import export

UNLABELLED = {"", "-1", "?", "NA"}


class Graph:
    """ids; X as stored, A with ones and without loops (both CSR); labels (-1: none) as numbers of `classes`."""

    def __init__(self, ids, X, names, edges):
        self.ids = list(ids)
        self.X, n = sp.csr_matrix(X, dtype=np.float32), len(self.ids)
        self.X.sum_duplicates()
        self.X.eliminate_zeros()
        known = {name for name in names if name not in UNLABELLED}
        whole = all(name.lstrip("+-").isdigit() for name in known)
        self.classes = sorted(known, key=int if whole else lambda name: name.encode())
        number = {name: c for c, name in enumerate(self.classes)}
        self.labels = np.array([number.get(name, -1) for name in names], dtype=np.int64)
        A = sp.coo_matrix((np.ones(len(edges), np.float32), (edges[:, 0], edges[:, 1])), shape=(n, n)).tocsr()
        A = A.maximum(A.T).tocsr()
        A.data[:] = 1
        self.loops = int(A.diagonal().sum())
        A.setdiag(0)
        A.eliminate_zeros()
        self.A = A
        self.shared = {}  # what peers compute of X and A once for all draws

    def facts(self):
        """What `scrl inspect` says too."""
        pairs = sp.triu(self.A).tocoo()
        a, b = self.labels[pairs.row], self.labels[pairs.col]
        both = (a >= 0) & (b >= 0)
        count = collections.Counter(self.labels.tolist())
        return {"nodes": len(self.ids), "columns": self.X.shape[1], "stored": self.X.nnz, "edges": pairs.nnz,
                "loops": self.loops, "homophily": round(float((a == b)[both].mean()), 9) if both.any() else None,
                "classes": sorted((name, count[c]) for c, name in enumerate(self.classes))}


def unit_rows(M):
    M = sp.csr_array(M)
    length = np.sqrt(np.asarray(M.multiply(M).sum(1)).ravel())
    return (sp.diags_array(1 / np.where(length == 0, 1, length)) @ M).tocsr().astype(np.float32)


def rows(name, data):
    """Fields of every line of a text file, without comments and blank lines."""
    text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8-sig")
    lines = [line for line in text.splitlines() if line.strip() and line[0] not in "#%"]
    separator = next((s for s in "\t;," if lines and s in lines[0]), None)
    if separator is None and not any(ending in name for ending in (".csv", ".tsv")):
        return [line.split() for line in lines]
    return list(csv.reader(lines, delimiter=separator or ","))


def read_folder(files):
    def one(stem, *endings):
        names = [n for n in files if n.startswith(stem) and n.removesuffix(".gz").endswith(endings)]
        if len(names) > 1:
            raise ValueError(f"expected one file of {stem}, found {', '.join(names)}")
        return (names[0], files[names[0]]()) if names else (None, None)

    name, data = one("features.", ".npz", ".npy")
    if name is None:
        raise ValueError("expected features.npz or features.npy; other forms are not read here: convert them")
    X = sp.load_npz(io.BytesIO(data)) if name.endswith(".npz") else np.load(io.BytesIO(data), allow_pickle=False)
    listed = one("ids.", ".txt")[1] or one("nodes.", ".txt")[1]
    ids = listed.decode("utf-8-sig").split("\n") if listed else [str(i) for i in range(X.shape[0])]
    ids = [i.strip() for i in ids if i.strip()]
    at = {node: i for i, node in enumerate(ids)}
    table = rows(*one("edges.", ".csv", ".tsv", ".txt"))
    pairs = [(at[r[0]], at[r[1]]) for r in table[table[0][0] not in at:]]  # False skips nothing, True the header
    table, names = rows(*one("labels.", ".csv", ".tsv", ".txt")), [""] * len(ids)
    if len(table[0]) == 1:
        names = [r[0] for r in table[len(table) - len(ids):]]
    else:
        for r in table[table[0][0] not in at:]:
            names[at[r[0]]] = r[1]
    return ids, X, names, np.array(pairs, dtype=np.int64).reshape(-1, 2)


def locate(data):
    """Folder or archive of a data set, None for the built-in graph. Exits if there is none."""
    if data.partition(":")[0] == "demo":
        return None
    return pathlib.Path(data) if pathlib.Path(data).exists() else export.find(data)


def load(data, scrl):
    """The graph that scrl trains on when it is given `data`."""
    path = locate(data)
    if path is None:
        graph = Graph(*demo_graph.make(data))
    else:
        files = export.read_files(path)
        if any(n.startswith("ind.") and n.endswith(".graph") for n in files):
            X, labels, edges = export.read_planetoid(files)
            ids = map(str, range(len(labels)))
        elif any(n.endswith((".label", ".feature", ".edge")) for n in files):
            X, labels, edges = export.read_amgcn(files)
            ids = map(str, range(len(labels)))
        else:
            ids, X, labels, edges = read_folder(files)
        graph = Graph(ids, X, [str(c) for c in labels], edges)
    check(graph, data, scrl)
    return graph


def check(graph, data, scrl):
    """Raises if the program reads another graph."""
    told = json.loads(subprocess.run([scrl, "inspect", data, "--json"], check=True, capture_output=True).stdout)
    f, t = told["features"], told["topology"]
    theirs = {"nodes": told["nodes"], "columns": f["columns"], "stored": f["stored"], "edges": t["edges"],
              "loops": t["self_loops"], "homophily": None if t["homophily"] is None else round(t["homophily"], 9),
              "classes": sorted((c["name"], c["nodes"]) for c in told["classes"])}
    differ = [f"{key} {value}, scrl inspect has {theirs[key]}"
              for key, value in graph.facts().items() if value != theirs[key]]
    if differ:
        raise ValueError(f"{data}: what was read here differs: {'; '.join(differ)}")


def read_split(path, graph):
    """{part: sorted node numbers} of a split.csv that scrl train wrote."""
    at, parts, seen = {node: i for i, node in enumerate(graph.ids)}, {"train": [], "val": [], "test": []}, set()
    with open(path, newline="", encoding="utf-8") as f:
        lines = csv.reader(f)
        if next(lines, None) != ["id", "part"]:
            raise ValueError(f"{path}: expected the header id,part")
        for number, line in enumerate(lines, 2):
            if len(line) != 2 or line[0] not in at or line[1] not in parts or line[0] in seen:
                raise ValueError(f"{path}:{number}: expected a node of the data, listed once, and train, val or test")
            seen.add(line[0])
            parts[line[1]].append(at[line[0]])
    for part, nodes in parts.items():
        if part != "val" and not nodes:
            raise ValueError(f"{path}: no {part} nodes; give the data set split arguments that leave some")
    return {part: np.array(sorted(nodes), dtype=np.int64) for part, nodes in parts.items()}


def read_predictions(path, graph):
    """Class number of every node, of a predictions.csv."""
    number = {name: c for c, name in enumerate(graph.classes)}
    with open(path, newline="", encoding="utf-8") as f:
        lines = list(csv.reader(f))[1:]
    if [line[0] for line in lines] != graph.ids:
        raise ValueError(f"{path}: other nodes, or another order, than in the data")
    return np.array([number[line[1]] for line in lines])


def accuracy(predicted, graph, nodes):
    """Percent of the nodes whose class was predicted."""
    return 100 * float((predicted[nodes] == graph.labels[nodes]).mean())
