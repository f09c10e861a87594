"""The variants compute the same: without dropout and from the same weights their losses agree over five steps,
and the fast Sinkhorn agrees with its definition. Run by scrl_torch.py --self-check."""
import importlib.util
import types

import torch

import losses
from data import Graph, initial_parameters

PAPER = dict(hidden1=128, hidden2=16, dropout=0.0, input_dropout=0.0, prototypes=9, tau=0.2, epsilon=0.3,
             sinkhorn_iters=10, alpha=1.0, ramp=0, proto_norm=True, proto_relu=False, embed_norm=False,
             ss_nodes="all", lr=0.01, weight_decay=5e-3, seed=1)
PROBLEMS = {
    "paper": PAPER,
    "anchored": PAPER | dict(prototypes=0, alpha=2.0, ramp=4, embed_norm=True, tau=0.1, epsilon=0.05),
    "proto_relu": PAPER | dict(proto_relu=True, proto_norm=False, sinkhorn_iters=1),
    "train_nodes": PAPER | dict(ss_nodes="train"),
    "no_ss": PAPER | dict(alpha=0.0),
}
STEPS, TOLERANCE = 5, 1e-4


def trajectory(make, variant, g, o, **options):
    model = make(variant, g, o, initial_parameters(g, o), **options)
    out = []
    for epoch in range(1, STEPS + 1):
        out.append(model.step(epoch))
        out.append(model.evaluate()["val_loss"])
    return out


def self_check():
    from scrl_torch import make
    torch.set_num_threads(1)  # tiny products; more threads only wait for each other
    g, failed = Graph.random(), 0

    def report(what, difference):
        nonlocal failed
        bad = not difference < TOLERANCE  # not a number is bad too
        failed += bad
        print(f"{'FAILED' if bad else 'ok':7}{what}: largest difference {difference:.1e}")

    for spread in (1, 30):
        S = spread * torch.randn(500, 9)
        fast, exact = losses.sinkhorn(S, 0.3, 15), losses.sinkhorn_log(S.double(), 0.3, 15)
        report(f"sinkhorn, scores up to {S.abs().max():.0f}", (fast - exact).abs().max().item())
    others = [("sparse", {}), ("tuned", {}), ("tuned", {"share": False, "block": 64})]
    if importlib.util.find_spec("torch_geometric"):
        others += [("pyg", {}), ("pyg", {"adjacency": "edge_index"})]
    else:
        print("skipped pyg: torch_geometric is not installed")
    for name, values in PROBLEMS.items():
        o = types.SimpleNamespace(**values)
        expected = trajectory(make, "dense", g, o)
        for variant, options in others:
            got = trajectory(make, variant, g, o, **options)
            report(f"{name}: {variant} {options or ''} against dense", max(abs(a - b) for a, b in zip(got, expected)))
    return 1 if failed else 0
