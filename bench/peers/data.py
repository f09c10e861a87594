"""The exported graph and settings (see export.py), and the parameters of SCRL. float32 throughout."""
import json
import types

import numpy as np
import scipy.sparse as sp
import torch


def load_settings(path, **overrides):
    with open(path) as f:
        return types.SimpleNamespace(**(json.load(f) | overrides))


class Graph:
    """X, A_t, A_f as SciPy CSR; labels and node lists as tensors."""

    def __init__(self, path):
        z = np.load(path)
        csr = lambda n: sp.csr_matrix((z[n + "_val"], z[n + "_col"], z[n + "_ptr"]), shape=tuple(z[n + "_shape"]))
        self.X, self.A_t, self.A_f = csr("X"), csr("A_t"), csr("A_f")
        self._nodes(z["labels"], z["train"], z["val"], z["test"])

    @classmethod
    def random(cls, nodes=60, features=20, classes=3):
        """A small problem for the self-check: a node without features, an isolated node, a loop."""
        g, rng = cls.__new__(cls), np.random.default_rng(3)
        g.X = (rng.random((nodes, features)) < 0.3).astype(np.float32)
        g.X[5] = 0
        g.X = sp.csr_matrix(g.X)
        def graph(p):
            A = np.triu(rng.random((nodes, nodes)) < p, 1)
            A = (A | A.T).astype(np.float32)
            A[7, :] = A[:, 7] = 0
            A[9, 9] = 1
            A += np.eye(nodes, dtype=np.float32)
            return sp.csr_matrix(A / A.sum(1, keepdims=True))
        g.A_t, g.A_f = graph(0.08), graph(0.1)
        order = rng.permutation(nodes)
        g._nodes(rng.integers(0, classes, nodes), order[:12], order[12:30], order[30:])
        return g

    def _nodes(self, labels, train, val, test):
        self.labels = torch.as_tensor(labels)
        self.train, self.val, self.test = (torch.as_tensor(a.astype(np.int64)) for a in (train, val, test))
        self.train_labels = self.labels[self.train]
        self.nodes, self.classes = len(labels), int(labels.max()) + 1


def shapes(g, o):
    """(name, rows, columns, bound of the uniform draw) in the order in which scrl declares them."""
    out, r1, r2, r = [], o.hidden1 ** -0.5, o.hidden2 ** -0.5, (2 * o.hidden2) ** -0.5
    for v in "tf":
        out += [("W1_" + v, g.X.shape[1], o.hidden1, r1), ("b1_" + v, 1, o.hidden1, r1),
                ("W2_" + v, o.hidden1, o.hidden2, r2), ("b2_" + v, 1, o.hidden2, r2)]
    out += [("W", 2 * o.hidden2, g.classes, r), ("b", 1, g.classes, r)]
    if o.alpha > 0:
        out.append(("C", o.prototypes or g.classes, o.hidden2, r2))
    return out


def initial_parameters(g, o, draw=None):
    """{name: leaf tensor}. draw(index, rows, columns, bound) replaces torch's own random numbers."""
    generator = torch.Generator().manual_seed(o.seed)
    def uniform(_, rows, cols, bound):
        return (torch.rand(rows, cols, generator=generator) * 2 - 1) * bound
    params = {}
    for i, (name, rows, cols, bound) in enumerate(shapes(g, o)):
        w = torch.as_tensor((draw or uniform)(i, rows, cols, bound), dtype=torch.float32)
        params[name] = (w.reshape(-1) if rows == 1 and name.startswith("b") else w).contiguous().requires_grad_()
    return params
