"""Peers of the judge of accuracy (bench/accuracy.py) that are fitted to finished columns or scores, and FITS, the table
of all: logistic regression and LightGBM on features and their means over one and two steps, Correct and Smooth."""
import dataclasses
import warnings

import numpy as np
import scipy.sparse as sp
import torch
from threadpoolctl import threadpool_limits

import accuracy_data
import accuracy_models as models
from accuracy_settings import SETTINGS


def hops(X, A):
    """X, AX and A^2 X with rows of length 1; A takes the mean over the neighbours, the node itself left out."""
    degree = np.asarray(A.sum(1)).ravel()
    A = sp.diags_array(1 / np.where(degree == 0, 1, degree)).astype(np.float32) @ sp.csr_array(A)
    first = A @ sp.csr_array(X)
    return [accuracy_data.unit_rows(M) for M in (X, first, A @ first)]


def on_train_rows(M, train):
    """Coordinates of all rows in the span of the training rows. A regression with an L2 penalty has its weights in
    that span, so the fit is the same, in as many columns as there are training nodes."""
    if len(train) >= M.shape[1]:
        return M.toarray().astype(np.float64)
    K = (M @ M[train].T).toarray().astype(np.float64)
    value, vector = np.linalg.eigh(K[train])
    kept = value > 1e-7 * value.max()
    return K @ (vector[:, kept] / np.sqrt(value[kept]))


def logreg(p, o):
    """The strength of the penalty is the best on validation nodes, or in cross-validation over training nodes."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold

    M = on_train_rows(sp.hstack(p.once("hops", hops)[:o["steps"] + 1], format="csr"), p.train)
    make = lambda strength: LogisticRegression(C=strength, max_iter=2000)
    right = lambda fit, nodes: (fit.predict(M[nodes]) == p.labels[nodes]).sum()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # classes with fewer nodes than folds; steps that ran out
        if len(p.val):
            score = lambda c: right(make(c).fit(M[p.train], p.labels[p.train]), p.val)
        else:
            y = p.labels[p.train]
            folds = StratifiedKFold(min(o["folds"], int(np.bincount(y).max())), shuffle=True, random_state=p.seed)
            parts = [(p.train[a], p.train[b]) for a, b in folds.split(y, y)]
            score = lambda c: sum(right(make(c).fit(M[a], p.labels[a]), b) for a, b in parts)
        best = max(o["strengths"], key=score)  # the strongest penalty of equal ones
        return make(best).fit(M[p.train], p.labels[p.train]).predict(M)


def lightgbm(p, o):
    import lightgbm as lgb
    from sklearn.decomposition import TruncatedSVD

    def columns(X, A):
        blocks = p.once("hops", hops)
        if X.shape[1] <= o["columns"]:
            return np.hstack([M.toarray() for M in blocks])
        rank = min(o["rank"], min(X.shape) - 1)
        return np.hstack([TruncatedSVD(rank, random_state=0).fit_transform(M) for M in blocks])

    M = p.once("lightgbm", columns)
    names, y = np.unique(p.labels[p.train], return_inverse=True)  # it takes classes without gaps only
    val = p.val[np.isin(p.labels[p.val], names)]
    settings = dict(objective="multiclass", num_class=len(names), metric="multi_error", learning_rate=o["rate"],
                    num_leaves=o["leaves"], feature_fraction=o["share"], seed=p.seed, num_threads=p.threads,
                    min_data_in_leaf=int(np.clip(len(p.train) // 50, 1, 20)), deterministic=True, force_row_wise=True,
                    verbosity=-1)
    data, more = lgb.Dataset(M[p.train], y), {}
    if len(val):
        more = dict(valid_sets=[data.create_valid(M[val], np.searchsorted(names, p.labels[val]))],
                    callbacks=[lgb.early_stopping(p.patience, verbose=False)])
    fit = lgb.train(settings, data, p.epochs or (500 if len(val) else 200), **more)
    return names[fit.predict(M, num_iteration=fit.best_iteration or None).argmax(1)]


def correct_smooth(p, o):
    """Base and form with the highest validation accuracy; without validation nodes the first of each."""
    edges = p.once("edges", models.edge_index)
    degree = torch.bincount(edges[1], minlength=len(p.labels)).float()
    both, left = (degree[edges[0]] * degree[edges[1]]) ** -0.5, 1 / degree[edges[1]]
    train, best = torch.from_numpy(p.train), None
    y = torch.from_numpy(p.labels[p.train])
    for base in o["bases"][:None if len(p.val) else 1]:
        base_problem = dataclasses.replace(p, val=p.val[:0]) if base == "last" else p
        start = models.trained(models.Mlp, base_problem, o | ({"hidden": 0} if base == "linear" else {})).softmax(1)
        for correct, smooth, scale in o["forms"][:None if len(p.val) else 1]:
            step = models.CorrectAndSmooth(o["layers"], correct, o["layers"], smooth, autoscale=not scale, scale=scale)
            out = step.smooth(step.correct(start, y, train, edges, both), y, train, edges, left).argmax(1).numpy()
            hits = (out[p.val] == p.labels[p.val]).sum()
            if best is None or hits > best[0]:
                best = hits, out
    return best[1]


def by_gradient(model):
    return lambda p, o: models.trained(model, p, o).argmax(1).numpy()


FITS = {"gcn": by_gradient(models.Gcn), "gat": by_gradient(models.Gat), "appnp": by_gradient(models.Appnp),
        "gprgnn": by_gradient(models.Gprgnn), "h2gcn": by_gradient(models.H2gcn), "correct-smooth": correct_smooth,
        "logreg-x": logreg, "logreg-hops": logreg, "lightgbm-hops": lightgbm}


def predict(name, problem):
    """Class of every node by the peer of this name."""
    with threadpool_limits(problem.threads):
        return FITS[name](problem, SETTINGS[name])
