"""Features: whatever table or matrix the caller holds, as compressed sparse rows of float32.

A type is told by the module it comes from, so that nothing is imported which the caller has not. CSR in float32 is
used as it is, without a copy. Frames may mix numbers and categories; a category is one column per value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ._errors import DataError

MOST_CATEGORIES = 100  # of a column of texts that does not say it holds categories


def library(x: object) -> str:
    """The package that a type comes from: 'pandas', 'scipy', 'numpy', 'builtins' ..."""
    return type(x).__module__.partition(".")[0]


def is_frame(x: object) -> bool:
    return library(x) in ("pandas", "polars") and hasattr(x, "columns")


def frame_ids(frame: Any) -> list[Any] | None:
    """The ids of the rows: an index that is not 0, 1, 2 ..., or a column named id."""
    if library(frame) == "pandas" and not _counts_rows(frame.index):
        return list(frame.index)
    if is_frame(frame) and "id" in list(frame.columns):
        return list(frame["id"])
    return None


def _counts_rows(index: Any) -> bool:
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1


def without_ids(frame: Any) -> Any:
    if "id" not in list(frame.columns) or (library(frame) == "pandas" and not _counts_rows(frame.index)):
        return frame
    return frame.drop(columns="id") if library(frame) == "pandas" else frame.drop("id")


@dataclass(frozen=True)
class Column:
    """One column of a frame; `categories` is None where it holds numbers."""

    name: str
    categories: tuple[Any, ...] | None


def mixed_columns(frame: Any) -> list[Column] | None:
    """What the columns of a frame hold; None if all hold numbers, so that it is a matrix."""
    columns = [Column(str(name), _categories(str(name), frame[name])) for name in frame.columns]
    return columns if any(c.categories is not None for c in columns) else None


def _kind(column: Any) -> str:
    dtype = column.dtype
    if library(column) == "polars":
        return "f" if dtype.is_numeric() else {"Boolean": "b", "String": "O"}.get(str(dtype).partition("(")[0], "c")
    return "c" if str(dtype) == "category" else str(getattr(dtype, "kind", "O"))


def is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value)


def _categories(name: str, column: Any) -> tuple[Any, ...] | None:
    kind = _kind(column)
    if kind in "biuf":
        return None
    if kind in "Mm":
        raise DataError(f"column '{name}': found dates; turn them into numbers, or leave the column out")
    values = list(column)
    present = [v for v in values if not is_missing(v)]
    try:
        distinct = set(present)
    except TypeError:
        raise DataError(f"column '{name}': expected numbers or texts, found {type(present[0]).__name__}") from None
    if kind != "c" and len(distinct) > MOST_CATEGORIES:
        raise DataError(
            f"column '{name}': found {len(distinct)} different texts in {len(values)} rows. If they are categories, "
            f"make it a column of type category; if they are sentences, turn them into words with scikit-learn's "
            f"TfidfVectorizer; if they name the rows, make them the index or call the column id"
        )
    return tuple(sorted(distinct, key=str))


def encode(frame: Any, columns: list[Column]) -> Any:
    """The rows of a frame with the columns seen in training. A category that was not there is a row of zeros."""
    parts = [_numbers(c.name, frame[c.name]) if c.categories is None else _one_hot(frame[c.name], c.categories)
             for c in columns]
    return sparse.csr_array(sparse.hstack(parts, format="csr", dtype=np.float32))


def _numbers(name: str, column: Any) -> Any:
    if library(column) == "pandas":
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    else:
        values = column.cast(float).to_numpy() if hasattr(column, "cast") else np.asarray(column, dtype=np.float64)
    bad = int(np.count_nonzero(~np.isfinite(values)))
    if bad:
        raise DataError(f"column '{name}': {bad} of {len(values)} values are NaN or infinity; fill them or leave it out")
    return sparse.csr_array(values.astype(np.float32)[:, None])


def _one_hot(column: Any, categories: tuple[Any, ...]) -> Any:
    number = {value: i for i, value in enumerate(categories)}
    values = list(column)
    rows = [i for i, v in enumerate(values) if not is_missing(v) and v in number]
    places = [number[values[i]] for i in rows]
    ones = np.ones(len(rows), np.float32)
    return sparse.csr_array((ones, (rows, places)), shape=(len(values), len(categories)))


def canonical(x: Any) -> Any:
    """CSR with sorted and distinct columns: `x` itself if it is that already."""
    rows: Any = x if getattr(x, "format", "") == "csr" else sparse.csr_array(x)
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    return rows


def matrix_of(X: Any) -> Any:
    """A frame, an array or a matrix as canonical CSR."""
    columns = mixed_columns(X) if is_frame(X) else None
    return canonical(encode(X, columns) if columns else X if sparse.issparse(X) else np.asarray(X, np.float32))


def core_rows(x: Any) -> Any:
    """The arrays of a canonical CSR, lent to the engine."""
    from . import _core

    rows = canonical(x)
    return _core.Rows(rows.indptr, rows.indices, np.ascontiguousarray(rows.data, dtype=np.float32), *rows.shape)
