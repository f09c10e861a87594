#!/usr/bin/env python3
"""Writes scikit-learn's side of the test of heads, k-means and t-SNE: problems and what it makes of them.
usage: make_sklearn.py OUT_FOLDER. Each problem becomes a folder of .npy files."""
import os
import shutil
import sys

import numpy as np
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression
from sklearn.manifold import TSNE, trustworthiness
from sklearn.model_selection import PredefinedSplit, StratifiedKFold, cross_val_score

CANDIDATES = [2.0 ** e for e in range(-10, 10)]


def blobs(rng, rows, columns, classes, apart):
    centres = apart * rng.standard_normal((classes, columns))
    labels = np.arange(rows) % classes
    Z = centres[labels] + rng.standard_normal((rows, columns))
    return Z.astype(np.float32).astype(np.float64), labels


def logistic(rng, save, rows, columns, classes, apart, C):
    Z, labels = blobs(rng, rows, columns, classes, apart)
    others, _ = blobs(rng, 300, columns, classes, apart)
    model = LogisticRegression(solver="liblinear", C=C, tol=1e-10, max_iter=100000).fit(Z, labels)
    save(Z=Z, labels=labels, C=C, W=model.coef_.T, b=model.intercept_, others=others, predicted=model.predict(others))


def choice_of_C(rng, save, rows, columns, classes, apart, common=0):
    Z, labels = blobs(rng, rows, columns, classes, apart)
    Z += common  # rows then point in almost the same direction: hard for a solver
    Z = (Z / np.linalg.norm(Z, axis=1, keepdims=True)).astype(np.float32).astype(np.float64)
    folds = np.zeros(rows, int)
    for number, (_, held_out) in enumerate(StratifiedKFold(5, shuffle=True, random_state=1).split(Z, labels)):
        folds[held_out] = number
    accuracy = [cross_val_score(LogisticRegression(solver="liblinear", C=C, tol=1e-8, max_iter=100000), Z, labels,
                                cv=PredefinedSplit(folds)).mean() for C in CANDIDATES]
    save(Z=Z, labels=labels, folds=folds, accuracy=accuracy)


def softmax(rng, save, rows, columns, classes, apart):
    Z, labels = blobs(rng, rows, columns, classes, apart)
    others, _ = blobs(rng, 300, columns, classes, apart)
    model = LogisticRegression(penalty=None, multi_class="multinomial", tol=1e-10, max_iter=100000).fit(Z, labels)
    save(Z=Z, labels=labels, others=others, probabilities=model.predict_proba(others))


def multinomial(rng, save, rows, columns, classes, apart, C):
    Z, labels = blobs(rng, rows, columns, classes, apart)
    Z = (Z / np.sqrt((Z ** 2).sum(1).mean())).astype(np.float32).astype(np.float64)  # mean square of lengths 1
    ones = np.ones((rows, 1))  # the bias is penalised like the rest
    model = LogisticRegression(multi_class="multinomial", solver="newton-cg", C=C, fit_intercept=False, tol=1e-8,
                               max_iter=100000)  # lbfgs stops early where C is large
    model.fit(np.hstack([Z, ones]), labels)
    save(Z=Z, labels=labels, C=C, W=model.coef_[:, :-1].T, b=model.coef_[:, -1])


def clusters(rng, save, rows, columns, count, apart=1.0, far=False):
    Z, _ = blobs(rng, rows, columns, count, apart)
    initial = Z[:count].copy()
    if far:  # two centres that no point is near to
        initial[[1, 3]] += 1000
    model = KMeans(count, init=initial, n_init=1, tol=0, max_iter=300, algorithm="lloyd").fit(Z)
    save(Z=Z, initial=initial, of=model.labels_, centres=model.cluster_centers_, inertia=model.inertia_)


def start(rng, save, rows, columns, groups, count):
    Z, _ = blobs(rng, rows, columns, groups, 2.0)
    found = [KMeans(count, n_init=1, tol=0, max_iter=30, random_state=seed).fit(Z).inertia_ for seed in range(15)]
    save(Z=Z, clusters=count, inertia=np.median(found))


def map_of_points(rng, save, rows, columns, groups, apart, perplexity):
    Z, _ = blobs(rng, rows, columns, groups, apart)
    model = TSNE(perplexity=perplexity, init="pca", learning_rate="auto", random_state=0).fit(Z)
    places = model.embedding_.astype(np.float32)
    save(Z=Z, map=places, perplexity=perplexity, kl=model.kl_divergence_,
         trust=[trustworthiness(Z, places, n_neighbors=k) for k in (5, 10)])


PROBLEMS = {
    "logistic_many_rows": (logistic, dict(rows=200, columns=12, classes=4, apart=0.7, C=1.0)),
    "logistic_few_rows": (logistic, dict(rows=30, columns=90, classes=3, apart=0.5, C=1.0)),
    "logistic_small_C": (logistic, dict(rows=120, columns=20, classes=6, apart=0.7, C=2.0 ** -10)),
    "logistic_large_C": (logistic, dict(rows=150, columns=30, classes=5, apart=0.4, C=512.0)),
    "logistic_many_classes": (logistic, dict(rows=190, columns=40, classes=19, apart=0.6, C=4.0)),
    "choice_many_rows": (choice_of_C, dict(rows=300, columns=24, classes=5, apart=0.35)),
    "choice_few_rows": (choice_of_C, dict(rows=60, columns=128, classes=4, apart=0.25)),
    "choice_common_part": (choice_of_C, dict(rows=300, columns=40, classes=6, apart=0.4, common=4)),
    "clusters_low": (clusters, dict(rows=900, columns=3, count=9)),
    "clusters_high": (clusters, dict(rows=700, columns=40, count=13, apart=0.3)),
    "clusters_empty": (clusters, dict(rows=500, columns=6, count=8, far=True)),
    "start_groups": (start, dict(rows=2500, columns=8, groups=25, count=25)),
    "start_more": (start, dict(rows=3000, columns=16, groups=10, count=60)),
    "map_groups": (map_of_points, dict(rows=300, columns=10, groups=6, apart=1.5, perplexity=20)),
    "map_ball": (map_of_points, dict(rows=1000, columns=8, groups=1, apart=0, perplexity=30)),
    "multinomial_many_rows": (multinomial, dict(rows=200, columns=12, classes=4, apart=0.7, C=1.0)),
    "multinomial_few_rows": (multinomial, dict(rows=40, columns=90, classes=3, apart=0.5, C=10.0)),
    "multinomial_large_C": (multinomial, dict(rows=190, columns=40, classes=19, apart=0.6, C=1000.0)),
    "softmax_few_classes": (softmax, dict(rows=300, columns=5, classes=3, apart=0.5)),
    "softmax_many_classes": (softmax, dict(rows=600, columns=8, classes=7, apart=0.4)),
}


def main(out):
    shutil.rmtree(out, ignore_errors=True)
    for number, (name, (make, options)) in enumerate(PROBLEMS.items()):
        folder = os.path.join(out, name)
        os.makedirs(folder)

        def save(**arrays):
            for key, value in arrays.items():
                np.save(os.path.join(folder, key + ".npy"), np.atleast_1d(np.asarray(value, dtype=np.float64)))

        make(np.random.default_rng(number), save, **options)


if __name__ == "__main__":
    main(sys.argv[1])
