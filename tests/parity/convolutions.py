"""Methods with one graph convolution or attention per layer: dense matrices, no tricks."""
import numpy as np
import torch
import torch.nn.functional as F

from classifier import Classifier
from reference import D, M, N, normalized


class GcnTf(Classifier):
    def build(self, X, A_t, A_f):
        h = self.o["hidden1"]
        self.W1, self.W2 = self.glorot("W1", D, h), self.glorot("W2", h, M)

    def decayed(self):
        return [self.W1]

    def logits(self):
        p = self.o["dropout"]
        H = torch.relu(self.A @ (self.dropped_features(p) @ self.W1))
        return self.A @ (self.dropped(H, p) @ self.W2)


class Chebnet(Classifier):
    def build(self, X, A_t, A_f):
        h, terms = self.o["hidden1"], self.o["degree"] + 1
        self.W1 = self.param("W1", D, terms * h, (6 / (D + h)) ** 0.5)
        self.W2 = self.param("W2", h, terms * M, (6 / (h + M)) ** 0.5)
        A = A_t - np.diag(np.diag(A_t))
        d = A.sum(1)
        r = np.where(d > 0, 1 / np.sqrt(np.maximum(d, 1e-300)), 0)
        L = np.eye(N) - r[:, None] * A * r[None, :]
        L = 2 / np.linalg.eigvalsh(L).max() * L - np.eye(N)
        T = [np.eye(N), L]
        for _ in range(2, terms):
            T.append(2 * L @ T[-1] - T[-2])
        self.T = [torch.tensor(t) for t in T]

    def decayed(self):
        return [self.W1]

    def logits(self):
        p = self.o["dropout"]
        def layer(H, W):
            width = W.shape[1] // len(self.T)
            return sum(T @ H @ W[:, k * width:(k + 1) * width] for k, T in enumerate(self.T))
        H = torch.relu(layer(self.dropped_features(p), self.W1))
        return layer(self.dropped(H, p), self.W2)


class Gat(Classifier):
    def build(self, X, A_t, A_f):
        o = self.o
        h, K, K2 = o["hidden1"], o["heads"], o["out_heads"]
        def scorers(name, heads, units):
            bound = (6 / (units + 1)) ** 0.5
            a_s, b_s = self.param(f"{name}_a_s", heads, units, bound), self.constant(f"{name}_b_s", 1, heads, 0)
            a_t, b_t = self.param(f"{name}_a_t", heads, units, bound), self.constant(f"{name}_b_t", 1, heads, 0)
            return a_s, b_s, a_t, b_t, self.constant(f"{name}_b", 1, heads * units, 0)
        self.W1 = [self.glorot(f"W1_{k}", D, h) for k in range(K)]
        self.s1 = scorers("l1", K, h)
        self.W2 = [self.glorot(f"W2_{k}", K * h, M) for k in range(K2)]
        self.s2 = scorers("l2", K2, M)
        self.edges = np.argwhere(normalized(A_t, "rw") != 0)

    def attention_mask(self, heads, p):
        """One draw per stored entry and head, row by row of the graph."""
        drawn = self.mask(self.site(p), 1, len(self.edges) * heads, p)[0].reshape(len(self.edges), heads)
        out = torch.zeros(heads, N, N)
        out[:, self.edges[:, 0], self.edges[:, 1]] = drawn.T
        return out

    def layer(self, G, scorers):
        a_s, b_s, a_t, b_t, b = scorers
        p, heads, units = self.o["dropout"], len(G), G[0].shape[1]
        dropped = self.dropped(torch.cat(G, 1), p)
        masks = self.attention_mask(heads, p)
        absent = torch.tensor(self.A.numpy() == 0)
        out = []
        for k, g in enumerate(G):
            s, t = g @ a_s[k] + b_s[0, k], g @ a_t[k] + b_t[0, k]
            e = F.leaky_relu(s[:, None] + t[None, :], 0.2).masked_fill(absent, -torch.inf)
            out.append((torch.softmax(e, 1) * masks[k]) @ dropped[:, k * units:(k + 1) * units])
        return torch.cat(out, 1) + b

    def logits(self):
        p = self.o["dropout"]
        H = F.elu(self.layer([self.dropped_features(p) @ W for W in self.W1], self.s1))
        Y = self.layer([self.dropped(H, p) @ W for W in self.W2], self.s2)
        return sum(Y[:, k * M:(k + 1) * M] for k in range(len(self.W2))) / len(self.W2)


class Mixhop(Classifier):
    def build(self, X, A_t, A_f):
        o = self.o
        self.hops = [o[f"hop{p}"] for p in range(3)]
        self.outs = [o[f"segments{p}"] * M for p in range(3)]
        self.W, self.V = self.side_by_side("W", D, self.hops), self.side_by_side("V", sum(self.hops), self.outs)
        self.offset = self.constant("offset", 1, sum(self.hops), 0)
        self.q = self.constant("q", 1, sum(self.outs) // M, 0)
        self.X = (X != 0).astype(float)

    def side_by_side(self, name, rows, widths):
        W = self.param(name, rows, sum(widths), 1.0)
        bounds = [np.float32((6 / (rows + w)) ** 0.5) for w in widths for _ in range(w)]
        with torch.no_grad():
            W *= torch.tensor(np.array(bounds, dtype=np.float64))
        return W

    def hop(self, Z, widths):
        out, start = [], 0
        for power, w in enumerate(widths):
            out.append(torch.linalg.matrix_power(self.A, power) @ Z[:, start:start + w])
            start += w
        return torch.cat(out, 1)

    def logits(self):
        o = self.o
        U = self.dropped_features(o["input_dropout"])
        U = U / U.norm(dim=1, keepdim=True).clamp_min(1e-12)
        Z = self.hop(U @ self.W, self.hops)
        Z = (Z - Z.mean(0)) / torch.sqrt(Z.var(0, unbiased=False) + 1e-3) + self.offset
        O = self.hop(self.dropped(torch.relu(Z), o["dropout"]) @ self.V, self.outs)
        weights = torch.softmax(self.q[0], 0)
        return sum(w * O[:, s * M:(s + 1) * M] for s, w in enumerate(weights))

    def loss(self):
        penalty = sum(W.norm(dim=0).sum() + (W ** 2).sum() for W in (self.W, self.V))
        return super().loss() + self.o["penalty"] * penalty + 1e-3 * (self.q ** 2).mean()


class M3s(Classifier):
    """Its network alone; the stages have tests of their own."""

    def build(self, X, A_t, A_f):
        widths = [D] + [self.o["hidden1"]] * (self.o["layers"] - 1) + [M]
        self.W = [self.glorot(f"W{l + 1}", *widths[l:l + 2]) for l in range(self.o["layers"])]

    def logits(self):
        p = self.o["dropout"]
        H = self.A @ (self.dropped_features(p) @ self.W[0])
        for W in self.W[1:]:
            H = self.A @ (self.dropped(torch.relu(H), p) @ W)
        return H
