"""The methods that SCRL is compared with, in PyTorch, as src/models describes them: dense matrices, no tricks."""
import numpy as np
import torch
import torch.nn.functional as F

from reference import D, M, N, Reference, log_softmax, normalized


class Classifier(Reference):
    """A model whose loss is the negative log-likelihood of the labelled nodes."""

    def __init__(self, o, X, A_t, A_f, labels, train):
        super().__init__()
        self.o, self.X, self.train, self.y = o, X, torch.tensor(train), torch.tensor(labels[train])
        self.A = torch.tensor(normalized(A_t, o.get("adjacency", "rw")))
        self.next_site = 0
        self.build(X, A_t, A_f)

    def site(self, p):
        """Sites are numbered in the order of recording; a dropout that drops nothing has none."""
        self.next_site += p > 0
        return self.next_site - 1

    def dropped(self, x, p):
        return x * self.mask(self.site(p), *x.shape, p)

    def dropped_features(self, p):
        return self.dropped_x(self.X, self.site(p), p)

    def logits(self):
        raise NotImplementedError

    def log_probs(self):
        self.next_site = 0
        return log_softmax(self.logits())

    def loss(self):
        return F.nll_loss(self.log_probs()[self.train], self.y)


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
