"""Methods that are fitted at once instead of descended, as src/models describes them: numpy and scipy, in double
precision, dense matrices."""
import numpy as np
from scipy.optimize import minimize

N, M, STEPS = 30, 3, 10
VARIANTS = {
    "logreg": ("logreg", dict(C=3.0)),
    "sgc": ("sgc", dict(hops=2, C=5.0, adjacency="rw")),
    "sgc_sym": ("sgc", dict(hops=3, C=0.5, adjacency="sym")),
    "sgc_one_hop": ("sgc", dict(hops=1, C=100.0, adjacency="rw")),
    "label-propagation": ("label-propagation", dict(alpha=0.9, iterations=50)),
    "label-propagation_few_steps": ("label-propagation", dict(alpha=0.5, iterations=3)),
    "correct-smooth": ("correct-smooth", dict(C=2.0)),
    "correct-smooth_of_sgc": ("correct-smooth", dict(base="sgc", C=1.0, hops=1, correct_alpha=0.9, smooth_alpha=0.5,
                                                     correct_steps=7, smooth_steps=4)),
    "correct-smooth_without_autoscale": ("correct-smooth", dict(C=0.2, autoscale=False)),
}


def log_softmax(Y):
    Y = Y - Y.max(1, keepdims=True)
    return Y - np.log(np.exp(Y).sum(1, keepdims=True))


def with_loops(A, how):
    A = A + np.eye(N)
    d = A.sum(1)
    return A / d[:, None] if how == "rw" else A / np.sqrt(np.outer(d, d))


def without_loops(A):
    A = A - np.diag(np.diag(A))
    d = A.sum(1)
    r = np.where(d > 0, 1 / np.sqrt(np.maximum(d, 1e-300)), 0)
    return r[:, None] * A * r[None, :]


def multinomial(Z, y, C):
    """Weights of the penalised softmax regression."""
    target = np.eye(M)[y]

    def objective(w):
        W = w.reshape(Z.shape[1], M)
        logp = log_softmax(Z @ W)
        return 0.5 * w @ w - C * logp[target > 0].sum(), (W + C * Z.T @ (np.exp(logp) - target)).ravel()

    found = minimize(objective, np.zeros(Z.shape[1] * M), jac=True, method="L-BFGS-B",
                     options=dict(maxiter=20000, maxfun=40000, ftol=1e-16, gtol=1e-10, maxcor=50))
    return found.x.reshape(Z.shape[1], M)


def regression(o, X, A_t, y, train, hops):
    A, block, Z = with_loops(A_t, o.get("adjacency", "rw")), X, []
    for _ in range(hops + 1):
        Z.append(block / np.sqrt((block[train] ** 2).sum(1).mean()))
        block = A @ block
    Z = np.hstack(Z + [np.ones((N, 1))])
    return log_softmax(Z @ multinomial(Z[train], y, o["C"]))


def spread(S, F, alpha, steps, low, high):
    first = F
    for _ in range(steps):
        F = np.clip(alpha * S @ F + (1 - alpha) * first, low, high)
    return F


def log_shares(F):
    total = F.sum(1, keepdims=True)
    return np.log(0.999 * np.where(total > 0, F / np.where(total > 0, total, 1), 1 / M) + 0.001 / M)


def correct_and_smooth(o, S, logp, y, train):
    P, E = np.exp(logp), np.zeros((N, M))
    E[train] = np.eye(M)[y] - P[train]
    mean = np.abs(E).sum() / len(train)
    E = spread(S, E, o.get("correct_alpha", 0.8), o.get("correct_steps", 50), -1, 1)
    scale = np.ones((N, 1))
    if o.get("autoscale", True):
        size = np.abs(E).sum(1, keepdims=True)
        scale = np.where(size * 1000 >= mean, mean / np.maximum(size, 1e-300), 1)
    P = P + scale * E
    P[train] = np.eye(M)[y]
    return log_shares(spread(S, P, o.get("smooth_alpha", 0.8), o.get("smooth_steps", 50), 0, 1))


def fitted(method, o, X, A_t, labels, train):
    """Log-probabilities before and after, and the loss of each epoch, which is that before its step."""
    y, S, even = labels[train], without_loops(A_t), np.full((N, M), -np.log(M))
    if method == "label-propagation":
        F = np.zeros((N, M))
        F[train] = np.eye(M)[y]
        base = after = log_shares(spread(S, F, o["alpha"], o["iterations"], 0, 1))
        before = even
    else:
        hops = o.get("hops", 0)
        base = after = regression(o, X, A_t, y, train, hops)
        before = even
        if method == "correct-smooth":
            before, after = (correct_and_smooth(o, S, logp, y, train) for logp in (even, base))
    loss = -base[train, y].mean()
    return before, after, [np.log(M)] + [loss] * (STEPS - 1)
