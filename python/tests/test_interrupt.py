"""Ctrl-C while the engine trains, in a process of its own."""
import signal
import subprocess
import sys
import time

TRAIN = """
import time
import numpy as np
import scrl
random = np.random.default_rng(0)
X = random.random((2000, 400)).astype(np.float32)
y = np.arange(2000) % 4
print("ready", flush=True)
try:
    scrl.{cls}(epochs=100000, patience=0).fit(X, y, callback=lambda e: print("epoch", flush=True) if e["epoch"] == 1 else None)
except KeyboardInterrupt:
    print("interrupted", time.monotonic(), flush=True)
print(scrl.GCNClassifier(epochs=2).fit(X, y).result_hash_)
"""


def interrupted(cls):
    process = subprocess.Popen([sys.executable, "-c", TRAIN.format(cls=cls)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    assert process.stdout.readline() == "epoch\n"
    time.sleep(0.3)
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    word, at = process.stdout.readline().split()
    assert word == "interrupted"
    hash_after = process.stdout.readline().strip()
    assert process.wait(60) == 0 and len(hash_after) >= 16, "the process goes on after it"
    return float(at) - sent


def test_ctrl_c_raises_keyboard_interrupt_within_an_epoch():
    assert interrupted("GCNClassifier") < 5
