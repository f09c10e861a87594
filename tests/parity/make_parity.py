#!/usr/bin/env python3
"""Writes the Python side of the parity test: tiny problems, and what PyTorch (double precision) makes
of them, or numpy of methods that are fitted at once. usage: make_parity.py OUT_FOLDER. Each variant becomes a folder of .npy files and options.txt."""
import os
import shutil
import sys

import numpy as np
import torch

import contrastive
import convolutions
import fitted
import propagations
import scrl_models
import views
from reference import STEPS, problem

LR, WD = 0.01, 5e-3

SCRL = dict(hidden1=8, hidden2=6, dropout=0.5, input_dropout=0.0, alpha=1.0)
PAPER = dict(hidden1=8, hidden2=6, dropout=0.5, input_dropout=0.0, prototypes=9, tau=0.2, epsilon=0.3,
             sinkhorn_iters=4, alpha=1.0, proto_norm=True, proto_relu=False, embed_norm=False,
             ss_nodes="all", adjacency="rw", lazy=0.0)
MIXHOP = dict(hop0=4, hop1=3, hop2=2, segments0=1, segments1=1, segments2=1, dropout=0.5, input_dropout=0.3,
              penalty=5e-3, adjacency="sym", binarize="true", optimizer="sgd", lr_decay=4)
GRACE = dict(hidden2=6, activation="relu", drop_edge_1=0.2, drop_edge_2=0.4, drop_feature_1=0.3, drop_feature_2=0.4,
             tau=0.5)
GRAND = {"hidden1": 8, "order": 3, "augmentations": 3, "dropnode": 0.5, "dropout": 0.4, "input_dropout": 0.3,
         "temperature": 0.5, "lambda": 1.0, "adjacency": "sym"}
VARIANTS = {
    "scrl": ("scrl", SCRL),
    "scrl_dropout": ("scrl", SCRL | dict(dropout=0.2, input_dropout=0.6, alpha=2.0)),
    "scrl_no_ss": ("scrl", SCRL | dict(alpha=0.0)),
    "scrl-paper": ("scrl-paper", PAPER),
    "scrl-paper_no_ss": ("scrl-paper", PAPER | dict(alpha=0.0)),
    "scrl-paper_no_dropout": ("scrl-paper", PAPER | dict(dropout=0.0)),
    "scrl-paper_proto_relu": ("scrl-paper", PAPER | dict(proto_relu=True, proto_norm=False)),
    "scrl-paper_embed_norm": ("scrl-paper", PAPER | dict(embed_norm=True, tau=0.1, epsilon=0.05)),
    "scrl-paper_train_nodes": ("scrl-paper", PAPER | dict(ss_nodes="train")),
    "scrl-paper_sym": ("scrl-paper", PAPER | dict(adjacency="sym")),
    "scrl-paper_self_weight": ("scrl-paper", PAPER | dict(lazy=0.4)),
    "scrl-paper_more_prototypes": ("scrl-paper", PAPER | dict(prototypes=7, alpha=2.0, sinkhorn_iters=1)),
    "scrl-paper_input_dropout": ("scrl-paper", PAPER | dict(input_dropout=0.3)),
    "gcn": ("gcn", dict(hidden1=8, dropout=0.5, input_dropout=0.2, adjacency="rw")),
    "gcn_sym": ("gcn", dict(hidden1=8, dropout=0.0, input_dropout=0.0, adjacency="sym")),
    "knn-gcn": ("knn-gcn", dict(hidden1=8, dropout=0.5, input_dropout=0.0, adjacency="rw")),
    "mlp": ("mlp", dict(hidden1=8, dropout=0.4, input_dropout=0.3, adjacency="rw")),
    "gcn-tf": ("gcn-tf", dict(hidden1=8, dropout=0.5, adjacency="sym")),
    "chebnet": ("chebnet", dict(hidden1=5, degree=3, dropout=0.5)),
    "chebnet_first_degree": ("chebnet", dict(hidden1=5, degree=1, dropout=0.0)),
    "gat": ("gat", dict(hidden1=3, heads=2, out_heads=1, dropout=0.4)),
    "gat_two_output_heads": ("gat", dict(hidden1=4, heads=4, out_heads=2, dropout=0.0)),
    "mixhop": ("mixhop", MIXHOP),
    "mixhop_powers": ("mixhop", MIXHOP | dict(hop0=0, segments0=2, segments2=0, optimizer="adam", lr_decay=0)),
    "appnp": ("appnp", dict(hidden1=8, hops=4, alpha=0.2, dropout=0.5, adjacency="sym")),
    "appnp_one_step": ("appnp", dict(hidden1=8, hops=1, alpha=0.1, dropout=0.0, adjacency="sym")),
    "gprgnn": ("gprgnn", dict(hidden1=8, hops=3, alpha=0.2, dropout=0.4, dprate=0.5, adjacency="sym")),
    "gprgnn_no_dropout": ("gprgnn", dict(hidden1=6, hops=5, alpha=0.5, dropout=0.0, dprate=0.0, adjacency="sym")),
    "h2gcn": ("h2gcn", dict(hidden1=5, rounds=2, dropout=0.5, input_dropout=0.3)),
    "h2gcn_one_round": ("h2gcn", dict(hidden1=5, rounds=1, dropout=0.0, input_dropout=0.0)),
    "grand": ("grand", GRAND),
    "grand_two_augmentations": ("grand", GRAND | dict(augmentations=2, order=1, temperature=0.2, input_dropout=0.0)),
    "grand_no_consistency": ("grand", GRAND | {"lambda": 0.0, "dropnode": 0.0}),
    "amgcn": ("amgcn", dict(hidden1=8, hidden2=6, dropout=0.5, theta=0.5, beta=1e-3, adjacency="rw")),
    "amgcn_no_terms": ("amgcn", dict(hidden1=8, hidden2=6, dropout=0.0, theta=0.0, beta=0.0, adjacency="rw")),
    "demo-net": ("demo-net", dict(hidden1=5, dropout=0.4)),
    "m3s": ("m3s", dict(hidden1=6, layers=2, stages=0, dropout=0.5, adjacency="sym")),
    "m3s_deep": ("m3s", dict(hidden1=6, layers=4, stages=0, dropout=0.0, adjacency="sym")),
    "dgi": ("dgi", dict(hidden1=8, adjacency="sym")),
    "grace": ("grace", GRACE),
    "grace_of_some_nodes": ("grace", GRACE | dict(negatives=9)),
    "grace_prelu": ("grace", GRACE | dict(activation="prelu", drop_edge_2=0.0, drop_feature_1=0.0)),
}
CLASSES = {"scrl": scrl_models.Scrl, "scrl-paper": scrl_models.ScrlPaper,
           "gcn-tf": convolutions.GcnTf, "chebnet": convolutions.Chebnet, "gat": convolutions.Gat,
           "mixhop": convolutions.Mixhop, "appnp": propagations.Appnp, "gprgnn": propagations.Gprgnn,
           "h2gcn": propagations.H2gcn, "grand": propagations.Grand,
           "amgcn": views.Amgcn, "demo-net": views.Demonet, "m3s": convolutions.M3s,
           "dgi": contrastive.Dgi, "grace": contrastive.Grace}


