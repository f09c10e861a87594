"""One estimator per method of the engine, with the method's settings as parameters. The registry says which.

tools/make_python_stubs.py writes _methods.pyi, from which editors and type checkers know the parameters.
"""

from __future__ import annotations

from inspect import Parameter, Signature
from keyword import iskeyword
from typing import Any

from . import _core
from ._base import COMMON, NodeClassifier, NodeEstimator, NodeTransformer, TransductiveClassifier

# Settings of a run on the command line that an estimator has no use for, or has another name for.
NOT_PARAMETERS = {"method", "profile", "seeds", "seed", "checkpoint_secs", "snapshots", "split", "labels", "val_nodes",
                  "test_nodes", "test_share"}
SPELLED = {"auto": "Auto", "scrl": "SCRL", "scrl-paper": "SCRLPaper", "gcn-tf": "GCNTF", "knn-gcn": "KNNGCN",
           "chebnet": "ChebNet", "demo-net": "DemoNet", "mixhop": "MixHop", "deepwalk": "DeepWalk",
           "logreg": "LogReg", "label-propagation": "LabelPropagation", "correct-smooth": "CorrectSmooth"}


def parameter(key: str) -> str:
    """A setting as the name of a parameter: 'lambda' is a word of the language."""
    return key + "_" if iskeyword(key) else key


def class_name(method: str, labels: bool) -> str:
    return SPELLED.get(method, method.replace("-", "").upper()) + ("Classifier" if labels else "")


def _documentation(info: dict[str, Any]) -> str:
    lines = [f"Method {info['name']}: {info['summary']}.", "", "Parameters", "----------"]
    for option in info["options"]:
        if option["key"] not in NOT_PARAMETERS:
            lines += [f"{parameter(option['key'])} : {option['range'] or 'text'}, default={option['default']!r}", f"    {option['help']}"]
    lines += ["random_state : int, RandomState or None, default=0", "    seed of every random choice",
              "n_jobs : int or None, default=None", "    threads; None or -1: one per core. Results do not depend on it",
              "verbose : bool, default=False", "    show progress"]
    return "\n".join(lines)


def _initializer(defaults: dict[str, Any]) -> Any:
    def __init__(self: Any, **params: Any) -> None:
        for name in params:
            if name not in defaults:
                raise TypeError(f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(defaults)}")
        for name, value in defaults.items():
            setattr(self, name, params.get(name, value))

    me = Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)
    rest = [Parameter(name, Parameter.KEYWORD_ONLY, default=value) for name, value in defaults.items()]
    __init__.__signature__ = Signature([me, *rest])  # type: ignore[attr-defined]
    return __init__


def _estimator(info: dict[str, Any]) -> type[NodeEstimator]:
    settings = {o["key"]: o["default"] for o in info["options"] if o["key"] not in NOT_PARAMETERS}
    own_nodes_alone = info["features"] and not info["new_nodes"]  # without features, the mean of neighbours serves
    base = TransductiveClassifier if own_nodes_alone else NodeClassifier if info["labels"] else NodeTransformer
    name = class_name(info["name"], info["labels"])
    parameters = {parameter(key): value for key, value in settings.items()}
    return type(name, (base,), {"__init__": _initializer({**parameters, **COMMON}), "__doc__": _documentation(info),
                                "__module__": __name__, "method": info["name"], "defaults": settings})


METHODS: dict[str, type[NodeEstimator]] = {info["name"]: _estimator(info) for info in _core.methods()}
__all__ = sorted(cls.__name__ for cls in METHODS.values())
globals().update({cls.__name__: cls for cls in METHODS.values()})
