#!/usr/bin/env python3
"""Writes the PyTorch side of the parity test: tiny problems, and what PyTorch (double precision) makes
of them. usage: make_parity.py OUT_FOLDER. Each variant becomes a folder of .npy files and options.txt."""
import os
import shutil
import sys

import numpy as np
import torch

from philox import dropout_mask, uniform_weights

torch.set_default_dtype(torch.float64)
N, D, M, SEED, STEPS, LR, WD = 30, 12, 3, 17, 10, 0.01, 5e-3

SCRL = dict(hidden1=8, hidden2=6, dropout=0.5, input_dropout=0.0, prototypes=9, tau=0.2, epsilon=0.3,
            sinkhorn_iters=4, alpha=1.0, ramp=0, proto_norm=True, proto_relu=False, embed_norm=False,
            ss_nodes="all", adjacency="rw")
VARIANTS = {
    "scrl_paper": ("scrl", SCRL),
    "scrl_anchored": ("scrl", SCRL | dict(prototypes=0, alpha=2.0, ramp=4, embed_norm=True, tau=0.1, epsilon=0.05)),
    "scrl_no_ss": ("scrl", SCRL | dict(alpha=0.0)),
    "scrl_no_dropout": ("scrl", SCRL | dict(dropout=0.0)),
    "scrl_proto_relu": ("scrl", SCRL | dict(proto_relu=True, proto_norm=False)),
    "scrl_embed_norm": ("scrl", SCRL | dict(embed_norm=True, tau=0.1, epsilon=0.05)),
    "scrl_train_nodes": ("scrl", SCRL | dict(ss_nodes="train")),
    "scrl_sym": ("scrl", SCRL | dict(adjacency="sym")),
    "scrl_more_prototypes": ("scrl", SCRL | dict(prototypes=7, alpha=2.0, sinkhorn_iters=1)),
    "scrl_input_dropout": ("scrl", SCRL | dict(input_dropout=0.3)),
    "gcn": ("gcn", dict(hidden1=8, dropout=0.5, input_dropout=0.2, adjacency="rw")),
    "gcn_sym": ("gcn", dict(hidden1=8, dropout=0.0, input_dropout=0.0, adjacency="sym")),
    "knn-gcn": ("knn-gcn", dict(hidden1=8, dropout=0.5, input_dropout=0.0, adjacency="rw")),
    "mlp": ("mlp", dict(hidden1=8, dropout=0.4, input_dropout=0.3, adjacency="rw")),
}


def problem():
    rng = np.random.default_rng(3)
    X = (rng.random((N, D)) < 0.3) * rng.integers(1, 4, (N, D)).astype(float)
    X[5] = 0  # a node without features
    def graph(p):
        upper = np.triu(rng.random((N, N)) < p, 1)
        return (upper | upper.T).astype(float)
    A_t, A_f = graph(0.12), graph(0.15)
    A_t[7, :] = A_t[:, 7] = 0  # an isolated node
    A_t[9, 9] = 1              # a self-loop
    labels = rng.integers(0, M, N)
    train = np.array([0, 3, 4, 8, 11, 14, 20, 28])
    return X, A_t, A_f, labels, train


def normalized(A, how):
    A = A + np.eye(N)
    d = A.sum(1)
    return A / d[:, None] if how == "rw" else A / np.sqrt(np.outer(d, d))


class Reference:
    """Draws parameters and masks in the order in which the models of scrl declare them."""

    def __init__(self):
        self.params, self.names, self.sites, self.epoch = [], [], {}, 0

    def param(self, name, rows, cols, bound):
        w = uniform_weights(SEED, len(self.params), rows, cols, bound).astype(np.float64)
        self.params.append(torch.tensor(w, requires_grad=True))
        self.names.append(name)
        return self.params[-1]

    def mask(self, site, rows, cols, p):
        if p == 0 or self.epoch == 0:  # epoch 0: evaluation
            return torch.ones(rows, cols)
        return torch.tensor(dropout_mask(SEED, site, self.epoch, rows, cols, p))

    def dropped_x(self, X, site, p):
        """One draw per stored non-zero, in row order."""
        if p == 0 or self.epoch == 0:
            return torch.tensor(X)
        rows, cols = np.nonzero(X)
        kept = X.copy()
        kept[rows, cols] *= dropout_mask(SEED, site, self.epoch, 1, len(rows), p)[0]
        return torch.tensor(kept)


