"""Node classification with few labels on graphs whose nodes have features.

    from scrl import SCRLClassifier
    clf = SCRLClassifier().fit(X, y, graph=A)    # y: -1, None or NaN where the label is not known
    clf.predict()                                # of every node

Nothing is imported before it is used: scikit-learn comes with the first estimator.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import model_selection as model_selection
    from ._core import simd_level as simd_level
    from ._core import version as __version__
    from ._errors import DataError as DataError, DivergedError as DivergedError, Error as Error, RunError as RunError
    from ._errors import ModelFileError as ModelFileError, ResourceError as ResourceError, UsageError as UsageError
    from ._experiments import compare as compare, inspect as inspect, load_dataset as load_dataset
    from ._experiments import save_dataset as save_dataset, tune as tune
    from ._graphs import Graph as Graph
    from ._methods import *
    from ._trust import query as query, suspects as suspects

_HOMES = {
    "_core": ("simd_level",),
    "_errors": ("Error", "UsageError", "DataError", "ModelFileError", "ResourceError", "DivergedError", "RunError"),
    "_experiments": ("compare", "inspect", "load_dataset", "save_dataset", "tune"),
    "_graphs": ("Graph",),
    "_trust": ("query", "suspects"),
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return importlib.import_module("scrl._core").version
    if name == "model_selection":
        return importlib.import_module("scrl.model_selection")
    if name.startswith("_"):
        raise AttributeError(f"module 'scrl' has no attribute '{name}'")
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"scrl.{home}"), name)
    return getattr(importlib.import_module("scrl._methods"), name)


def __dir__() -> list[str]:
    methods: list[str] = importlib.import_module("scrl._methods").__all__
    return sorted([*globals(), *methods, *(name for names in _HOMES.values() for name in names), "model_selection"])
