#!/usr/bin/env python3
"""One PyTorch variant of SCRL, timed; JSON on stdout. Files in: export.py.

  scrl_torch.py --variant dense|sparse|tuned|pyg --data graph.npz --settings settings.json [--epochs N]
  scrl_torch.py --self-check

An epoch is what it is in scrl: forward, backward, Adam, then a forward pass over all nodes without dropout
and the scores of training, validation and test nodes."""
import argparse
import json
import os
import resource
import sys
import time
import warnings

warnings.filterwarnings("ignore", message=".*[Ss]parse.*(beta|invariant).*")
warnings.filterwarnings("ignore", message=".*torch.jit.script.*")


def make(variant, *args, **kwargs):
    if variant == "dense":
        from dense import Dense as Variant
    elif variant == "sparse":
        from sparse import Sparse as Variant
    elif variant == "tuned":
        from tuned import Tuned as Variant
    else:
        from pyg import Pyg as Variant
    return Variant(*args, **kwargs)


def ops_of(run_epoch, epochs):
    """{op: its own milliseconds per epoch}, the longest first, from PyTorch's profiler."""
    from torch.profiler import ProfilerActivity, profile
    with profile(activities=[ProfilerActivity.CPU]) as record:
        for epoch in range(1, epochs + 1):
            run_epoch(epoch)
    ms = {e.key: e.self_cpu_time_total / 1e3 / epochs for e in record.key_averages()}
    return {name: round(t, 2) for name, t in sorted(ms.items(), key=lambda item: -item[1])[:20]}


def run(a):
    if a.variant in ("sparse", "tuned"):
        from tuned import keep_memory
        keep_memory()
    import torch
    torch.set_num_threads(a.threads)
    torch.manual_seed(a.seed)
    from data import Graph, initial_parameters, load_settings
    g, o = Graph(a.data), load_settings(a.settings, seed=a.seed, **dict(a.set))
    draw = None
    if a.init == "scrl":
        sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../tests/parity"))
        from philox import uniform_weights
        draw = lambda i, rows, cols, bound: uniform_weights(o.seed, i, rows, cols, bound)
    model = make(a.variant, g, o, initial_parameters(g, o, draw), **dict(a.option))
    step_ms, epoch_ms, history = [], [], []
    for epoch in range(1, a.warmup + a.epochs + 1):
        start = time.perf_counter()
        loss = model.step(epoch)
        middle = time.perf_counter()
        scores = model.evaluate()
        end = time.perf_counter()
        history.append((loss, scores["val"], scores["test"]))
        if epoch > a.warmup:
            step_ms.append(round(1e3 * (middle - start), 3))
            epoch_ms.append(round(1e3 * (end - start), 3))
    ops = ops_of(lambda epoch: (model.step(epoch), model.evaluate()), a.epochs) if a.ops else None
    best = max(range(len(history)), key=lambda i: history[i][1])
    out = {"variant": a.variant, "torch": torch.__version__, "threads": torch.get_num_threads(),
           "choices": getattr(model, "choices", {}), "warmup": a.warmup, "step_ms": step_ms, "epoch_ms": epoch_ms,
           "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
           "loss": history[-1][0], "losses": [h[0] for h in history[:10]],
           "test_accuracy": round(100 * history[-1][2], 2), "test_accuracy_at_best_val": round(100 * history[best][2], 2)}
    print(json.dumps(out | ({"ops_ms": ops} if ops else {})))


def key_value(text):
    key, _, value = text.partition("=")
    return key, json.loads(value) if value[:1] in "0123456789-tf" and value not in ("train",) else value


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--variant", choices=("dense", "sparse", "tuned", "pyg"), default="sparse")
    p.add_argument("--data")
    p.add_argument("--settings")
    p.add_argument("--epochs", type=int, default=10)
    p.add_argument("--warmup", type=int, default=3, help="epochs before the clock starts")
    p.add_argument("--threads", type=int, default=os.cpu_count())
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--set", type=key_value, action="append", default=[], help="KEY=VALUE over the settings")
    p.add_argument("--option", type=key_value, action="append", default=[], help="KEY=VALUE of the variant")
    p.add_argument("--init", choices=("torch", "scrl"), default="torch", help="scrl: the same weights as scrl draws")
    p.add_argument("--ops", action="store_true", help="also which op takes how long, from epochs after the timed ones")
    p.add_argument("--self-check", action="store_true")
    a = p.parse_args()
    if a.self_check:
        from self_check import self_check
        return self_check()
    if not a.data or not a.settings:
        p.error("--data and --settings are needed; export.py writes both")
    run(a)


if __name__ == "__main__":
    sys.exit(main())