def log_softmax(z):
    return torch.log_softmax(z, dim=1)


def sinkhorn(z, eps, iterations):
    """Scaling form on exp(z/eps): columns to mass 1/B, rows to 1/n, last step rows."""
    with torch.no_grad():
        K = torch.exp((z - z.max()) / eps)
        n, B = K.shape
        for _ in range(iterations):
            K = K / K.sum(0, keepdim=True) / B
            K = K / K.sum(1, keepdim=True) / n
        return K * n


class Scrl(Reference):
    def __init__(self, o, X, A_t, A_f, labels, train):
        super().__init__()
        self.o, self.X, self.train, self.y = o, X, torch.tensor(train), torch.tensor(labels[train])
        self.A = [torch.tensor(normalized(A, o["adjacency"])) for A in (A_t, A_f)]
        h1, h2 = o["hidden1"], o["hidden2"]
        B = o["prototypes"] or M
        self.enc = []
        for v in "tf":
            self.enc.append([self.param(f"W1_{v}", D, h1, h1 ** -0.5), self.param(f"b1_{v}", 1, h1, h1 ** -0.5),
                             self.param(f"W2_{v}", h1, h2, h2 ** -0.5), self.param(f"b2_{v}", 1, h2, h2 ** -0.5)])
        self.W = self.param("W", 2 * h2, M, (2 * h2) ** -0.5)
        self.b = self.param("b", 1, M, (2 * h2) ** -0.5)
        if o["alpha"] > 0:
            self.C = self.param("C", B, h2, h2 ** -0.5)

    def begin_step(self):
        if self.o["alpha"] > 0 and self.o["proto_norm"]:
            with torch.no_grad():
                self.C /= self.C.norm(dim=1, keepdim=True)

    def embeddings(self):
        o, out, site = self.o, [], 0
        for A, (W1, b1, W2, b2) in zip(self.A, self.enc):
            X = self.dropped_x(self.X, site, o["input_dropout"])
            site += o["input_dropout"] > 0
            H = torch.relu(A @ (X @ W1) + b1) * self.mask(site, N, o["hidden1"], o["dropout"])
            site += o["dropout"] > 0
            Z = torch.relu(A @ (H @ W2) + b2) * self.mask(site, N, o["hidden2"], o["dropout"])
            site += o["dropout"] > 0
            out.append(Z)
        return out

    def log_probs(self):
        return log_softmax(torch.cat(self.embeddings(), 1) @ self.W + self.b)

    def loss(self):
        o, Z = self.o, self.embeddings()
        Y = log_softmax(torch.cat(Z, 1)[self.train] @ self.W + self.b)
        loss = torch.nn.functional.nll_loss(Y, self.y)
        if o["alpha"] == 0:
            return loss
        S = []
        for z in Z:
            if o["embed_norm"]:
                z = z / z.norm(dim=1, keepdim=True).clamp_min(1e-12)
            s = z @ self.C.T
            S.append(torch.relu(s) if o["proto_relu"] else s)
        if o["ss_nodes"] == "train":
            S = [s[self.train] for s in S]
        Q = [sinkhorn(s, o["epsilon"], o["sinkhorn_iters"]) for s in S]
        P = [log_softmax(s / o["tau"]) for s in S]
        if o["prototypes"] == 0:  # one prototype per class, labelled nodes tied to theirs
            loss = loss + 0.5 * sum(torch.nn.functional.nll_loss(p[self.train], self.y) for p in P)
        alpha = o["alpha"] * min(1, self.epoch / o["ramp"]) if o["ramp"] else o["alpha"]
        return loss - alpha * 0.5 * ((Q[1] * P[0]).sum(1).mean() + (Q[0] * P[1]).sum(1).mean())


