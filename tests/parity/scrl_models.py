"""SCRL, GCN and MLP in PyTorch, as src/models describes them."""
import numpy as np
import torch

from reference import D, M, N, Reference, log_softmax, normalized, sinkhorn


class TwoViews(Reference):
    """What both forms of SCRL share: two GCN encoders, a classifier, prototypes C."""

    def __init__(self, o, X, graphs, labels, train, prototypes, hops):
        super().__init__()
        self.o, self.X, self.train, self.y = o, X, torch.tensor(train), torch.tensor(labels[train])
        self.A, self.hops = graphs, hops
        h1, h2 = o["hidden1"], o["hidden2"]
        self.enc = []
        for v in "tf":
            self.enc.append([self.param(f"W1_{v}", D, h1, h1 ** -0.5), self.param(f"b1_{v}", 1, h1, h1 ** -0.5),
                             self.param(f"W2_{v}", h1, h2, h2 ** -0.5), self.param(f"b2_{v}", 1, h2, h2 ** -0.5)])
        self.W = self.param("W", 2 * h2, M, (2 * h2) ** -0.5)
        self.b = self.param("b", 1, M, (2 * h2) ** -0.5)
        if prototypes:
            self.C = self.param("C", prototypes, h2, h2 ** -0.5)

    def embeddings(self):
        o, out, site = self.o, [], 0
        for A, hops, (W1, b1, W2, b2) in zip(self.A, self.hops, self.enc):
            X = self.dropped_x(self.X, site, o["input_dropout"])
            site += o["input_dropout"] > 0
            H = torch.relu(A @ (X @ W1) + b1) * self.mask(site, N, o["hidden1"], o["dropout"])
            site += o["dropout"] > 0
            HW = H @ W2
            AHW = sum(torch.linalg.matrix_power(A, k) @ HW for k in range(1, hops + 1)) / hops
            Z = torch.relu(AHW + b2) * self.mask(site, N, o["hidden2"], o["dropout"])
            site += o["dropout"] > 0
            out.append(Z)
        return out

    def unit_prototypes(self):
        with torch.no_grad():
            self.C /= self.C.norm(dim=1, keepdim=True)


def unit(Z):
    return Z / Z.norm(dim=1, keepdim=True).clamp_min(1e-12)


class Scrl(TwoViews):
    """src/models/scrl.h: class prototypes; constants as there."""
    TAU, EPSILON, BETA, ITERATIONS, RAMP = 0.3, 0.03, 0.3, 3, 20

    def __init__(self, o, X, A_t, A_f, labels, train):
        length = np.sqrt((X ** 2).sum(1, keepdims=True))
        X = X / np.maximum(length, 1e-300)
        graphs = [torch.tensor(normalized(A, "rw", 0.5)) for A in (A_t, A_f)]
        super().__init__(o, X, graphs, labels, train, M, (4, 1))

    def begin_step(self):
        self.unit_prototypes()

    def joined(self, Z):
        return torch.cat([Z[0], self.BETA * Z[1]], 1)

    def views(self, Z):
        S = [unit(z) @ self.C.T for z in Z]
        return S, [log_softmax(s / self.TAU) for s in S]

    def log_probs(self):
        Z = self.embeddings()
        Y = log_softmax(self.joined(Z) @ self.W + self.b)
        return log_softmax((Y + sum(self.views(Z)[1])) / 3)

    def nll(self, P):
        n = torch.bincount(self.y, minlength=M).to(P.dtype)
        return torch.nn.functional.nll_loss(P, self.y, weight=n.clamp_min(1) ** -0.5)

    def loss(self):
        o, Z = self.o, self.embeddings()
        S, P = self.views(Z)
        Y = log_softmax(self.joined(Z)[self.train] @ self.W + self.b)
        loss = self.nll(Y) + 0.5 * sum(self.nll(p[self.train]) for p in P)
        if o["alpha"] == 0:
            return loss
        Q = [sinkhorn(s, self.EPSILON, self.ITERATIONS) for s in S]
        alpha = o["alpha"] * min(1, self.epoch / self.RAMP)
        return loss - alpha * 0.5 * ((Q[1] * P[0]).sum(1).mean() + (Q[0] * P[1]).sum(1).mean())


class ScrlPaper(TwoViews):
    """src/models/scrl_paper.h: free prototypes."""

    def __init__(self, o, X, A_t, A_f, labels, train):
        graphs = [torch.tensor(normalized(A, o["adjacency"], o["lazy"])) for A in (A_t, A_f)]
        super().__init__(o, X, graphs, labels, train, o["prototypes"] if o["alpha"] > 0 else 0, (1, 1))

    def begin_step(self):
        if self.o["alpha"] > 0 and self.o["proto_norm"]:
            self.unit_prototypes()

    def log_probs(self):
        return log_softmax(torch.cat(self.embeddings(), 1) @ self.W + self.b)

    def scores(self, Z):
        S = [(unit(z) if self.o["embed_norm"] else z) @ self.C.T for z in Z]
        return [torch.relu(s) for s in S] if self.o["proto_relu"] else S

    def loss(self):
        o, Z = self.o, self.embeddings()
        Y = log_softmax(torch.cat(Z, 1)[self.train] @ self.W + self.b)
        loss = torch.nn.functional.nll_loss(Y, self.y)
        if o["alpha"] == 0:
            return loss
        rows = self.train if o["ss_nodes"] == "train" else torch.arange(N)
        S = [s[rows] for s in self.scores(Z)]
        Q = [sinkhorn(s, o["epsilon"], o["sinkhorn_iters"]) for s in S]
        P = [log_softmax(s / o["tau"]) for s in S]
        return loss - o["alpha"] * 0.5 * ((Q[1] * P[0]).sum(1).mean() + (Q[0] * P[1]).sum(1).mean())


class Gcn(Reference):
    def __init__(self, o, X, A, labels, train):
        super().__init__()
        self.o, self.X, self.train, self.y = o, X, torch.tensor(train), torch.tensor(labels[train])
        self.A, h = torch.tensor(normalized(A, o["adjacency"])), o["hidden1"]
        self.W1, self.b1 = self.param("W1", D, h, h ** -0.5), self.param("b1", 1, h, h ** -0.5)
        self.W2, self.b2 = self.param("W2", h, M, M ** -0.5), self.param("b2", 1, M, M ** -0.5)

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

    def decayed(self):
        return [self.W1]

    def log_probs(self):
        o = self.o
        H = torch.relu(self.dropped_x(self.X, 0, o["input_dropout"]) @ self.W1)
        return log_softmax((H * self.mask(1, N, o["hidden1"], o["dropout"])) @ self.W2)
