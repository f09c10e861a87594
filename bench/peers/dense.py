"""Variant dense: the way research code does it. Dense features, COO adjacency, torch's own autograd, Adam
with its default implementation. Nothing tuned."""
import torch
import torch.nn.functional as F

import losses


class Dense:
    def __init__(self, g, o, params):
        self.g, self.o, self.params = g, o, params
        self.X = torch.from_numpy(g.X.toarray())
        self.A_t, self.A_f = self.coo(g.A_t), self.coo(g.A_f)
        self.adam = torch.optim.Adam(params.values(), lr=o.lr, weight_decay=o.weight_decay)

    @staticmethod
    def coo(A):
        A = A.tocoo()
        at = torch.stack([torch.from_numpy(A.row).long(), torch.from_numpy(A.col).long()])
        return torch.sparse_coo_tensor(at, torch.from_numpy(A.data), A.shape, check_invariants=False).coalesce()

    def encoder(self, A, v, training):
        p, o = self.params, self.o
        X = F.dropout(self.X, o.input_dropout, training) if o.input_dropout > 0 else self.X
        H = F.relu(torch.spmm(A, torch.mm(X, p["W1_" + v])) + p["b1_" + v])
        H = F.dropout(H, o.dropout, training)
        Z = F.relu(torch.spmm(A, torch.mm(H, p["W2_" + v])) + p["b2_" + v])
        return F.dropout(Z, o.dropout, training)

    def embeddings(self, training):
        return self.encoder(self.A_t, "t", training), self.encoder(self.A_f, "f", training)

    def step(self, epoch):
        losses.begin_step(self.params, self.o)
        self.adam.zero_grad()
        loss = losses.loss(*self.embeddings(True), self.params, self.g, self.o,
                           losses.ramped_alpha(self.o, epoch))
        loss.backward()
        self.adam.step()
        return loss.item()

    def evaluate(self):
        with torch.no_grad():
            return losses.evaluation(losses.log_probs(*self.embeddings(False), self.params), self.g)
