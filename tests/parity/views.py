"""Methods with several channels: two graphs, or tasks on the side."""
import numpy as np
import torch
import torch.nn.functional as F

from classifier import Classifier
from reference import D, M, N, normalized


class Amgcn(Classifier):
    def build(self, X, A_t, A_f):
        o = self.o
        self.A_v = [torch.tensor(normalized(A, o["adjacency"])) for A in (A_t, A_f)]
        h1, h2 = o["hidden1"], o["hidden2"]
        self.enc = {v: (self.param(f"W1_{v}", D, h1, h1 ** -0.5), self.param(f"b1_{v}", 1, h1, h1 ** -0.5),
                        self.param(f"W2_{v}", h1, h2, h2 ** -0.5), self.param(f"b2_{v}", 1, h2, h2 ** -0.5))
                    for v in "tfc"}
        self.W, self.b = self.param("attention_W", h2, 16, h2 ** -0.5), self.param("attention_b", 1, 16, h2 ** -0.5)
        self.u = self.param("attention_u", 16, 1, 0.25)
        self.V, self.a = self.param("V", h2, M, h2 ** -0.5), self.param("a", 1, M, h2 ** -0.5)

    def encode(self, v, A):
        W1, b1, W2, b2 = self.enc[v]
        H = self.dropped(torch.relu(A @ (torch.tensor(self.X) @ W1) + b1), self.o["dropout"])
        return A @ (H @ W2) + b2

    def logits(self):
        A_t, A_f = self.A_v
        self.Z = Z_t, Z_f, C_t, C_f = (self.encode("t", A_t), self.encode("f", A_f), self.encode("c", A_t),
                                       self.encode("c", A_f))
        parts = [Z_t, Z_f, (C_t + C_f) / 2]
        w = torch.softmax(torch.cat([torch.tanh(Z @ self.W + self.b) @ self.u for Z in parts], 1), 1)
        return sum(w[:, c:c + 1] * Z for c, Z in enumerate(parts)) @ self.V + self.a

    def loss(self):
        loss = super().loss()
        Z_t, Z_f, C_t, C_f = self.Z
        def unit(C):
            C = C - C.mean(0)
            return C / C.norm(dim=1, keepdim=True)
        U, V = unit(C_t), unit(C_f)
        R = torch.eye(N) - 1 / N
        def hsic(P, Q):
            return torch.trace(R @ P @ P.T @ R @ Q @ Q.T)
        return (loss + self.o["theta"] * ((U @ U.T - V @ V.T) ** 2).mean()
                + self.o["beta"] / 2 * (hsic(Z_t, C_t) + hsic(Z_f, C_f)))


class Demonet(Classifier):
    def build(self, X, A_t, A_f):
        h = self.o["hidden1"]
        A = ((A_t - np.diag(np.diag(A_t))) != 0).astype(float)
        self.degree = A.sum(1).astype(int)
        self.groups = sorted(set(self.degree[self.degree > 0]))
        self.mean = torch.tensor(np.where(self.degree[:, None] > 0, A / np.maximum(self.degree, 1)[:, None], np.eye(N)))
        # Pairs of degree and feature in order of degree, then of first appearance.
        self.pairs = []
        for k in self.groups:
            seen = []
            for i in np.nonzero(self.degree == k)[0]:
                for j in np.nonzero(A[i])[0]:
                    seen += [(k, f) for f in np.nonzero(X[j])[0] if (k, f) not in seen]
            self.pairs += seen
        self.layers = []
        for name, rows, cols in (("1", D, h), ("2", h, h), ("3", h, M)):
            every = len(self.pairs) if name == "1" else len(self.groups) * rows
            self.layers.append((self.glorot("W_g_" + name, rows, cols),
                                self.param("W_k_" + name, every, cols, (6 / (rows + cols)) ** 0.5),
                                self.glorot("W_s_" + name, rows, cols), self.constant("b_" + name, 1, cols, 0)))

    def layer(self, H, weights, first):
        W_g, W_k, W_s, b = weights
        m = self.mean @ H
        near = []
        for i in range(N):
            W = W_g
            if self.degree[i] > 0:
                if first:
                    own = torch.zeros_like(W_g)
                    for row, (k, f) in enumerate(self.pairs):
                        if k == self.degree[i]:
                            own = own.index_add(0, torch.tensor([f]), W_k[row:row + 1])
                else:
                    g = self.groups.index(self.degree[i])
                    own = W_k[g * len(W_g):(g + 1) * len(W_g)]
                W = W + own
            near.append(m[i] @ W)
        p = self.o["dropout"]
        near = self.dropped(torch.stack(near), p)
        return near + self.dropped(H @ W_s, p) + b

    def logits(self):
        H = F.elu(self.layer(torch.tensor(self.X), self.layers[0], True))
        H = F.elu(self.layer(H, self.layers[1], False))
        return self.layer(H, self.layers[2], False)
