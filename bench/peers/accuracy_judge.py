"""One training after another for the judge of accuracy (bench/accuracy.py): which arguments split a data set, what was
trained before, and the same nodes for scrl and for peers."""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import numpy as np

import accuracy_data
from accuracy_settings import ROWS, SETTINGS

PUBLISHED = {"demo", "acm", "citeseer", "uai", "blogcatalog", "flickr", "pubmed"}  # test nodes of the data
SHARES = "--split random --val-share 0.32 --test-share 0.2"
SPLITS = {("texas", 20): SHARES, ("wisconsin", 20): SHARES,  # too small for 20 nodes of a class, and 500 to validate
          ("texas", 3): "--split random -l 3 --val-nodes 58", ("wisconsin", 3): "--split random -l 3 --val-nodes 80"}


def split_arguments(data, labels):
    name = pathlib.PurePath(data).name.partition(":")[0].removesuffix(".zip").lower()
    rate = f"-l {labels}"
    return SPLITS.get((name, labels), rate if name in PUBLISHED else f"--split random {rate}").split()


class Judge:
    """`a`: the arguments of bench/accuracy.py."""

    def __init__(self, a):
        self.a, self.out, self.graphs, self.trained = a, pathlib.Path(a.out), {}, 0
        self.run = self.out / f"run-{os.getpid()}"  # where scrl trains; removed after each training
        self.program = json.loads(self.call([a.scrl, "version", "--json"]))
        self.program = f"{self.program['version']} {self.program['commit']} {self.program['simd']}"
        for folder in ("cells", "splits"):
            (self.out / folder).mkdir(parents=True, exist_ok=True)

    @staticmethod
    def call(command):
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}: {done.stderr.strip() or done.returncode}")
        return done.stdout

    def graph(self, data):
        if data not in self.graphs:
            self.graphs = {data: accuracy_data.load(data, self.a.scrl)}  # one at a time: they are large
        return self.graphs[data]

    def name(self, data, seed, what=""):
        text = f"{data}-{self.a.labels}-{self.a.protocol}-{what and what + '-'}{seed}"
        return "".join(c if c.isalnum() or c in "-._=" else "_" for c in text)

    def run_scrl(self, data, seed, method, *more):
        """Trains, keeps the split or compares it with the one that is kept. Returns what it printed."""
        a, run = self.a, self.run
        name, *settings = method.split(":")
        command = [a.scrl, "train", data, *split_arguments(data, a.labels), "--protocol", a.protocol, "-m", name,
                   "--set", f"seed={seed}", *(w for s in settings for w in ("--set", s)), *more, "-t", a.threads]
        shutil.rmtree(run, ignore_errors=True)
        result = json.loads(self.call([*command, "-o", run, "--json", "-q"]))
        if not (run / "split.csv").exists():
            raise SystemExit(f"accuracy.py: {a.scrl} wrote no split.csv into its run folder, which says which nodes "
                             "train, validate and test; build a program that does and name it with --scrl")
        kept, new = self.split_file(data, seed), (run / "split.csv").read_bytes()
        if not kept.exists():
            self.write(kept, new)
        elif kept.read_bytes() != new:
            raise SystemExit(f"accuracy.py: {method} on {data}, seed {seed}: other nodes than in {kept}; if "
                             "the program or the split arguments changed, remove that folder")
        return result

    def split_file(self, data, seed):
        return self.out / "splits" / f"{self.name(data, seed)}.csv"

    def split(self, data, seed):
        if not self.split_file(data, seed).exists():
            self.run_scrl(data, seed, "mlp", "--set", "epochs=1")
        return accuracy_data.read_split(self.split_file(data, seed), self.graph(data))

    @staticmethod
    def write(path, content):
        part = path.with_name(path.name + ".part")
        part.write_bytes(content)
        part.replace(path)

    def cell(self, who, data, seed):
        """Accuracy in percent, from the file if it was trained before; None if it is missing and not to be trained."""
        a, (side, method) = self.a, who
        key = {"data": data, "labels": a.labels, "protocol": a.protocol, "seed": seed, "side": side, "method": method,
               "split": split_arguments(data, a.labels)}
        if side == "peer":
            key["settings"] = json.loads(json.dumps(SETTINGS[method] | {"epochs": a.epochs, "rows": ROWS}))
        elif not a.any_build:
            key["program"] = self.program
        path = self.out / "cells" / f"{self.name(data, seed, f'{side}-{method}')}.json"
        kept = json.loads(path.read_text()) if path.exists() else None
        nodes = self.split_file(data, seed)
        digest = hashlib.sha256(nodes.read_bytes()).hexdigest() if nodes.exists() else None
        if kept and kept["nodes"] == digest and all(kept["key"].get(k) == v for k, v in key.items()):
            return kept["accuracy"]
        if a.no_train:
            return None
        start = time.monotonic()
        try:
            accuracy, members = (self.train_peer if side == "peer" else self.train_scrl)(data, seed, method)
        finally:
            shutil.rmtree(self.run, ignore_errors=True)
        seconds = time.monotonic() - start
        digest = hashlib.sha256(nodes.read_bytes()).hexdigest()
        key["program"] = self.program
        for name, value, its_seconds in [*members, (method, accuracy, seconds)]:
            path = self.out / "cells" / f"{self.name(data, seed, f'{side}-{name}')}.json"
            self.write(path, json.dumps({"key": key | {"method": name}, "nodes": digest, "accuracy": value,
                                         "seconds": round(its_seconds, 2)}, indent=1).encode())
        self.trained += 1
        print(f"{data} seed {seed} {side} {method}: {accuracy:.2f} ({seconds:.1f} s)", file=sys.stderr, flush=True)
        return accuracy

    def train_scrl(self, data, seed, method):
        """The accuracy, and that of the members of auto, which are trained as they would be alone."""
        result = self.run_scrl(data, seed, method)["per_seed"][0]
        graph, accuracy = self.graph(data), result["test"]["accuracy"]
        members = [(m["name"], m["test"]["accuracy"], m["seconds"]) for m in result.get("members", [])]
        # The program's own figure must follow from its predictions and the labels that the peers see.
        mine = accuracy_data.accuracy(accuracy_data.read_predictions(self.run / "predictions.csv", graph), graph,
                                      self.split(data, seed)["test"])
        if abs(mine - accuracy) > 1e-6:
            raise RuntimeError(f"{method} says {accuracy} %, its predictions have {mine} % of the labels read here")
        return accuracy, members

    def train_peer(self, data, seed, method):
        import accuracy_fits
        graph, part = self.graph(data), self.split(data, seed)
        labels = np.full(len(graph.ids), -1)
        for nodes in (part["train"], part["val"]):
            labels[nodes] = graph.labels[nodes]
        problem = accuracy_fits.models.Problem(graph, labels, part["train"], part["val"], len(graph.classes), seed,
                                               self.a.threads, self.a.epochs)
        return accuracy_data.accuracy(accuracy_fits.predict(method, problem), graph, part["test"]), []
