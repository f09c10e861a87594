"""Variant pyg: the layers of PyTorch Geometric. Its linear layers take no sparse features, so X is dense."""
import os

import torch
import torch.nn.functional as F

os.environ.setdefault("TORCH_GEOMETRIC_NO_TELEMETRY", "1")
from torch_geometric.nn import GCNConv

import losses


class Encoder(torch.nn.Module):
    """Two GCNConv; the adjacency comes normalised."""

    def __init__(self, params, v):
        super().__init__()
        self.convs = torch.nn.ModuleList()
        for layer in "12":
            W, b = params[f"W{layer}_{v}"], params[f"b{layer}_{v}"]
            conv = GCNConv(W.shape[0], W.shape[1], normalize=False, add_self_loops=False)
            with torch.no_grad():
                conv.lin.weight.copy_(W.t())
                conv.bias.copy_(b)
            self.convs.append(conv)

    def forward(self, X, A, rate):
        H = X
        for conv in self.convs:
            H = F.dropout(conv(H, *A).relu(), rate, self.training)
        return H


class Pyg(torch.nn.Module):
    def __init__(self, g, o, params, adjacency="csr"):
        super().__init__()
        self.g, self.o = g, o
        self.X = torch.from_numpy(g.X.toarray())
        # A CSR tensor: edge_index with weights gathers a row per edge and takes several times as long.
        form = self.csr if adjacency == "csr" else self.edge_index
        self.A = {"t": form(g.A_t), "f": form(g.A_f)}
        self.encoders = torch.nn.ModuleDict({v: Encoder(params, v) for v in "tf"})
        self.rest = torch.nn.ParameterDict({n: torch.nn.Parameter(params[n].detach().clone())
                                            for n in ("W", "b", "C") if n in params})
        self.adam = torch.optim.Adam(self.parameters(), lr=o.lr, weight_decay=o.weight_decay)
        self.choices = {"adjacency": adjacency}

    @staticmethod
    def csr(A):
        return (torch.sparse_csr_tensor(torch.from_numpy(A.indptr).long(), torch.from_numpy(A.indices).long(),
                                        torch.from_numpy(A.data), A.shape, check_invariants=False),)

    @staticmethod
    def edge_index(A):
        A = A.tocoo()  # messages go from source to target: row 0 holds columns of A
        return (torch.stack([torch.from_numpy(A.col).long(), torch.from_numpy(A.row).long()]),
                torch.from_numpy(A.data))

    def embeddings(self):
        return (self.encoders[v](self.X, self.A[v], self.o.dropout) for v in "tf")

    def step(self, epoch):
        self.train()
        losses.begin_step(self.rest, self.o)
        self.adam.zero_grad()
        loss = losses.loss(*self.embeddings(), self.rest, self.g, self.o,
                           losses.ramped_alpha(self.o, epoch))
        loss.backward()
        self.adam.step()
        return loss.item()

    def evaluate(self):
        self.eval()
        with torch.no_grad():
            return losses.evaluation(losses.log_probs(*self.embeddings(), self.rest), self.g)
