"""The built-in graph of scrl for programs in Python: the same draws as src/data/demo.cc, which says what they mean.
Its published split is left out; splits come from the program (accuracy_data.py)."""
import numpy as np
import scipy.sparse as sp

DEFAULTS = {"nodes": 1200, "seed": 0, "classes": 6, "degree": 6, "features": 600, "words": 20}
NAMES = "amber birch coral dune ember fern grove heath iris jade kelp larch".split()
SAME_CLASS, SAME_COMMUNITY, CLASS_WORD, TOPIC_WORD, OFF_TOPIC, ISOLATED = 0.14, 0.60, 0.09, 0.37, 0.05, 0.03
LOW = 0xFFFFFFFF


class Rng:
    """Philox4x32-10 in sequence, as Rng of src/base/rng.h for the purpose of the built-in graph."""

    def __init__(self, seed, stream):
        self.key, self.tag, self.position = (seed & LOW, seed >> 32), 4 << 24 | stream, 0

    def next(self):
        c, (k0, k1) = (self.position & LOW, self.position >> 32, 0, self.tag), self.key
        for _ in range(10):
            p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
            c = (p1 >> 32 ^ c[1] ^ k0, p1 & LOW, p0 >> 32 ^ c[3] ^ k1, p0 & LOW)
            k0, k1 = (k0 + 0x9E3779B9) & LOW, (k1 + 0xBB67AE85) & LOW
        self.position += 1
        return c[1] << 32 | c[0]

    def uniform(self):
        return (self.next() >> 11) * 2.0 ** -53

    def below(self, n):
        return self.next() * n >> 64


def options(spec):
    """The numbers of 'demo' or 'demo:nodes=400,seed=3'."""
    given = dict(item.split("=") for item in spec.partition(":")[2].split(",") if item)
    return DEFAULTS | {key: int(value) for key, value in given.items()}


def edges(o, labels):
    rng, out = Rng(o["seed"], 2), []
    isolated = [rng.uniform() < ISOLATED for _ in labels]
    members = [[i for i, c in enumerate(labels) if c == k and not isolated[i]] for k in range(o["classes"])]
    everyone = sum(members, [])

    def pick(among):
        return among[rng.below(len(among))] if among else -1

    for i, c in enumerate(labels):
        if isolated[i]:
            continue
        pair, mine = 2 * (c // 2), []
        for _ in range(rng.below(o["degree"] + 1)):
            u = rng.uniform()
            j = pick(members[c] if u < SAME_CLASS
                     else members[pair] + members[pair + 1] if u < SAME_CLASS + SAME_COMMUNITY else everyone)
            if j >= 0 and j != i and j not in mine:
                mine.append(j)
        out += [(i, j) for j in mine]
    return np.array(out, dtype=np.int64).reshape(-1, 2)


def features(o, labels):
    rng, pairs = Rng(o["seed"], 3), o["classes"] // 2
    topic_words, class_words = o["features"] // 2 // pairs, o["features"] // 6 // o["classes"]
    X = sp.lil_matrix((o["nodes"], o["features"]), dtype=np.float32)
    for i, c in enumerate(labels):
        topic = rng.below(pairs) if rng.uniform() < OFF_TOPIC else (c + 1) // 2 % pairs
        for _ in range(o["words"]):
            u = rng.uniform()
            if u < CLASS_WORD:
                word = pairs * topic_words + c * class_words + rng.below(class_words)
            elif u < CLASS_WORD + TOPIC_WORD:
                word = topic * topic_words + rng.below(topic_words)
            else:
                word = rng.below(o["features"])
            X[i, word] = 1
    return X.tocsr()


def make(spec):
    """(ids, features, names of the classes of all nodes, edges)"""
    o = options(spec)
    labels, rng = [i % o["classes"] for i in range(o["nodes"])], Rng(o["seed"], 1)
    for i in range(len(labels), 1, -1):
        j = rng.below(i)
        labels[i - 1], labels[j] = labels[j], labels[i - 1]
    digits = max(4, len(str(o["nodes"] - 1)))
    names = [NAMES[c] if c < len(NAMES) else f"{NAMES[c % len(NAMES)]}{c // len(NAMES) + 1}"
             for c in range(o["classes"])]
    return [f"n{i:0{digits}d}" for i in range(o["nodes"])], features(o, labels), [names[c] for c in labels], \
        edges(o, labels)