class Gcn(Reference):
    def __init__(self, o, X, A, labels, train):
        super().__init__()
        self.o, self.X, self.train, self.y = o, X, torch.tensor(train), torch.tensor(labels[train])
        self.A, h = torch.tensor(normalized(A, o["adjacency"])), o["hidden1"]
        self.W1, self.b1 = self.param("W1", D, h, h ** -0.5), self.param("b1", 1, h, h ** -0.5)
        self.W2, self.b2 = self.param("W2", h, M, M ** -0.5), self.param("b2", 1, M, M ** -0.5)

    def begin_step(self):
        pass

    def log_probs(self):
        o, site = self.o, 0
        X = self.dropped_x(self.X, 0, o["input_dropout"])
        site += o["input_dropout"] > 0
        H = torch.relu(self.A @ (X @ self.W1) + self.b1) * self.mask(site, N, o["hidden1"], o["dropout"])
        return log_softmax(self.A @ (H @ self.W2) + self.b2)

    def loss(self):
        return torch.nn.functional.nll_loss(self.log_probs()[self.train], self.y)


class Mlp(Gcn):
    def __init__(self, o, X, labels, train):
        Reference.__init__(self)
        self.o, self.X, self.train, self.y = o, X, torch.tensor(train), torch.tensor(labels[train])
        h = o["hidden1"]
        self.W1 = self.param("W1", D, h, (6 / (D + h)) ** 0.5)
        self.W2 = self.param("W2", h, M, (6 / (h + M)) ** 0.5)

    def log_probs(self):
        o = self.o
        H = torch.relu(self.dropped_x(self.X, 0, o["input_dropout"]) @ self.W1)
        return log_softmax((H * self.mask(1, N, o["hidden1"], o["dropout"])) @ self.W2)


def main(out):
    X, A_t, A_f, labels, train = problem()
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    def save(folder, name, array):
        np.save(os.path.join(out, folder, name + ".npy"), np.ascontiguousarray(array, dtype=np.float32))
    for name, array in (("X", X), ("A_t", A_t), ("A_f", A_f), ("labels", labels[None]), ("train", train[None])):
        save("", name, array)
    for name, (method, o) in VARIANTS.items():
        os.makedirs(os.path.join(out, name))
        with open(os.path.join(out, name, "options.txt"), "w") as f:
            f.write(f"method {method}\n" + "".join(f"{k} {str(v).lower()}\n" for k, v in o.items()))
        if method == "scrl":
            model = Scrl(o, X, A_t, A_f, labels, train)
        elif method == "mlp":
            model = Mlp(o, X, labels, train)
        else:
            model = Gcn(o, X, A_t if method == "gcn" else A_f, labels, train)
        decayed = model.params[:1] if method == "mlp" else model.params
        rest = model.params[1:] if method == "mlp" else []
        adam = torch.optim.Adam([dict(params=decayed, weight_decay=WD), dict(params=rest or [torch.zeros(1)])],
                                lr=LR)
        save(name, "log_probs", model.log_probs().detach())
        losses = []
        for step in range(1, STEPS + 1):
            model.epoch = step
            model.begin_step()
            adam.zero_grad()
            loss = model.loss()
            loss.backward()
            losses.append(loss.item())
            if step == 1:
                for n, p in zip(model.names, model.params):
                    save(name, "grad_" + n, p.grad if p.grad is not None else torch.zeros_like(p))
            adam.step()
        model.epoch = 0
        save(name, "losses", np.array(losses)[None])
        save(name, "log_probs_after", model.log_probs().detach())
        for n, p in zip(model.names, model.params):
            save(name, "param_" + n, p.detach())


if __name__ == "__main__":
    main(sys.argv[1])
