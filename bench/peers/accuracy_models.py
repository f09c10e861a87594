"""Peers of the judge of accuracy (bench/accuracy.py) that are trained by gradient descent.

GCN, GAT and APPNP are made of PyTorch Geometric's layers. GPRGNN and H2GCN, for which it has none, are written here
after the papers. Feature rows have length 1, graphs no direction and no weights. Features are sparse tensors where that
is less work. Settings: accuracy_settings.py. Correct and Smooth starts from Mlp (accuracy_fits.py).
A peer gets a Problem and gives the class of every node; labels of test nodes are not in a Problem."""
import dataclasses
import os
import warnings

import numpy as np
import scipy.sparse as sp
import torch
import torch.nn.functional as F

warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta")
warnings.filterwarnings("ignore", message=".*torch.jit.script.* is deprecated")
os.environ.setdefault("TORCH_GEOMETRIC_NO_TELEMETRY", "1")
from torch_geometric.nn import APPNP as Propagation
from torch_geometric.nn import CorrectAndSmooth, GATConv, GCNConv

import accuracy_data


@dataclasses.dataclass
class Problem:
    graph: object          # X, A and shared of accuracy_data.Graph
    labels: np.ndarray     # -1 where a node is neither for training nor for validation
    train: np.ndarray
    val: np.ndarray        # empty under the protocol `fixed`
    classes: int
    seed: int
    threads: int = 1
    epochs: int = 0        # 0: 500 with validation nodes, else 200
    patience: int = 100

    def once(self, name, make):
        """make(X, A), kept for all problems on the same graph."""
        if name not in self.graph.shared:
            self.graph.shared[name] = make(self.graph.X, self.graph.A)
        return self.graph.shared[name]


def csr_tensor(A):
    A = sp.csr_matrix(A, dtype=np.float32)
    return torch.sparse_csr_tensor(torch.from_numpy(A.indptr.astype(np.int64)), torch.from_numpy(
        A.indices.astype(np.int64)), torch.from_numpy(A.data), A.shape, check_invariants=False)


def features(X, _):
    X = accuracy_data.unit_rows(X)
    return torch.from_numpy(X.toarray()) if X.nnz > 0.2 * np.prod(X.shape) else csr_tensor(X)


def symmetric(A):
    """D^-1/2 A D^-1/2 in SciPy's form."""
    degree = np.asarray(A.sum(1)).ravel()
    scale = sp.diags_array(np.where(degree > 0, degree, 1) ** -0.5)
    return (scale @ A @ scale).tocsr().astype(np.float32)


def with_loops(_, A):
    return csr_tensor(symmetric(A + sp.eye_array(A.shape[0], dtype=np.float32)))


def two_rings(_, A):
    """Neighbours, and nodes two steps away that are neither neighbours nor the node itself. The second ring is dense
    where a tenth of it is filled, which is faster then."""
    second = (A @ A).tocsr()
    second.data[:] = 1
    second = second - second.multiply(A)
    second.setdiag(0)
    second.eliminate_zeros()
    filled = second.nnz > 0.1 * np.prod(A.shape)
    second = symmetric(second)
    return csr_tensor(symmetric(A)), torch.from_numpy(second.toarray()) if filled else csr_tensor(second)


def edge_index(_, A):
    return torch.from_numpy(np.stack(A.nonzero()).astype(np.int64))


def dropped(X, share, training):
    if X.layout != torch.sparse_csr:
        return F.dropout(X, share, training)
    return torch.sparse_csr_tensor(X.crow_indices(), X.col_indices(), F.dropout(X.values(), share, training), X.shape,
                                   check_invariants=False)


class Gcn(torch.nn.Module):
    def __init__(self, p, o):
        super().__init__()
        self.X, self.A, self.o = p.once("X", features), p.once("A", with_loops), o
        self.first = GCNConv(self.X.shape[1], o["hidden"], normalize=False)
        self.second = GCNConv(o["hidden"], p.classes, normalize=False)
        self.undecayed = set(self.second.parameters())

    def forward(self):
        H = self.first(dropped(self.X, self.o["dropout"], self.training), self.A).relu()
        return self.second(F.dropout(H, self.o["dropout"], self.training), self.A)


