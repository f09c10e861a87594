"""SCRL, GCN and MLP in PyTorch, as src/models describes them."""
import torch

from reference import D, M, N, Reference, log_softmax, normalized, sinkhorn


class Scrl(Reference):
    def __init__(self, o, X, A_t, A_f, labels, train):
        super().__init__()
        self.o, self.X, self.train, self.y = o, X, torch.tensor(train), torch.tensor(labels[train])
        self.A = [torch.tensor(normalized(A, o["adjacency"], o["self_weight"])) for A in (A_t, A_f)]
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
            powers = o["steps"] - 1 if A is self.A[0] else 1
            HW = H @ W2
            AHW = sum(torch.linalg.matrix_power(A, k) @ HW for k in range(1, powers + 1)) / powers
            Z = torch.relu(AHW + b2) * self.mask(site, N, o["hidden2"], o["dropout"])
            site += o["dropout"] > 0
            out.append(Z)
        return out

    def log_probs(self):
        o, Z = self.o, self.embeddings()
        Y = log_softmax(self.joined(Z) @ self.W + self.b)
        if o["vote"] == 0 or o["prototypes"] > 0:  # only prototypes that stand for classes can vote
            return Y
        said = Y + o["vote"] * sum(log_softmax(s / o["tau"]) for s in self.scores(Z))
        return log_softmax(said / (1 + 2 * o["vote"]))

    def scores(self, Z):
        S = []
        for z in Z:
            if self.o["embed_norm"]:
                z = z / z.norm(dim=1, keepdim=True).clamp_min(1e-12)
            s = z @ self.C.T
            S.append(torch.relu(s) if self.o["proto_relu"] else s)
        return S

    def joined(self, Z):
        return torch.cat([Z[0], self.o["feature_weight"] * Z[1]], 1)

    def likeness(self):
        walk = 3 * (self.o["steps"] - 1) ** 2
        H = torch.linalg.matrix_power(self.A[0], walk) @ self.X
        U = torch.linalg.svd(H - H.mean(0), full_matrices=False)[0][:, :M]
        U = U / U.norm(dim=1, keepdim=True)
        means = torch.stack([U[self.train][self.y == c].mean(0) for c in range(M)])
        return U @ (means / means.norm(dim=1, keepdim=True)).T

    def nll(self, P):
        n = torch.bincount(self.y, minlength=M).to(P.dtype)
        return torch.nn.functional.nll_loss(P, self.y, weight=n.clamp_min(1) ** -self.o["class_balance"])

    def loss(self):
        o, Z = self.o, self.embeddings()
        Y = log_softmax(self.joined(Z)[self.train] @ self.W + self.b)
        loss = self.nll(Y)
        if o["alpha"] == 0:
            return loss
        S = self.scores(Z)
        told = o["likeness"] * self.likeness() if o["likeness"] > 0 else 0 * S[0]
        rows = self.train if o["ss_nodes"] == "train" else torch.arange(N)
        Q = [sinkhorn((s + told)[rows], o["epsilon"], o["sinkhorn_iters"]) for s in S]
        P = [log_softmax(s / o["tau"]) for s in S]
        if o["prototypes"] == 0:  # one prototype per class, labelled nodes tied to theirs
            loss = loss + 0.5 * o["anchor"] * sum(self.nll(p[self.train]) for p in P)
        P = [p[rows] for p in P]
        alpha = o["alpha"] * min(1, self.epoch / o["ramp"]) if o["ramp"] else o["alpha"]
        return loss - alpha * 0.5 * ((Q[1] * P[0]).sum(1).mean() + (Q[0] * P[1]).sum(1).mean())


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
