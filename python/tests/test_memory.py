"""Features go to the engine without a copy. In a process of its own, where nothing else moves the peak."""
import subprocess
import sys

SCRIPT = """
import numpy as np
from scipy import sparse
import scrl
from scrl import _core

def peak():
    return int(next(l for l in open("/proc/self/status") if l.startswith("VmHWM")).split()[1]) / 1024

class Reached(Exception):
    pass

def reached(*args):
    raise Reached

rows, per_row = 10_000, 1000
X = sparse.csr_array((np.ones(rows * per_row, np.float32), np.tile(np.arange(per_row, dtype=np.int32) * 5, rows),
                      np.arange(0, rows * per_row + 1, per_row, dtype=np.int32)), shape=(rows, 5 * per_row))
A = sparse.eye_array(rows, format="csr", dtype=np.float32)
y = np.full(rows, -1)
y[:8] = [0, 1] * 4
clf = scrl.MLPClassifier(epochs=1)
open("/proc/self/clear_refs", "w").write("5")  # the peak is counted from here
before = peak()
_core.fit = reached
try:
    clf.fit(X, y, graph=A)
except Reached:
    print((peak() - before) / ((X.data.nbytes + X.indices.nbytes + X.indptr.nbytes) / 2**20))
"""


def test_the_peak_grows_by_less_than_five_percent_of_the_matrix():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 0.05
