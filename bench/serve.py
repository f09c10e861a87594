#!/usr/bin/env python3
"""Load on scrl serve, by wrk on the same machine.

  bench/serve.py [--data demo:nodes=20000] [--method scrl] [--seconds 10] [--rounds 5] [--connections 32] [--scrl build/scrl]

Trains a model unless --run names one, serves it, and asks for known nodes one by one (GET /v1/nodes/ID) and for new
nodes (POST /v1/predict, --per-request of them, each with 50 features and 3 neighbours). Server and wrk share the cores
and the loopback interface. Prints every round and the best: requests and nodes per second, the 50th and 99th percentile
of the time of an answer, the processor time of the server for a node, and its memory before and after."""
import argparse
import json
import pathlib
import random
import re
import signal
import subprocess
import tempfile
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
UNITS = {"us": 1e-3, "ms": 1.0, "s": 1e3, "m": 6e4}

KNOWN = """
local ids = {%s}
local at = 0
request = function()
  at = at %% #ids + 1
  return wrk.format("GET", "/v1/nodes/" .. ids[at])
end
"""
NEW = """
local bodies = {%s}
local at = 0
wrk.headers["Content-Type"] = "application/json"
request = function()
  at = at %% #bodies + 1
  return wrk.format("POST", "/v1/predict", nil, bodies[at])
end
"""


def ask(url, path):
    with urllib.request.urlopen(url + path) as answer:
        return answer.read().decode()


def metric(url, name):
    return float(re.search(rf"(?m)^{name} (\S+)", ask(url, "/metrics"))[1])


def resident(url):
    return metric(url, "process_resident_memory_bytes") / 1e6


def answered(url):
    return sum(float(n) for n in re.findall(r'(?m)^scrl_predicted_nodes_total\S* (\S+)', ask(url, "/metrics")))


def milliseconds(text):
    value, unit = re.fullmatch(r"([\d.]+)(us|ms|s|m)", text).groups()
    return float(value) * UNITS[unit]


def wrk(url, script, a):
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as f:
        f.write(script)
        f.flush()
        done = subprocess.run(["wrk", "-t1", f"-c{a.connections}", f"-d{a.seconds}s", "--latency", "-s", f.name, url],
                              capture_output=True, text=True, check=True)
    out = done.stdout
    bad = re.search(r"(Non-2xx.*|Socket errors.*)", out)
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", out)[1])
    p50, p99 = (milliseconds(re.search(rf"\s+{p}%\s+(\S+)", out)[1]) for p in (50, 99))
    return rate, p50, p99, bad[1].strip() if bad else ""


def new_nodes(ids, model, per_request, draw):
    columns = model["features"]
    nodes = [{"id": f"new {i}", "features": {str(c): 1 for c in draw.sample(range(columns), min(50, columns))},
              "neighbours": draw.sample(ids, 3)} for i in range(per_request)]
    return json.dumps({"nodes": nodes}, separators=(",", ":"))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", default="demo:nodes=20000")
    p.add_argument("--method", default="scrl")
    p.add_argument("--run", help="a run folder, in place of a training")
    p.add_argument("--seconds", type=int, default=10)
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--connections", type=int, default=32)
    p.add_argument("--per-request", type=int, default=1)
    p.add_argument("--scrl", default=str(ROOT / "build/scrl"))
    a = p.parse_args()
    draw = random.Random(1)
    with tempfile.TemporaryDirectory() as work:
        run = a.run or work + "/run"
        if not a.run:
            subprocess.run([a.scrl, "train", a.data, "-m", a.method, "-o", run, "-q"], check=True)
        server = subprocess.Popen([a.scrl, "serve", run, "--port", "0"], stdout=subprocess.PIPE, text=True)
        try:
            line = server.stdout.readline().strip()
            print(line)
            url = line.rsplit(" ", 1)[1]
            model = json.loads(ask(url, "/v1/model"))
            ids = pathlib.Path(run, "ids.txt").read_text().split("\n")[:-1]
            known = KNOWN % ",".join(json.dumps(i) for i in draw.sample(ids, min(2000, len(ids))))
            new = NEW % ",".join(json.dumps(new_nodes(ids, model, a.per_request, draw)) for _ in range(200))
            for what, script, nodes in (("known nodes, one a request", known, 1),
                                        (f"new nodes, {a.per_request} a request", new, a.per_request)):
                before, rounds = resident(url), []
                for _ in range(a.rounds):
                    cpu, done = metric(url, "process_cpu_seconds_total"), answered(url)
                    rate, p50, p99, bad = wrk(url, script, a)
                    cpu = 1e6 * (metric(url, "process_cpu_seconds_total") - cpu) / max(1, answered(url) - done)
                    rounds.append((rate, p50, p99, cpu))
                    print(f"  {what}: {rate:.0f} requests/s, {rate * nodes:.0f} nodes/s, p50 {p50:.2f} ms, "
                          f"p99 {p99:.2f} ms, {cpu:.0f} us of processor a node {bad}")
                best = max(rounds)
                print(f"best of {a.rounds}: {what}: {best[0] * nodes:.0f} nodes/s, p50 {best[1]:.2f} ms, p99 {best[2]:.2f} ms, "
                      f"{min(r[3] for r in rounds):.0f} us of processor a node; "
                      f"memory {before:.0f} -> {resident(url):.0f} MB")
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(timeout=60)


if __name__ == "__main__":
    main()
