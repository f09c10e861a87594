"""Settings of the peers of the judge of accuracy (bench/accuracy.py), the same on every data set.

Networks have 64 hidden units (GAT 8 heads of 8), at most 500 epochs and a patience of 100 under `val`, 200 epochs under
`fixed`. Weight decay acts on the first layer alone in GCN and APPNP, on all but the weights of the powers in GPRGNN, on
everything in the others, as their authors have it. Rows of features have length 1 and not sum 1 as in many examples:
with sum 1 GCN is much worse on photo, whose nodes have hundreds of features. On texas GCN and APPNP are better with it."""

PENALTIES = (0.01, 0.1, 1, 10, 100, 1000)  # inverse strengths: chosen on validation nodes or by cross-validation
ROWS = "length 1"  # part of what decides a result, so of every cell
SETTINGS = {
    "gcn": dict(hidden=64, lr=0.01, decay=5e-4, dropout=0.5),
    "gat": dict(hidden=8, heads=8, lr=0.005, decay=5e-4, dropout=0.6),
    "appnp": dict(hidden=64, lr=0.01, decay=5e-3, dropout=0.5, steps=10, restart=0.1),
    "gprgnn": dict(hidden=64, lr=0.01, decay=5e-4, dropout=0.5, steps=10, restart=0.1),
    "h2gcn": dict(hidden=64, lr=0.01, decay=5e-4, dropout=0.5, rounds=2),
    # Bases: the MLP after its last epoch; at its best epoch on validation nodes, which is often early, with
    # probabilities too even for smoothing; and a linear layer. Forms: share that is spread when correcting, when
    # smoothing, and scale of the correction (0: by the errors, as the layer does by itself; 20: as in PyTorch
    # Geometric's example). Under `fixed` the first base and form count.
    "correct-smooth": dict(hidden=64, lr=0.01, decay=5e-4, dropout=0.5, layers=50, bases=("last", "mlp", "linear"),
                           forms=((0.8, 0.8, 0.0), (1.0, 0.8, 20.0))),
    "logreg-x": dict(steps=0, strengths=PENALTIES, folds=5),
    "logreg-hops": dict(steps=2, strengths=PENALTIES, folds=5),
    # Above `columns` features each block becomes `rank` directions. Leaves take at least a fiftieth of the training
    # nodes, 1 to 20: with the usual 20 nothing could be split where labels are few.
    "lightgbm-hops": dict(steps=2, rank=256, columns=1000, rate=0.05, leaves=15, share=0.5),
}
