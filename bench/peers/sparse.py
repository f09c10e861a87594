"""Variant sparse: idiomatic PyTorch at its best. Sparse features and adjacency in CSR with a product each way,
fused Adam, torch's own dropout and autograd for the rest."""
import torch
import torch.nn.functional as F

from dense import Dense


def csr(A):
    A = A.tocsr()
    # 32-bit indices are what MKL takes without a copy.
    return torch.sparse_csr_tensor(torch.from_numpy(A.indptr).int(), torch.from_numpy(A.indices).int(),
                                   torch.from_numpy(A.data), A.shape, check_invariants=False)


class Product(torch.autograd.Function):
    """A B for a constant A. Its transpose is made once; autograd alone would make it in every step."""

    @staticmethod
    def forward(ctx, B, A, A_transposed):
        ctx.A_transposed = A_transposed
        return A @ B

    @staticmethod
    def backward(ctx, grad):
        return ctx.A_transposed @ grad, None, None


class Sparse(Dense):
    def __init__(self, g, o, params):
        if o.input_dropout > 0:
            raise SystemExit("variant sparse: input_dropout is not supported")
        self.g, self.o, self.params = g, o, params
        self.X, self.A_t, self.A_f = ((csr(A), csr(A.T)) for A in (g.X, g.A_t, g.A_f))
        self.adam = torch.optim.Adam(params.values(), lr=o.lr, weight_decay=o.weight_decay, fused=True)

    def encoder(self, A, v, training):
        p, o = self.params, self.o
        H = F.relu(Product.apply(Product.apply(p["W1_" + v], *self.X), *A) + p["b1_" + v])
        H = F.dropout(H, o.dropout, training)
        Z = F.relu(Product.apply(torch.mm(H, p["W2_" + v]), *A) + p["b2_" + v])
        return F.dropout(Z, o.dropout, training)
