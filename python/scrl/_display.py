"""What people look at: a bar while training, scores in a notebook, the embedding as a picture, the report."""

from __future__ import annotations

import html
import pathlib
import sys
import tempfile
from types import TracebackType
from typing import Any

import numpy as np
from scipy import sparse

from . import _core
from ._labels import UNLABELLED, encode_labels


class EpochBar:
    """The callback of a training. With `verbose` it draws a tqdm bar, if tqdm is there, or prints lines."""

    def __init__(self, verbose: bool, callback: Any) -> None:
        self.verbose, self.callback = verbose, callback
        self.bar: Any = None
        self.member = ""

    def __enter__(self) -> Any:
        return self if self.verbose or self.callback is not None else None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.bar is not None:
            self.bar.close()

    def __call__(self, epoch: dict[str, Any]) -> bool:
        if self.verbose:
            self._show(epoch)
        return bool(self.callback(epoch)) if self.callback is not None else False

    def _show(self, epoch: dict[str, Any]) -> None:
        text = f"loss {epoch['loss']:.4f}, train {epoch['train_accuracy']:.1f} %, val {epoch['val_accuracy']:.1f} %"
        try:
            from tqdm.auto import tqdm
        except ImportError:
            if epoch["epoch"] % 10 == 0 or epoch["epoch"] == epoch["epochs"]:
                print(f"{epoch['member']} epoch {epoch['epoch']}/{epoch['epochs']}: {text}", file=sys.stderr)
            return
        if self.bar is None or epoch["member"] != self.member:
            if self.bar is not None:
                self.bar.close()
            self.member = epoch["member"]
            self.bar = tqdm(total=epoch["epochs"], desc=self.member, unit="epoch")
        self.bar.set_postfix_str(text, refresh=False)
        self.bar.update(1)


class PlotAndReport:
    """Methods of a fitted estimator for people."""

    def plot(self, ax: Any = None, **kwargs: Any) -> Any:
        """The embedding in two dimensions (t-SNE), coloured by predicted class. Returns the matplotlib axes."""
        import matplotlib.pyplot as plt
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        me: Any = self
        points = _core.tsne(me.embedding_, me._seed())
        axes: Any = plt.subplots()[1] if ax is None else ax
        style = {"s": 6, **kwargs}
        if hasattr(self, "classes_"):
            for label in me.classes_:
                chosen = me.transduction_ == label
                axes.scatter(*points[chosen].T, label=str(label), **style)
            axes.legend(title="predicted", markerscale=2)
        else:
            axes.scatter(*points.T, **style)
        axes.set(title=type(self).__name__, xticks=[], yticks=[])
        return axes

    def report(self, path: str | pathlib.Path, y: Any = None) -> pathlib.Path:
        """Writes the report of `scrl report` as one HTML file that needs no network. The model is trained once more.

        `y` are the labels of all nodes, for scores on those that neither trained nor validated.
        """
        from sklearn.utils.validation import check_is_fitted

        from ._errors import RunError
        from ._experiments import save_dataset

        check_is_fitted(self, "classes_")
        me: Any = self
        trained = me._trained
        train, val = trained.split_used
        seen = np.union1d(train, val)
        labels: Any = np.full(len(trained.labels), None, dtype=object) if y is None else np.array(y, dtype=object)
        labels[seen] = me.classes_[trained.labels[seen]]
        test = np.setdiff1d(np.flatnonzero(encode_labels(labels, len(labels))[0] != UNLABELLED), seen)
        loop = sparse.csr_array(([1.0], ([0], [0])), shape=(len(labels),) * 2)  # files need an edge, even one unused
        with tempfile.TemporaryDirectory(prefix="scrl-") as folder:
            data = save_dataset(pathlib.Path(folder) / "data", trained.rows, labels, ids=me.node_ids_, train=train,
                                graph=loop if trained.edges is None else trained.edges, val=val, test=test)
            run = str(pathlib.Path(folder) / type(self).__name__)
            result_hash, page = _core.report(str(data), trained.settings, run, me._threads())
        if result_hash != me.result_hash_:
            raise RunError(f"report: the second training gave {result_hash}, expected {me.result_hash_}")
        pathlib.Path(path).write_text(page, encoding="utf-8")
        return pathlib.Path(path)

    def _repr_html_inner(self) -> str:
        me: Any = super()
        return str(me._repr_html_inner()) + self._scores_html()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        me: Any = super()
        bundle: dict[str, str] = dict(me._repr_mimebundle_(**kwargs))
        if "text/html" in bundle:
            bundle["text/html"] += self._scores_html()
        return bundle

    def _scores_html(self) -> str:
        """A small table below scikit-learn's diagram; nothing before fit()."""
        me: Any = self
        if not hasattr(self, "embedding_"):
            return ""
        rows = {"nodes": me.embedding_.shape[0], "features": me.n_features_in_, "best epoch": me.best_epoch_}
        if hasattr(self, "classes_"):
            rows["classes"] = ", ".join(map(str, me.classes_[:12])) + (" ..." if len(me.classes_) > 12 else "")
            if me.metrics_["val_nodes"]:
                rows["validation accuracy"] = f"{me.metrics_['val_accuracy']['mean']:.2f} %"
            rows["result hash"] = me.result_hash_
        cells = "".join(f"<tr><th>{html.escape(str(k))}</th><td>{html.escape(str(v))}</td></tr>" for k, v in rows.items())
        return f"<table>{cells}</table>"
