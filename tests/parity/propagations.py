"""Methods that propagate far, or several times, before they classify."""
import numpy as np
import torch
import torch.nn.functional as F

from classifier import Classifier
from reference import D, M, N


def pagerank_weights(alpha, K):
    return [alpha * (1 - alpha) ** k for k in range(K)] + [(1 - alpha) ** K]


class Appnp(Classifier):
    def build(self, X, A_t, A_f):
        h = self.o["hidden1"]
        self.W1, self.W2 = self.glorot("W1", D, h), self.glorot("W2", h, M)

    def decayed(self):
        return [self.W1]

    def hidden(self):
        p = self.o["dropout"]
        return self.dropped(torch.relu(self.dropped_features(p) @ self.W1), p)

    def propagated(self, Z):
        P, alpha = Z, self.o["alpha"]
        for _ in range(self.o["hops"]):
            P = (1 - alpha) * (self.A @ P) + alpha * Z
        return P

    def logits(self):
        return self.propagated(self.hidden() @ self.W2)

    def evaluated(self):
        self.next_site = 0
        return {"embedding": self.propagated(self.hidden())}


class Gprgnn(Classifier):
    def build(self, X, A_t, A_f):
        o = self.o
        h, r1, r2 = o["hidden1"], D ** -0.5, o["hidden1"] ** -0.5
        self.W1, self.b1 = self.param("W1", D, h, r1), self.param("b1", 1, h, r1)
        self.W2, self.b2 = self.param("W2", h, M, r2), self.param("b2", 1, M, r2)
        self.gamma = self.constant("gamma", 1, o["hops"] + 1, 0)
        with torch.no_grad():
            self.gamma += torch.tensor(pagerank_weights(o["alpha"], o["hops"]))

    def decayed(self):
        return [self.W1, self.b1, self.W2, self.b2]

    def hidden(self):
        p = self.o["dropout"]
        return self.dropped(torch.relu(self.dropped_features(p) @ self.W1 + self.b1), p)

    def propagated(self, Z):
        return sum(g * torch.linalg.matrix_power(self.A, k) @ Z for k, g in enumerate(self.gamma[0]))

    def logits(self):
        Z = self.hidden() @ self.W2 + self.b2
        return self.propagated(self.dropped(Z, self.o["dprate"]))

    def evaluated(self):
        self.next_site = 0
        return {"embedding": self.propagated(self.hidden())}


class H2gcn(Classifier):
    def build(self, X, A_t, A_f):
        o = self.o
        h = o["hidden1"]
        self.W1 = self.glorot("W1", D, h)
        self.W2 = self.glorot("W2", (2 ** (o["rounds"] + 1) - 1) * h, M)
        A = ((A_t - np.diag(np.diag(A_t))) != 0).astype(float)
        def inverse(d):
            return np.where(d > 1e-9, 1 / np.maximum(d, 1e-9), 0)
        walks = A @ np.diag(inverse(A.sum(1))) @ A
        two_away = np.where((A + np.eye(N)) > 0, 0, walks)
        def sym(S):
            r = np.sqrt(inverse(S.sum(1)))
            return torch.tensor(r[:, None] * S * r[None, :])
        self.hops = [sym(A), sym(two_away)]

    def embed(self):
        R = [torch.relu(self.dropped_features(self.o["input_dropout"]) @ self.W1)]
        for _ in range(self.o["rounds"]):
            R.append(torch.cat([S @ R[-1] for S in self.hops], 1))
        return torch.cat(R, 1)

    def logits(self):
        return self.dropped(self.embed(), self.o["dropout"]) @ self.W2

    def evaluated(self):
        self.next_site = 0
        return {"embedding": self.embed()}


class Grand(Classifier):
    def build(self, X, A_t, A_f):
        h = self.o["hidden1"]
        self.W1, self.b1 = self.param("W1", D, h, h ** -0.5), self.param("b1", 1, h, h ** -0.5)
        self.W2, self.b2 = self.param("W2", h, M, M ** -0.5), self.param("b2", 1, M, M ** -0.5)
        self.P = sum(torch.linalg.matrix_power(self.A, k) for k in range(self.o["order"] + 1)) / (self.o["order"] + 1)

    def hidden(self):
        """Features are dropped, then nodes, then hidden units; nothing is in evaluation."""
        o = self.o
        X = self.dropped_features(o["input_dropout"])
        if self.epoch > 0 and o["dropnode"] > 0:
            X = X * self.rows_kept(self.site(o["dropnode"]), N, o["dropnode"]) / (1 - o["dropnode"])
        return self.dropped(torch.relu(self.P @ X @ self.W1 + self.b1), o["dropout"])

    def logits(self):
        return self.hidden() @ self.W2 + self.b2

    def evaluated(self):
        self.next_site = 0
        return {"embedding": self.hidden()}

    def loss(self):
        o, self.next_site = self.o, 0
        Y = [self.logits() for _ in range(o["augmentations"])]
        P = [torch.softmax(y, 1) for y in Y]
        with torch.no_grad():
            Q = (sum(P) / len(P)) ** (1 / o["temperature"])
            Q = Q / Q.sum(1, keepdim=True)
        known = sum(F.cross_entropy(y[self.train], self.y) for y in Y) / len(Y)
        return known + o["lambda"] * sum(((p - Q) ** 2).sum(1).mean() for p in P) / len(P)
