#!/usr/bin/env python3
"""make.py PROGRAM: keeps files of this version for the versions that come after it (tests/cli/golden_test.py).

Writes tests/golden/model-N and checkpoint-N, N being the versions in docs/file-versions.md, if they are not there
yet. To be run when a version was raised; what older versions left stays. Everything is made with SCRL_SIMD=scalar,
which every machine has and which gives the same bits on all of them."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE / "data"
# Small models; auto holds several.
JOBS = {"gcn": ["--set", "hidden1=4", "--set", "epochs=8"],
        "scrl": ["--set", "hidden1=4", "--set", "hidden2=4", "--set", "epochs=8"],
        "gat": ["--set", "hidden1=2", "--set", "epochs=8"],
        "sgc": [], "deepwalk": ["--set", "dim=8", "--set", "epochs=1"],
        "auto": ["--members", "mlp,sgc"]}
STOPPED = ("gcn", "scrl", "auto")  # those that are also kept unfinished


def version_of(kind):
    page = (HERE.parent.parent / "docs/file-versions.md").read_text()
    return int(re.search(rf"^\| `{kind}\.scrl` \| (\d+) \|", page, re.M).group(1))


def make_data():
    """24 nodes of three classes, with some features and edges in common."""
    DATA.mkdir(exist_ok=True)
    nodes = [f"n{i}" for i in range(24)]
    rows = [f"{n}," + ",".join(str((i * k + i // 8) % 3 * 0.5 if k % 3 == i // 8 or i % 5 == k else 0) for k in range(9))
            for i, n in enumerate(nodes)]
    (DATA / "features.csv").write_text("id," + ",".join(f"f{k}" for k in range(9)) + "\n" + "\n".join(rows) + "\n")
    edges = [(i, i // 8 * 8 + (i * 3 + 1) % 8) for i in range(24)] + [(i, (i + 8) % 24) for i in range(0, 24, 3)]
    (DATA / "edges.csv").write_text("source,target\n" + "".join(f"n{a},n{b}\n" for a, b in edges))
    (DATA / "labels.csv").write_text("id,label\n" + "".join(f"n{i},class {'abc'[i // 8]}\n" for i in range(24)))
    for part, of in (("train", (0, 1, 2)), ("val", (3, 4)), ("test", (5, 6, 7))):
        (DATA / f"{part}.txt").write_text("".join(f"n{i}\n" for i in range(24) if i % 8 in of))


def start(program, work, *args):
    env = dict(os.environ, SCRL_SIMD="scalar", SCRL_CACHE="off")
    return subprocess.Popen([program, *map(str, args)], env=env, cwd=work)


def run(program, work, *args):
    if start(program, work, *args).wait() != 0:
        sys.exit(f"make.py: {' '.join(map(str, args))} failed")


def keep_model(program, work, method, folder):
    whole = work / method
    run(program, work, "train", DATA, "-m", method, "--seeds", 2, "-q", "-o", whole, *JOBS[method])
    folder.mkdir(parents=True)
    for name in ("model.scrl", "predictions.csv", "embeddings.npy"):
        shutil.copy(whole / name, folder)
    return json.loads((whole / "metrics.json").read_text())["result_hash"]


def keep_checkpoint(program, work, method, folder, result_hash):
    stopped = work / f"{method}-stopped"
    process = start(program, work, "train", DATA, "-m", method, "--seeds", 2, "-q", "--set", "checkpoint_secs=0",
                    "-o", stopped, *JOBS[method])
    while process.poll() is None and not (stopped / "checkpoint.scrl").exists():
        pass
    process.kill()
    process.wait()
    if not (stopped / "checkpoint.scrl").exists():
        sys.exit(f"make.py: {method} was done before it could be stopped; try again")
    folder.mkdir(parents=True)
    for path in stopped.iterdir():
        if path.is_file() and ".tmp" not in path.name:
            shutil.copy(path, folder)
    config = folder / "config.toml"  # without the path of this machine
    config.write_text(re.sub(r'^data = .*$', 'data = "data"', config.read_text(), flags=re.M))
    (folder / "job.json").write_text(json.dumps({"method": method, "settings": JOBS[method], "result_hash": result_hash}) + "\n")


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    models, checkpoints = (HERE / f"{kind}-{version_of(kind)}" for kind in ("model", "checkpoint"))
    make_data()
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        hashes = {}
        if not models.exists() or not checkpoints.exists():
            shutil.rmtree(models, ignore_errors=True)
            hashes = {method: keep_model(program, work, method, models / method) for method in JOBS}
        if not checkpoints.exists():
            for method in STOPPED:
                keep_checkpoint(program, work, method, checkpoints / method, hashes[method])
    print(", ".join(sorted(p.name for p in HERE.iterdir() if p.is_dir())))


if __name__ == "__main__":
    main()
