"""DeepWalk and LINE on a small graph with groups: their vectors tell pairs of one group from other pairs, as well
as those of gensim's Word2Vec where that is installed (bench/peers/venv.sh installs it)."""
import importlib.util
import unittest

import numpy as np

from program import ProgramTest

GROUPS, SIZE = 4, 40
NODES = GROUPS * SIZE


def graph():
    """Edges both ways, within groups ten times as likely as between them."""
    rng = np.random.default_rng(1)
    group = np.arange(NODES) // SIZE
    chance = np.where(group[:, None] == group, 0.2, 0.02)
    joined = np.triu(rng.random((NODES, NODES)) < chance, 1)
    return joined | joined.T, group


def told_apart(vectors, group):
    """How often a pair within a group is nearer, by angle, than a pair across groups."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    pairs = np.triu_indices(NODES, 1)
    near = (unit @ unit.T)[pairs]
    same = (group[:, None] == group)[pairs]
    order = near.argsort().argsort() + 1
    inside = same.sum()
    return (order[same].sum() - inside * (inside + 1) / 2) / (inside * (~same).sum())


def walks(A, count, length):
    rng, out = np.random.default_rng(2), []
    for _ in range(count):
        for node in range(NODES):
            walk = [node]
            while len(walk) < length:
                walk.append(rng.choice(np.flatnonzero(A[walk[-1]])))
            out.append([str(n) for n in walk])
    return out


class SkipgramTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.A, self.group = graph()
        self.assertTrue(self.A.any(1).all())
        self.write("g/edges.csv", "".join(f"{i},{j}\n" for i, j in np.argwhere(np.triu(self.A))))
        self.write("g/labels.csv", "".join(f"{i},{g}\n" for i, g in enumerate(self.group)))
        self.write("g/features.csv", "1\n" * NODES)

    def vectors(self, method, *settings):
        args = [word for s in ("seed=1", *settings) for word in ("--set", s)]
        self.train("g", "-m", method, "-l", "5", "-o", method, *args)
        ids = [int(line) for line in (self.path / method / "ids.txt").read_text().split()]
        rows = np.load(self.path / method / "embeddings.npy")
        return rows[np.argsort(ids)]

    def peer(self, sentences, **options):
        from gensim.models import Word2Vec
        model = Word2Vec(sentences, vector_size=32, min_count=0, sg=1, sample=0, workers=1, seed=1, alpha=0.025,
                         **options)
        return np.stack([model.wv[str(i)] for i in range(NODES)])

    have_gensim = importlib.util.find_spec("gensim") is not None

    def test_deepwalk(self):
        got = told_apart(self.vectors("deepwalk", "dim=32", "walks=10", "length=40", "window=5", "epochs=3"), self.group)
        self.assertGreater(got, 0.9)
        if self.have_gensim:
            peer = self.peer(walks(self.A, 10, 40), window=5, hs=1, negative=0, epochs=3)
            self.assertGreater(got, told_apart(peer, self.group) - 0.02)

    def test_line(self):
        got = told_apart(self.vectors("line", "dim=16", "samples=400000", "negative=5"), self.group)
        self.assertGreater(got, 0.85)
        if self.have_gensim:
            edges = [[str(i), str(j)] for i, j in np.argwhere(np.triu(self.A))]
            peer = self.peer(edges, window=1, hs=0, negative=5, epochs=400000 // (2 * len(edges)))
            self.assertGreater(got, told_apart(peer, self.group) - 0.02)


if __name__ == "__main__":
    unittest.main()
