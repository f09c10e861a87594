#!/usr/bin/env python3
"""Times an epoch of scrl against PyTorch implementations of the same epoch (bench/peers), alternately.

  bench/peers/venv.sh                                  once: PyTorch in a throw-away environment
  SCRL_DATA=... bench/run.py [--data acm,flickr] [--rounds 3] [--profile paper] [--out build/peers/bench.json]

Both sides train with the same settings on the same graphs. In every round each program runs once, for a few
epochs; the figure of a round is the median epoch, the figure of the table the median over rounds. Writes all
samples as JSON, and the table as Markdown beside it. Run it on an otherwise idle machine."""
import argparse
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PEERS = ROOT / "bench/peers"
DATA = "acm,citeseer,uai,blogcatalog,flickr,pubmed"
commands = []  # all that were run, for the record


def call(command):
    command = [str(c) for c in command]
    commands.append(" ".join(command))
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def ours(a, data, *more):
    """{"epoch_ms", "step_ms", "peak_mb"} of one run of scrl."""
    train = ["-m", "scrl-paper", "-l", a.labels, "--profile", a.profile, "-t", a.threads, *more]
    if a.has_bench:
        b = json.loads(call([a.scrl, "bench", data, "-n", a.epochs, *train, "--json"]))["benchmarks"][0]
        return {"epoch_ms": b["epoch_ms"]["median"], "step_ms": b["step_ms"]["median"], "peak_mb": b["peak_mb"]}
    with tempfile.TemporaryDirectory() as folder:  # a program without the command bench
        run = os.path.join(folder, "run")
        result = json.loads(call([a.scrl, "train", data, *train, "--set", f"epochs={a.warmup + a.epochs}",
                                  "--set", "patience=0", "-o", run, "--json"]))
        with open(os.path.join(run, "events.jsonl")) as f:
            epochs = [e for e in map(json.loads, f) if e.get("event") == "epoch"][a.warmup:]
    return {"epoch_ms": statistics.median(e["train_ms"] + e["eval_ms"] for e in epochs),
            "step_ms": statistics.median(e["train_ms"] for e in epochs), "peak_mb": result["peak_rss_mb"]}


def peer(a, variant, folder):
    out = json.loads(call([a.python, PEERS / "scrl_torch.py", "--variant", variant, "--data", folder / "graph.npz",
                           "--settings", folder / "settings.json", "--epochs", a.epochs, "--warmup", a.warmup,
                           "--threads", a.threads]))
    return out | {"samples": {"epoch_ms": out["epoch_ms"], "step_ms": out["step_ms"]},
                  "epoch_ms": statistics.median(out["epoch_ms"]), "step_ms": statistics.median(out["step_ms"])}


def machine():
    model = ""
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo") as f:
            model = next((line.split(":", 1)[1].strip() for line in f if line.startswith("model name")), "")
    return {"cpu": model, "cores": os.cpu_count(), "system": platform.platform(),
            "load_at_start": os.getloadavg()[0] if hasattr(os, "getloadavg") else None}


def over_rounds(rounds, who, key="epoch_ms"):
    values = [r[who][key] for r in rounds if who in r]
    return statistics.median(values) if values else None


def table(results, variants, key):
    head = ["data", "ours ms", *(f"{v} ms" for v in variants), *(f"{v} / ours" for v in variants)]
    rows = [head]
    for data, rounds in results.items():
        mine = over_rounds(rounds, "ours", key)
        theirs = [over_rounds(rounds, v, key) for v in variants]
        rows.append([data, f"{mine:.1f}", *("-" if t is None else f"{t:.1f}" for t in theirs),
                     *("-" if t is None else f"{t / mine:.2f}" for t in theirs)])
    return rows


def as_text(rows):
    widths = [max(len(r[c]) for r in rows) for c in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(w) if c == 0 else cell.rjust(w) for c, (cell, w) in enumerate(zip(r, widths)))
                     for r in rows)


def as_markdown(rows):
    line = lambda cells: "| " + " | ".join(cells) + " |"
    return "\n".join([line(rows[0]), "|---" + "|---:" * (len(rows[0]) - 1) + "|", *map(line, rows[1:])])


def write(record, variants, out):
    epochs, steps = (table(record["results"], variants, key) for key in ("epoch_ms", "step_ms"))
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(record, indent=1) + "\n")
    out.with_suffix(".md").write_text(
        f"Whole epochs, profile {record['profile']}, {record['labels']} labels per class, {record['threads']} threads, "
        f"PyTorch {record.get('torch', '-')}:\n\n{as_markdown(epochs)}\n\nTrain steps alone:\n\n"
        f"{as_markdown(steps)}\n")
    return epochs, steps


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--data", default=DATA, help="names below $SCRL_DATA, separated by commas")
    p.add_argument("--variants", default="bf16,dense,pyg,sparse,tuned",
                   help="peers, and bf16 for scrl --precision bf16")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--epochs", type=int, default=10, help="measured epochs of each run")
    p.add_argument("--warmup", type=int, default=3, help="epochs of each run before the clock starts")
    p.add_argument("--profile", choices=("paper", "default"), default="paper")
    p.add_argument("--labels", type=int, default=20)
    p.add_argument("--threads", type=int, default=os.cpu_count())
    p.add_argument("--scrl", default="build/scrl")
    p.add_argument("--python", default="build/peers/venv/bin/python", help="made by bench/peers/venv.sh")
    p.add_argument("--out", default="build/peers/bench.json")
    a = p.parse_args()
    out = pathlib.Path(a.out).resolve()
    os.chdir(ROOT)
    if not os.path.exists(a.python):
        sys.exit(f"run.py: no {a.python}; run bench/peers/venv.sh first, or name a Python with --python")
    a.has_bench = subprocess.run([a.scrl, "bench", "--help"], capture_output=True).returncode == 0
    variants = [v for v in a.variants.split(",") if v]
    call([a.python, PEERS / "scrl_torch.py", "--self-check"])

    record = {"date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "machine": machine(),
              "scrl": json.loads(call([a.scrl, "version", "--json"])), "profile": a.profile, "labels": a.labels,
              "threads": a.threads, "epochs": a.epochs, "warmup": a.warmup, "commands": commands, "results": {}}
    for data in a.data.split(","):
        folder = ROOT / "build/peers" / f"{data}-{a.profile}-{a.labels}"
        call([a.python, PEERS / "export.py", data, folder, "--scrl", a.scrl, "--labels", a.labels,
              "--profile", a.profile])
        rounds = record["results"][data] = []
        for number in range(1, a.rounds + 1):
            now = {"ours": ours(a, data)}
            for variant in variants:
                try:
                    if variant == "bf16":
                        now[variant] = ours(a, data, "--precision", "bf16")
                        continue
                    now[variant] = peer(a, variant, folder)
                    record["torch"] = now[variant]["torch"]
                except RuntimeError as error:  # one peer that fails leaves the others their figures
                    print(f"{data} {variant}: {error}", file=sys.stderr)
            rounds.append(now)
            print(f"{data} round {number}: " + ", ".join(f"{w} {r['epoch_ms']:.1f} ms" for w, r in now.items()),
                  file=sys.stderr, flush=True)
        tables = write(record, variants, out)  # after each data set: a run that is stopped keeps what it has
    print("\nwhole epochs\n{}\n\ntrain steps alone\n{}".format(*map(as_text, tables)))
    print(f"\nwrote {out} and {out.with_suffix('.md').name}", file=sys.stderr)


if __name__ == "__main__":
    main()
