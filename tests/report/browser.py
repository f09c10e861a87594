"""The pages of scrl report and scrl serve in a real browser: makes the runs and starts the servers, then
browser_test.mjs and serve_test.mjs look at the pages.

Skipped (exit code 77) where there is no chromium, no Node or no npm, or where the test packages of
package-lock.json cannot be had. SCRL is the program, WORK a folder for packages, runs and pictures."""
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
WORK = pathlib.Path(os.environ["WORK"])
SCRL = os.path.abspath(os.environ["SCRL"])
FAST = ["--set", "epochs=30"]
NASTY = ["</script><script>window.hacked=1</script>", "<img src=x onerror=window.hacked=2>", "\"quoted\" & 'single'",
         "🦉 owl", "שלום עולם", "‮reversed", "{{x}}", "a;b", "plain", "ten"]


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def scrl(*args):
    env = dict(os.environ, SCRL_CACHE="off")
    done = subprocess.run([SCRL, *map(str, args)], cwd=WORK, env=env, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True)
    if done.returncode:
        sys.exit(f"scrl {' '.join(map(str, args))}\n{done.stdout}{done.stderr}")
    return done.stdout


def packages():
    """npm ci into WORK, unless this very lock file has been installed before."""
    lock = (HERE / "package-lock.json").read_bytes()
    stamp = WORK / "installed.json"
    if stamp.exists() and stamp.read_bytes() == lock:
        return
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, WORK / name)
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"]
    try:
        done = subprocess.run(command, cwd=WORK, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        skip("npm ci took more than five minutes")
    if done.returncode:
        skip(f"npm ci failed; is the network up?\n{done.stderr[-1000:]}")
    stamp.write_bytes(lock)


def nasty_data():
    """Ten nodes in a ring with one chord; names that would be markup if they were not escaped."""
    folder = WORK / "nasty"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    ids = NASTY
    quoted = ['"' + i.replace('"', '""') + '"' for i in ids]
    edges = [(i, (i + 1) % 10) for i in range(10)] + [(0, 5)]
    (folder / "ids.txt").write_text("".join(i + "\n" for i in ids))
    (folder / "edges.csv").write_text("source,target\n" + "".join(f"{quoted[a]},{quoted[b]}\n" for a, b in edges))
    rows = [f"{int(i < 5)},{int(i >= 5)},{i % 3}" for i in range(10)]
    (folder / "features.csv").write_text("id,f0,f1,f2\n" + "".join(f"{q},{r}\n" for q, r in zip(quoted, rows)))
    classes = ['"</td></table><b>first"', '"<script>window.hacked=3</script>"']
    (folder / "labels.csv").write_text("id,label\n" + "".join(f"{q},{classes[i // 5]}\n" for i, q in enumerate(quoted)))


def runs():
    for name in ("scrl", "gcn", "odd", "large"):
        shutil.rmtree(WORK / name, ignore_errors=True)
    nasty_data()
    scrl("train", "demo", "-m", "scrl", "-o", "scrl", "--seeds", 2, "--snapshots", "every:10", *FAST, "-q")
    scrl("train", "demo", "-m", "gcn", "-o", "gcn", *FAST, "-q")
    scrl("train", "nasty", "-m", "scrl", "-o", "odd", "-k", 2, "--set", "epochs=5", "-q")
    scrl("train", "demo:nodes=20000", "-m", "gcn", "-o", "large", "--set", "epochs=3", "--set", "hidden1=16",
         "--snapshots", "0,2", "-q")
    scrl("report", "scrl", "-q")
    scrl("report", "scrl", "gcn", "-o", "two.html", "-q")
    scrl("report", "odd", "-q")
    scrl("report", "large", "--layout", "pca", "-q")
    (WORK / "eval.json").write_text(scrl("eval", "scrl", "--json"))


@contextlib.contextmanager
def server(run):
    """Yields the address of scrl serve."""
    env = dict(os.environ, SCRL_CACHE="off")
    process = subprocess.Popen([SCRL, "serve", *run.split(), "--port", "0"], cwd=WORK, env=env, stdout=subprocess.PIPE, text=True)
    try:
        yield process.stdout.readline().strip().rsplit(" ", 1)[-1]
    finally:
        process.terminate()
        process.communicate(timeout=60)


def main():
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not chromium:
        skip("no chromium; './dev test' installs it")
    if not shutil.which("node") or not shutil.which("npm"):
        skip("no Node or no npm; './dev test' installs them")
    if not json.loads(subprocess.run([SCRL, "version", "--json"], capture_output=True, text=True,
                                     check=True).stdout)["report_pictures"]:
        skip("this program was built without esbuild")
    WORK.mkdir(parents=True, exist_ok=True)
    packages()
    types = subprocess.run(["node", WORK / "node_modules/typescript/bin/tsc", "-p", HERE.parent.parent / "report"])
    if types.returncode:
        sys.exit("the types of report/src do not fit")
    runs()
    (WORK / "shots").mkdir(exist_ok=True)
    env = dict(os.environ, CHROMIUM=chromium, WORK=str(WORK), NASTY=json.dumps(NASTY))
    failed = subprocess.run(["node", HERE / "browser_test.mjs"], env=env).returncode
    if "libmicrohttpd" in subprocess.run([SCRL, "serve", "nowhere"], capture_output=True, text=True).stderr:
        print("the page of scrl serve is not tested: this program was built without libmicrohttpd")
        sys.exit(failed)
    with server("scrl") as url, server("odd") as odd, server("odd/model.scrl nasty") as alone:
        env.update(SERVER=url, ODD=odd, ALONE=alone)
        sys.exit(subprocess.run(["node", HERE / "serve_test.mjs"], env=env).returncode or failed)


if __name__ == "__main__":
    main()
