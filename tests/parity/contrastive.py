"""Methods that learn an embedding without labels."""
import numpy as np
import torch
import torch.nn.functional as F

from classifier import Classifier
from reference import D, N


class Dgi(Classifier):
    def build(self, X, A_t, A_f):
        h = self.o["hidden1"]
        self.W, self.b = self.glorot("W", D, h), self.constant("b", 1, h, 0)
        self.slope = self.constant("slope", 1, 1, 0.25)
        self.W_d, self.b_d = self.param("W_d", h, h, (6 / (h * h + h)) ** 0.5), self.constant("b_d", 1, 1, 0)

    def encode(self, X):
        return F.prelu(self.A @ (X @ self.W) + self.b, self.slope[0])

    def evaluated(self):
        return {"embedding": self.encode(torch.tensor(self.X))}

    log_probs = None

    def loss(self):
        X = torch.tensor(self.X)
        H, shuffled = self.encode(X), self.encode(X[self.permutation(0, N)])
        s = torch.sigmoid(H.mean(0))
        score = lambda H: H @ self.W_d @ s + self.b_d[0, 0]
        return F.binary_cross_entropy_with_logits(torch.cat([score(H), score(shuffled)]),
                                                  torch.cat([torch.ones(N), torch.zeros(N)]))


class Grace(Classifier):
    def build(self, X, A_t, A_f):
        h = self.o["hidden2"]
        self.W1, self.b1 = self.glorot("W1", D, 2 * h), self.constant("b1", 1, 2 * h, 0)
        self.W2, self.b2 = self.glorot("W2", 2 * h, h), self.constant("b2", 1, h, 0)
        self.slope = self.constant("slope", 1, 1, 0.25) if self.o["activation"] == "prelu" else None
        self.W3, self.b3 = self.param("W3", h, h, h ** -0.5), self.param("b3", 1, h, h ** -0.5)
        self.W4, self.b4 = self.param("W4", h, h, h ** -0.5), self.param("b4", 1, h, h ** -0.5)
        self.links = A_t - np.diag(np.diag(A_t))

    def view(self, p):
        # One draw per entry of A + I, row by row; loops always stay.
        A, entries = self.links.copy(), np.argwhere(self.links + np.eye(N) != 0)
        if p > 0:
            kept = self.mask(self.site(p), 1, len(entries), p).numpy()[0] > 0
            A[entries[:, 0], entries[:, 1]] *= kept
        A = A + np.eye(N)
        d = A.sum(1)
        return torch.tensor(A / np.sqrt(np.outer(d, d)))

    def encode(self, drop_edge, drop_feature):
        act = (lambda x: F.prelu(x, self.slope[0])) if self.slope is not None else torch.relu
        S = self.view(drop_edge)
        W1 = self.W1 * self.rows_kept(self.site(drop_feature), D, drop_feature)
        H = act(S @ (torch.tensor(self.X) @ W1) + self.b1)
        return act(S @ (H @ self.W2) + self.b2)

    def evaluated(self):
        self.next_site = 0
        return {"embedding": self.encode(self.o["drop_edge_1"], self.o["drop_feature_1"])}

    log_probs = None

    def loss(self):
        o, self.next_site = self.o, 0
        views = [self.encode(o[f"drop_edge_{v}"], o[f"drop_feature_{v}"]) for v in "12"]
        nodes = torch.arange(N)
        if m := o.get("negatives", 0):
            nodes = self.permutation(self.site(1), N)[:m]
        U, V = ((lambda q: q / q.norm(dim=1, keepdim=True))(F.elu(Z[nodes] @ self.W3 + self.b3) @ self.W4 + self.b4)
                for Z in views)
        def side(U, V):
            own, other = torch.exp(U @ U.T / o["tau"]), torch.exp(U @ V.T / o["tau"])
            return (torch.log(own.sum(1) - own.diagonal() + other.sum(1)) - (U * V).sum(1) / o["tau"]).sum()
        return (side(U, V) + side(V, U)) / (2 * len(nodes))