def reference(method, o, X, A_t, A_f, labels, train):
    if method == "mlp":
        return scrl_models.Mlp(o, X, labels, train)
    if method in ("gcn", "knn-gcn"):
        return scrl_models.Gcn(o, X, A_t if method == "gcn" else A_f, labels, train)
    return CLASSES[method](o, X, A_t, A_f, labels, train)


def optimizer(model, o):
    decayed = model.decayed()
    rest = [p for p in model.params if not any(p is q for q in decayed)]
    groups = [dict(params=decayed, weight_decay=WD), dict(params=rest or [torch.zeros(1)])]
    return (torch.optim.SGD if o.get("optimizer") == "sgd" else torch.optim.Adam)(groups, lr=LR)


def main(out):
    X, A_t, A_f, labels, train = problem()
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    def save(folder, name, array):
        np.save(os.path.join(out, folder, name + ".npy"), np.ascontiguousarray(array, dtype=np.float32))
    for name, array in (("X", X), ("A_t", A_t), ("A_f", A_f), ("labels", labels[None]), ("train", train[None])):
        save("", name, array)
    def begin(name, method, o):
        os.makedirs(os.path.join(out, name))
        with open(os.path.join(out, name, "options.txt"), "w") as f:
            f.write(f"method {method}\n" + "".join(f"{k} {str(v).lower()}\n" for k, v in o.items()))
    for name, (method, o) in fitted.VARIANTS.items():
        begin(name, method, o)
        before, after, losses = fitted.fitted(method, o, X, A_t, labels, train)
        save(name, "log_probs", before)
        save(name, "log_probs_after", after)
        save(name, "losses", np.array(losses)[None])
    for name, (method, o) in VARIANTS.items():
        begin(name, method, o)
        model = reference(method, o, X, A_t, A_f, labels, train)
        step_rule = optimizer(model, o)

        def save_evaluation(suffix):
            model.epoch = 0
            if model.log_probs is not None:
                save(name, "log_probs" + suffix, model.log_probs().detach())
            for what, value in model.evaluated().items():
                save(name, what + suffix, value.detach())

        save_evaluation("")
        losses = []
        for step in range(1, STEPS + 1):
            model.epoch = step
            model.begin_step()
            for group in step_rule.param_groups:
                group["lr"] = LR * (1 - 0.01 * ((step - 1) // o["lr_decay"]) if o.get("lr_decay") else 1)
            step_rule.zero_grad()
            loss = model.loss()
            loss.backward()
            losses.append(loss.item())
            if step == 1:
                for n, p in zip(model.names, model.params):
                    save(name, "grad_" + n, p.grad if p.grad is not None else torch.zeros_like(p))
            step_rule.step()
        save_evaluation("_after")
        save(name, "losses", np.array(losses)[None])
        for n, p in zip(model.names, model.params):
            save(name, "param_" + n, p.detach())


if __name__ == "__main__":
    main(sys.argv[1])
