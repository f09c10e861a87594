"""In an environment that holds the wheel and what it needs, nothing else: import, train, predict, store."""
import pickle
import subprocess
import sys

TIMED = "import time; t = time.perf_counter(); import scrl; print(time.perf_counter() - t)"


def main():
    seconds = min(float(subprocess.run([sys.executable, "-c", TIMED], capture_output=True, text=True, check=True).stdout)
                  for _ in range(3))
    assert seconds < 0.15, f"import scrl took {seconds:.3f} s"

    import scrl

    data = scrl.load_dataset("demo:nodes=300")
    clf = scrl.SCRLClassifier(epochs=20).fit(data.X, data.y, graph=data.graph, train=data.train, val=data.val)
    right = (clf.predict()[data.test] == data.y[data.test]).mean()
    assert right > 0.6, right
    assert (pickle.loads(pickle.dumps(clf)).predict_proba(data.X[:5]) == clf.predict_proba(data.X[:5])).all()
    print(f"python: {sys.version.split()[0]}: import in {1000 * seconds:.0f} ms, {100 * right:.1f} % right, {clf.result_hash_}")


if __name__ == "__main__":
    main()
