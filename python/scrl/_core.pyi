from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

version: str
commit: str

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]

def simd_level() -> str: ...
def methods() -> list[dict[str, Any]]: ...

class Dataset:
    @property
    def name(self) -> str: ...
    @property
    def nodes(self) -> int: ...
    @property
    def ids(self) -> list[str]: ...
    @property
    def classes(self) -> list[str]: ...
    @property
    def labels(self) -> Ints: ...
    @property
    def features(self) -> tuple[npt.NDArray[np.int64], Ints, Floats, int]: ...
    @property
    def edges(self) -> tuple[Ints, Ints, Floats]: ...
    def split(self, labels: int, seed: int) -> tuple[Ints, Ints, Ints]: ...

def load_dataset(what: str) -> Dataset: ...
def inspect(data: Dataset, k: int) -> str: ...

class Rows:
    def __init__(self, indptr: npt.NDArray[Any], indices: npt.NDArray[Any], data: Floats, rows: int, cols: int) -> None: ...

class Model:
    @property
    def method(self) -> str: ...
    @property
    def settings(self) -> dict[str, str]: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes) -> Model: ...
    def save(self, path: str) -> None: ...

def fit(
    features: Rows,
    edges: Rows | None,
    labels: Ints,
    classes: Sequence[str],
    train: Ints,
    val: Ints,
    settings: Mapping[str, str],
    threads: int,
    callback: Callable[[dict[str, Any]], bool] | None,
) -> dict[str, Any]: ...
def predict_graph(
    model: Model, features: Rows, edges: Rows | None, threads: int
) -> tuple[Ints, Floats, Floats]: ...
def compare(
    data: Sequence[str],
    methods: str,
    labels: str,
    protocols: str,
    seeds: int,
    settings: Mapping[str, str],
    folder: str,
) -> str: ...
def tune(
    data: str,
    method: str,
    labels: int,
    budget: str,
    space: Sequence[str],
    seeds: int,
    settings: Mapping[str, str],
    folder: str,
) -> str: ...
def tsne(points: Floats, seed: int) -> Floats: ...
