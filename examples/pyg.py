"""A PyG Data goes in, predictions come out. Without torch_geometric, an object with the same attributes serves."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

import scrl


def make_data(nodes: int = 600, classes: int = 4) -> Any:
    """x, edge_index, y and masks, as a data set of torch_geometric has them."""
    random = np.random.default_rng(0)
    y = random.integers(0, classes, nodes)
    x = (random.random((nodes, 80)) < 0.05 + 0.15 * (np.arange(80) % classes == y[:, None])).astype(np.float32)
    ends = random.integers(0, nodes, (2, 20 * nodes))
    edge_index = ends[:, (y[ends[0]] == y[ends[1]]) | (random.random(20 * nodes) < 0.05)]
    part = random.permutation(nodes)
    train, val, test = (np.isin(np.arange(nodes), part[a:b]) for a, b in ((0, 40), (40, 140), (140, nodes)))
    parts = {"x": x, "edge_index": edge_index, "y": y, "train_mask": train, "val_mask": val, "test_mask": test}
    try:
        import torch
        from torch_geometric.data import Data
    except ImportError:
        return SimpleNamespace(**parts)
    return Data(**{name: torch.from_numpy(np.ascontiguousarray(value)) for name, value in parts.items()})


def main() -> None:
    data = make_data()
    clf = scrl.SCRLClassifier().fit(data)  # labels outside train_mask and val_mask are not looked at
    test, y = np.asarray(data.test_mask), np.asarray(data.y)
    print(f"{type(data).__name__}: right on {100 * (clf.predict()[test] == y[test]).mean():.1f} % of {test.sum()} test nodes")


if __name__ == "__main__":
    main()
