#!/usr/bin/env python3
"""Writes python/scrl/_methods.pyi: the estimators with their parameters, for editors and type checkers.

    python tools/make_python_stubs.py python/scrl/_methods.pyi    # with an installed scrl"""
import pathlib
import sys

from scrl import _core
from scrl._base import COMMON
from scrl._methods import METHODS, NOT_PARAMETERS, parameter

HEAD = '''# Made by tools/make_python_stubs.py from the table of methods.
from typing import Literal

from numpy.random import RandomState

from ._base import NodeClassifier, NodeEstimator, NodeTransformer, TransductiveClassifier

NOT_PARAMETERS: set[str]
METHODS: dict[str, type[NodeEstimator]]

def parameter(key: str) -> str: ...
def class_name(method: str, labels: bool) -> str: ...
'''
COMMON_TYPES = {"random_state": "int | RandomState | None", "n_jobs": "int | None", "verbose": "bool"}


def type_of(option):
    if type(option["default"]) is not str:
        return type(option["default"]).__name__
    if option["choices"]:
        return f"Literal[{', '.join(repr(c) for c in option['choices'])}]".replace("'", '"')
    return "str"


def stub(info):
    cls = METHODS[info["name"]]
    lines = [f"class {cls.__name__}({cls.__mro__[1].__name__}):", "    def __init__(", "        self,", "        *,"]
    for option in info["options"]:
        if option["key"] not in NOT_PARAMETERS:
            default = repr(option["default"]).replace("'", '"')
            lines.append(f"        {parameter(option['key'])}: {type_of(option)} = {default},")
    lines += [f"        {name}: {COMMON_TYPES[name]} = {default!r}," for name, default in COMMON.items()]
    return "\n".join([*lines, "    ) -> None: ..."])


def text():
    names = "".join(f'    "{name}",\n' for name in sorted(cls.__name__ for cls in METHODS.values()))
    return HEAD + f"\n__all__ = [\n{names}]\n\n" + "\n".join(stub(info) for info in _core.methods()) + "\n"


if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).write_text(text())
