"""Products of a constant sparse matrix with dense ones, by the fastest way that torch has; used by tuned.py."""
import time

import torch


def tensor(A, index):
    return torch.sparse_csr_tensor(torch.from_numpy(A.indptr).to(index), torch.from_numpy(A.indices).to(index),
                                   torch.from_numpy(A.data), A.shape, check_invariants=False)


def mkl(A):
    A = tensor(A, torch.int32)  # half the indices to read of int64, and what MKL takes without a copy
    # mm would fill and copy an output of its own first; with beta 0 the one given is only written.
    return lambda B, out: torch.addmm(out, A, B, beta=0, out=out)


def native(A):
    A = tensor(A, torch.int64)
    return lambda B, out: out.copy_(torch.sparse.mm(A, B, "sum"))


def dense(A):
    A = torch.from_numpy(A.toarray())
    return lambda B, out: torch.mm(A, B, out=out)


class Product:
    """A times a dense matrix. Which way is best depends on density, shape and width, so it is measured."""

    def __init__(self, A, width, repeats=5):
        A.sort_indices()
        ways = {"mkl": mkl(A), "native": native(A)}
        if A.nnz > 0.02 * A.shape[0] * A.shape[1]:  # from some 10 % on a dense product may win
            ways["dense"] = dense(A)
        self.rows = A.shape[0]
        probe, out = torch.rand(A.shape[1], width), torch.empty(self.rows, width)
        times = {name: min(self.clock(way, probe, out) for _ in range(repeats)) for name, way in ways.items()}
        self.name = min(times, key=times.get)
        self.way, self.seconds = ways[self.name], times[self.name]

    def __call__(self, B, out=None):
        return self.way(B, torch.empty(self.rows, B.shape[1]) if out is None else out)

    @staticmethod
    def clock(way, probe, out):
        start = time.perf_counter()
        way(probe, out)
        return time.perf_counter() - start


class Operand:
    """A and its transpose, both in rows: a CSR product with a transposed view is many times slower."""

    def __init__(self, A, width):
        self.forward, self.backward = Product(A, width), Product(A.T.tocsr(), width)
        self.seconds = self.forward.seconds + self.backward.seconds

    def names(self):
        return [self.forward.name, self.backward.name]


def first_layer_operands(g, hidden, block):
    """X, A_t, A_f for products of the first layer in blocks of columns, and the width of a block: the rows
    that a product gathers stay in the cache when they are short (twice as fast on UAI2010). 0: the best."""
    widths = [block] if block else [w for w in (32, 64, 128, 256, hidden) if hidden % w == 0]
    best = None
    for width in widths:
        found = {"X": Operand(g.X, width), "A_t": Operand(g.A_t, width), "A_f": Operand(g.A_f, width)}
        seconds = hidden // width * (2 * found["X"].seconds + found["A_t"].seconds + found["A_f"].seconds)
        if best is None or seconds < best[0]:
            best = seconds, width, found
    return best[2], best[1]
