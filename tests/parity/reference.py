"""What the PyTorch side of the parity test shares: the problem, weights and masks as scrl draws them."""
import numpy as np
import torch

from philox import dropout_mask, kept_rows, shuffled, uniform_weights

torch.set_default_dtype(torch.float64)
N, D, M, SEED, STEPS = 30, 12, 3, 17, 10


def problem():
    rng = np.random.default_rng(3)
    X = (rng.random((N, D)) < 0.3) * rng.integers(1, 4, (N, D)).astype(float)
    X[5] = 0  # a node without features
    def graph(p):
        upper = np.triu(rng.random((N, N)) < p, 1)
        return (upper | upper.T).astype(float)
    A_t, A_f = graph(0.12), graph(0.15)
    A_t[7, :] = A_t[:, 7] = 0  # an isolated node
    A_t[9, 9] = 1              # a self-loop
    labels = rng.integers(0, M, N)
    train = np.array([0, 3, 4, 8, 11, 14, 20, 28])
    return X, A_t, A_f, labels, train


def normalized(A, how, lazy=0.0):
    A = A + np.eye(N)
    d = A.sum(1)
    A = A / d[:, None] if how == "rw" else A / np.sqrt(np.outer(d, d))
    return (1 - lazy) * A + lazy * np.eye(N)


class Reference:
    """Draws parameters and masks in the order in which the models of scrl declare them."""

    def __init__(self):
        self.params, self.names, self.sites, self.epoch = [], [], {}, 0

    def begin_step(self):
        pass

    def decayed(self):
        """Parameters that weight decay applies to."""
        return self.params

    def evaluated(self):
        """What is compared besides the log-probabilities; models without a classifier of their own
        have only this."""
        return {}

    def glorot(self, name, rows, cols):
        return self.param(name, rows, cols, (6 / (rows + cols)) ** 0.5)

    def constant(self, name, rows, cols, value):
        self.params.append(torch.full((rows, cols), float(value), requires_grad=True))
        self.names.append(name)
        return self.params[-1]

    def param(self, name, rows, cols, bound):
        w = uniform_weights(SEED, len(self.params), rows, cols, bound).astype(np.float64)
        self.params.append(torch.tensor(w, requires_grad=True))
        self.names.append(name)
        return self.params[-1]

    def mask(self, site, rows, cols, p):
        if p == 0 or self.epoch == 0:  # epoch 0: evaluation
            return torch.ones(rows, cols)
        return torch.tensor(dropout_mask(SEED, site, self.epoch, rows, cols, p))

    def dropped_x(self, X, site, p):
        """One draw per stored non-zero, in row order."""
        if p == 0 or self.epoch == 0:
            return torch.tensor(X)
        rows, cols = np.nonzero(X)
        kept = X.copy()
        kept[rows, cols] *= dropout_mask(SEED, site, self.epoch, 1, len(rows), p)[0]
        return torch.tensor(kept)


    def rows_kept(self, site, rows, p):
        if p == 0 or self.epoch == 0:
            return torch.ones(rows, 1)
        return torch.tensor(kept_rows(SEED, site, self.epoch, rows, p))[:, None]

    def permutation(self, site, rows):
        return torch.arange(rows) if self.epoch == 0 else torch.tensor(shuffled(SEED, site, self.epoch, rows))


def log_softmax(z):
    return torch.log_softmax(z, dim=1)


def sinkhorn(z, eps, iterations):
    """Scaling form on exp(z/eps): columns to mass 1/B, rows to 1/n, last step rows."""
    with torch.no_grad():
        K = torch.exp((z - z.max()) / eps)
        n, B = K.shape
        for _ in range(iterations):
            K = K / K.sum(0, keepdim=True) / B
            K = K / K.sum(1, keepdim=True) / n
        return K * n