class Gat(torch.nn.Module):
    def __init__(self, p, o):
        super().__init__()
        self.X, self.edges, self.o, width = p.once("X", features), p.once("edges", edge_index), o, o["hidden"]
        self.first = GATConv(self.X.shape[1], width, heads=o["heads"], dropout=o["dropout"])
        self.second = GATConv(width * o["heads"], p.classes, heads=1, concat=False, dropout=o["dropout"])
        self.undecayed = set()

    def forward(self):
        H = F.elu(self.first(dropped(self.X, self.o["dropout"], self.training), self.edges))
        return self.second(F.dropout(H, self.o["dropout"], self.training), self.edges)


class Mlp(torch.nn.Module):
    """Two dense layers, or one where `hidden` is 0; below APPNP and GPRGNN, and a base of Correct and Smooth."""

    def __init__(self, p, o):
        super().__init__()
        self.X, self.o, width = p.once("X", features), o, o["hidden"] or p.classes
        self.first = torch.nn.Linear(self.X.shape[1], width)
        self.second = torch.nn.Linear(width, p.classes) if o["hidden"] else None
        self.undecayed = set()

    def forward(self):
        H = F.linear(dropped(self.X, self.o["dropout"], self.training), self.first.weight) + self.first.bias
        return self.second(F.dropout(H.relu(), self.o["dropout"], self.training)) if self.second else H


class Appnp(Mlp):
    def __init__(self, p, o):
        super().__init__(p, o)
        self.A = p.once("A", with_loops)
        self.spread = Propagation(o["steps"], o["restart"], normalize=False)
        self.undecayed = set(self.second.parameters())

    def forward(self):
        return self.spread(super().forward(), self.A)


class Gprgnn(Mlp):
    def __init__(self, p, o):
        super().__init__(p, o)
        self.A, steps, a = p.once("A", with_loops), o["steps"], o["restart"]
        self.weights = torch.nn.Parameter(torch.tensor([a * (1 - a) ** k for k in range(steps)] + [(1 - a) ** steps]))
        self.undecayed = {self.weights}

    def forward(self):
        H = F.dropout(super().forward(), self.o["dropout"], self.training)
        out = self.weights[0] * H
        for weight in self.weights[1:]:
            H = self.A @ H
            out = out + weight * H
        return out


class H2gcn(torch.nn.Module):
    def __init__(self, p, o):
        super().__init__()
        self.X, self.rings, self.o = p.once("X", features), p.once("rings", two_rings), o
        self.first = torch.nn.Linear(self.X.shape[1], o["hidden"], bias=False)
        self.last = torch.nn.Linear(o["hidden"] * (2 ** (o["rounds"] + 1) - 1), p.classes)
        self.undecayed = set()

    def forward(self):
        parts = [self.first(self.X).relu()]
        for _ in range(self.o["rounds"]):
            parts.append(torch.cat([A @ parts[-1] for A in self.rings], 1))
        return self.last(F.dropout(torch.cat(parts, 1), self.o["dropout"], self.training))


def trained(make, p, o):
    """Scores of all nodes at the epoch with the highest validation accuracy (then the lower validation loss, then the
    earlier epoch), or at the last where there are no validation nodes."""
    torch.manual_seed(p.seed)
    torch.set_num_threads(p.threads)
    model, labels, val = make(p, o), torch.from_numpy(p.labels), torch.from_numpy(p.val)
    train, best, waited = torch.from_numpy(p.train), None, 0
    decayed = [w for w in model.parameters() if w not in model.undecayed]
    adam = torch.optim.Adam([{"params": decayed, "weight_decay": o["decay"]}, {"params": list(model.undecayed)}],
                            lr=o["lr"])
    for epoch in range(p.epochs or (500 if len(val) else 200)):
        model.train()
        adam.zero_grad()
        F.cross_entropy(model()[train], labels[train]).backward()
        adam.step()
        if not len(val):
            continue
        model.eval()
        with torch.no_grad():
            out = model()
        hits = (out[val].argmax(1) == labels[val]).sum().item()
        score = hits, -F.cross_entropy(out[val], labels[val]).item()
        if best is None or score > best[0]:
            best, waited = (score, out), 0
        elif (waited := waited + 1) >= p.patience:
            break
    model.eval()
    with torch.no_grad():
        return best[1] if best else model()
