"""scrl serve: the real program, real sockets, real signals. Answers are compared with scrl predict, text by text."""
import contextlib
import csv
import http.client
import io
import json
import os
import re
import signal
import socket
import struct
import subprocess
import threading
import time
import unittest
import urllib.parse

from program import SCRL, ProgramTest

COLUMNS = 12


class Number(str):
    """A number of JSON as it was written."""


def exact(body):
    return json.loads(body, parse_float=Number, parse_int=Number)


class Server:
    """One scrl serve; `url` and `port` as it printed them."""

    def __init__(self, test, *args, program=SCRL, **env):
        self.process = subprocess.Popen([program, "serve", *map(str, args), "--port", "0"], cwd=test.path,
                                        env=test.environment(**env), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.first = self.process.stdout.readline()
        found = re.search(r" at http://127\.0\.0\.1:(\d+)$", self.first.strip())
        if not found:
            out, err = self.process.communicate(timeout=60)
            raise AssertionError(f"scrl serve {args}: {self.first}{out}{err}")
        self.port = int(found[1])

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def ask(self, method, path, body=None, connection=None):
        """status, headers, body"""
        c = connection or self.connect()
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        c.request(method, path, body, {"Content-Type": "application/json"} if body is not None else {})
        r = c.getresponse()
        text = r.read().decode()
        if not connection:
            c.close()
        return r.status, r.headers, text

    def get(self, path, status=200):
        got, _, text = self.ask("GET", path)
        assert got == status, f"{path}: {got} {text}"
        return text

    def predict(self, body, status=200):
        got, headers, text = self.ask("POST", "/v1/predict", body)
        assert got == status, f"{body}: {got} {text}"
        assert headers["Content-Type"] == ("application/json" if status == 200 else "application/problem+json")
        return exact(text) if status == 200 else json.loads(text)

    def raw(self, data, wait=60, half=False):
        """What comes back for these bytes, until the server closes. `half`: nothing more will be sent."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=wait) as s:
            with contextlib.suppress(ConnectionError):
                s.sendall(data)
                if half:
                    with contextlib.suppress(OSError):  # the server may have closed already
                        s.shutdown(socket.SHUT_WR)
            out = b""
            with contextlib.suppress(ConnectionError):
                while chunk := s.recv(65536):
                    out += chunk
            return out

    def metric(self, name):
        found = re.search(rf"^{re.escape(name)} (\S+)$", self.get("/metrics"), re.M)
        return float(found[1]) if found else 0.0

    def stop(self, how=signal.SIGTERM, code=0):
        self.process.send_signal(how)
        out, err = self.process.communicate(timeout=60)
        assert self.process.returncode == code, f"{self.process.returncode}\n{out}\n{err}"
        return out, err


class ServeTest(ProgramTest):
    def setUp(self):
        super().setUp()
        graph = self.path / "graph"
        graph.mkdir()
        self.names = [f"{side}{i}" for side in "ab" for i in range(30)] + ["odd/ id?%\"ä🦉"]
        rows = ["id," + ",".join(f"c{c}" for c in range(COLUMNS))]
        for i, n in enumerate(self.names):
            rows.append(csv_row([n] + [f"0.{i % 9 + 1}" if c // 6 == (n[0] == "b") and (i + c) % 4 else "0"
                                       for c in range(COLUMNS)]))
        edges = [f"{a},{b}" for s in (0, 30) for i in range(30)
                 for a, b in [(self.names[s + i], self.names[s + (i + 1) % 30]), (self.names[s + i], self.names[s + (i + 7) % 30])]]
        (graph / "features.csv").write_text("\n".join(rows) + "\n")
        (graph / "edges.csv").write_text("source,target\n" + "\n".join(edges) + "\n")
        (graph / "labels.csv").write_text("id,label\n" + "\n".join(csv_row([n, "bl\"ue" if n[0] == "b" else "red"])
                                                                   for n in self.names[:60]) + "\n")
        self.servers = []

    def tearDown(self):
        for s in self.servers:
            try:
                if s.process.poll() is None:
                    s.stop()  # with code 0: whatever it was sent, it ends well, and sanitizers have nothing to say
            finally:
                s.process.kill()
                s.process.communicate()

    def train_run(self, *args, run="run"):
        self.run_scrl("train", "graph", "-o", run, "-q", "--force", *args)
        return run

    def serve(self, *args, **env):
        self.servers.append(Server(self, *args, **env))
        return self.servers[-1]

    def new_nodes(self, count=3):
        """The same new nodes as files and as JSON, numbers with the same text."""
        nodes, rows, joins = [], [], []
        for i in range(count):
            cells = {c: f"{0.1 + (i * 7 + c) % 10 / 3:.9g}" for c in range(COLUMNS) if (i + c) % 3}
            near = [self.names[(11 * i + k * (17 + i)) % 60] for k in range(i % 4)]
            near += near[:1]
            nodes.append((f"x{i}", cells, near))
            rows.append(" ".join([f"x{i}"] + [f"{c}:{v}" for c, v in cells.items()]))
            joins += [f"x{i},{n}" for n in near]
        self.write("new.svm", "\n".join(rows) + "\n")
        self.write("joins.csv", "\n".join(joins) + "\n")
        body = ",".join(json.dumps({"id": n, "neighbours": near})[:-1] + ', "features": {' +
                        ",".join(f'"{c}": {v}' for c, v in cells.items()) + "}}" for n, cells, near in nodes)
        return [n[0] for n in nodes], '{"nodes": [' + body + "]}"

    def expected(self, *args):
        """Of scrl predict: by id, the label, the text of each probability, the set."""
        out, _ = self.run_scrl("predict", *args, "-q")
        rows = csv.DictReader(io.StringIO(out))
        return {r.pop("id"): (r.pop("label"), r.pop("set", None), r) for r in rows}

    def compare(self, got, expected):
        self.assertEqual([p["id"] for p in got], list(expected))
        for p in got:
            label, members, probabilities = expected[p["id"]]
            self.assertEqual((p["label"], p["probabilities"]), (label, probabilities))
            self.assertEqual(p.get("set"), None if members is None else members.split("|") if members else [])


def csv_row(fields):
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(fields)
    return out.getvalue()


class AnswersTest(ServeTest):
    def test_known_and_new_nodes_are_what_predict_says(self):
        for method in (["--members", "scrl,sgc,mlp"], ["-m", "h2gcn", "--set", "epochs=10"], ["-m", "label-propagation"]):
            with self.subTest(method=method):
                run = self.train_run(*method)
                server = self.serve(run)
                known = self.expected(run)
                self.compare(server.predict({"ids": list(known)})["predictions"], known)
                for node in (self.names[0], self.names[-1]):
                    one = exact(server.get("/v1/nodes/" + urllib.parse.quote(node, safe="")))
                    self.assertEqual(one.pop("model"), json.loads(server.get("/v1/model"))["model"])
                    self.compare([one], {node: known[node]})
                ids, body = self.new_nodes(30)
                new = self.expected(run, "--new-nodes", "new.svm", "--new-edges", "joins.csv")
                self.assertEqual(list(new), ids)
                self.compare(server.predict(body)["predictions"], new)
                # Alone, and with others at the same time.
                items = json.loads(body, parse_float=Number)["nodes"]
                alone = {}

                def ask(i, item):
                    text = json.dumps({"nodes": [dict(item, features={})]})
                    cells = ",".join(f'"{c}":{v}' for c, v in item["features"].items())
                    alone[i] = server.predict(text.replace('"features": {}', '"features":{' + cells + "}"))["predictions"]

                threads = [threading.Thread(target=ask, args=pair) for pair in enumerate(items)]
                for t in threads:
                    t.start()
                for t in threads:
                    t.join()
                self.compare([alone[i][0] for i in range(len(items))], new)
                server.stop()

    def test_threads_and_size_of_a_request_change_no_bit(self):
        run = self.train_run("-m", "sgc")
        ids, body = self.new_nodes(700)
        new = self.expected(run, "--new-nodes", "new.svm", "--new-edges", "joins.csv")
        server = self.serve(run, "-t", "1")
        self.compare(server.predict(body)["predictions"], new)
        self.assertEqual(server.metric('scrl_predicted_nodes_total{kind="new"}'), 700)
        self.assertEqual(server.metric("scrl_batches_total"), 3)

    def test_sets_are_those_of_coverage(self):
        run = self.train_run("-m", "sgc", "--conformal-share", "0.5", "--set", "val_share=0.5")
        server = self.serve(run)
        for coverage, alpha in (("0.8", 0.2), ("0.7", 0.3), ("0.8", 0.2)):
            expected = self.expected(run, "--coverage", coverage)
            got = server.predict({"ids": list(expected), "alpha": alpha})
            self.compare(got["predictions"], expected)
            self.assertTrue(got["sets"]["guaranteed"])
            self.assertIn(f"coverage {coverage},", got["sets"]["statement"])
            node = self.names[-1]
            one = exact(server.get(f"/v1/nodes/{urllib.parse.quote(node, safe='')}?alpha={alpha}"))
            self.compare([one], {node: expected[node]})
        ids, body = self.new_nodes(5)
        got = server.predict(body[:-1] + ', "alpha": 0.2}')
        self.assertFalse(got["sets"]["guaranteed"])
        self.assertIn("Nothing is promised for new nodes", got["sets"]["statement"])
        for p in got["predictions"]:
            # The most probable classes, and no other.
            order = sorted(p["probabilities"], key=lambda c: -float(p["probabilities"][c]))
            self.assertEqual(p["set"], order[:len(p["set"])])
        problem = server.predict({"ids": [self.names[0]], "alpha": 0.001}, 422)
        self.assertIn("needs at least 999 calibration labels", problem["detail"])
        self.assertEqual(problem["field"], "alpha")

    def test_what_cannot_be_is_said(self):
        run = self.train_run("-m", "demo-net", "--protocol", "oracle", "--set", "epochs=3")
        server = self.serve(run)
        _, body = self.new_nodes(1)
        self.assertIn("demo-net cannot predict new nodes", server.predict(body, 422)["detail"])
        self.assertIn("protocol oracle keeps none", server.predict({"ids": ["a0"], "alpha": 0.1}, 422)["detail"])
        self.assertFalse(json.loads(server.get("/v1/model"))["new_nodes"])
        self.compare(server.predict({"ids": ["a3"]})["predictions"], {"a3": self.expected(run)["a3"]})
        self.assertEqual(server.predict({"ids": []})["predictions"], [])
        # Features that no model can take.
        server.stop()
        server = self.serve(self.train_run("-m", "gcn", "--set", "epochs=3"))
        far = {"nodes": [{"id": "x", "features": {str(c): 3e38 for c in range(COLUMNS)}, "neighbours": ["a0"]}]}
        status, _, text = server.ask("POST", "/v1/predict", far)
        self.assertIn(status, (200, 422), text)
        if status == 422:
            self.assertIn("scale the features", text)


class OpenApiTest(ServeTest):
    """The description against what the server answers."""

    def check(self, schema, value, where="answer"):
        if "$ref" in schema:
            return self.check(self.api["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]], value, where)
        if "oneOf" in schema:
            fits = []
            for option in schema["oneOf"]:
                with contextlib.suppress(AssertionError):
                    self.check(option, value, where)
                    fits.append(option)
            return self.assertEqual(len(fits), 1, where)
        types = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool}
        self.assertIsInstance(value, types[schema["type"]], where)
        if schema["type"] in ("integer", "number"):
            self.assertNotIsInstance(value, bool, where)
            self.assertGreaterEqual(value, schema.get("minimum", value), where)
            self.assertLessEqual(value, schema.get("maximum", value), where)
        if "enum" in schema:
            self.assertIn(value, schema["enum"], where)
        if "pattern" in schema:
            self.assertRegex(value, schema["pattern"], where)
        if schema["type"] == "array":
            for i, item in enumerate(value):
                self.check(schema["items"], item, f"{where}[{i}]")
        if schema["type"] == "object":
            for key in schema.get("required", []):
                self.assertIn(key, value, where)
            for key, item in value.items():
                if key in schema.get("properties", {}):
                    self.check(schema["properties"][key], item, f"{where}.{key}")
                elif isinstance(schema.get("additionalProperties"), dict):
                    self.check(schema["additionalProperties"], item, f"{where}.{key}")
                else:
                    self.assertNotEqual(schema.get("additionalProperties"), False, f"{where}.{key}")

    def test_every_answer_is_described(self):
        server = self.serve(self.train_run("-m", "sgc", "--set", "val_share=0.5"), "--layout", "pca")
        self.api = json.loads(server.get("/openapi.json"))
        _, new = self.new_nodes(2)
        seen = set()
        described = {(method.upper(), path, status): None for path, methods in self.api["paths"].items()
                     for method, of in methods.items() for status in of["responses"]}
        calls = [
            ("GET", "/", "/", None), ("GET", "/healthz", "/healthz", None), ("GET", "/readyz", "/readyz", None),
            ("GET", "/metrics", "/metrics", None), ("GET", "/openapi.json", "/openapi.json", None),
            ("GET", "/v1/model", "/v1/model", None), ("GET", "/v1/embedding2d", "/v1/embedding2d", None),
            ("GET", "/v1/nodes/{id}", "/v1/nodes/a0", None), ("GET", "/v1/nodes/{id}", "/v1/nodes/a0?alpha=0.4", None),
            ("GET", "/v1/nodes/{id}", "/v1/nodes/none", None), ("GET", "/v1/nodes/{id}", "/v1/nodes/a0?x=1", None),
            ("GET", "/v1/nodes/{id}", "/v1/nodes/a0?alpha=0.00001", None),
            ("POST", "/v1/predict", "/v1/predict", '{"ids": ["a0", "b1"]}'),
            ("POST", "/v1/predict", "/v1/predict", new), ("POST", "/v1/predict", "/v1/predict", new[:-1] + ', "alpha": 0.4}'),
            ("POST", "/v1/predict", "/v1/predict", "{"), ("POST", "/v1/predict", "/v1/predict", '{"ids": [1]}'),
            ("POST", "/v1/predict", "/v1/predict", json.dumps({"ids": ["a0"] * 1001})),
        ]
        deadline = time.time() + 60
        status, headers, text = server.ask("GET", "/v1/embedding2d")
        self.assertEqual((status, headers["Retry-After"], json.loads(text)), (202, "1", {"status": "working"}))
        seen.add(("GET", "/v1/embedding2d", "202"))
        while server.ask("GET", "/v1/embedding2d")[0] == 202 and time.time() < deadline:
            time.sleep(0.1)
        for method, path, target, body in calls:
            status, headers, text = server.ask(method, target, body)
            with self.subTest(method=method, target=target, status=status):
                answers = self.api["paths"][path][method.lower()]["responses"]
                self.assertIn(str(status), answers)
                seen.add((method, path, str(status)))
                (kind, of), = answers[str(status)]["content"].items()
                self.assertEqual(headers.get_content_type(), kind)
                if kind.endswith("json"):
                    self.check(of["schema"], json.loads(text))
        for body in ('{"ids": ["a0"]}', new):
            self.check({"$ref": "#/components/schemas/PredictRequest"}, json.loads(body))
        # What other tests of this file provoke.
        elsewhere = {("GET", "/readyz", "503"), ("GET", "/v1/embedding2d", "404"),
                     ("GET", "/v1/nodes/{id}", "429"), ("POST", "/v1/predict", "429")}
        self.assertEqual(set(described) - seen - elsewhere, set())


class HostileTest(ServeTest):
    def setUp(self):
        super().setUp()
        self.server = self.serve(self.train_run("-m", "sgc"))

    def test_paths_and_methods(self):
        for method, path, status in (("GET", "/nothing", 404), ("POST", "/healthz", 405), ("GET", "/v1/predict", 405),
                                     ("DELETE", "/v1/nodes/a0", 405), ("GET", "/v1/nodes/%zz", 400),
                                     ("GET", "/v1/nodes/none", 404), ("GET", "/v1/nodes/" + "x" * 5000, 404)):
            got, headers, text = self.server.ask(method, path)
            with self.subTest(path=path[:40]):
                self.assertEqual(got, status)
                problem = json.loads(text)
                self.assertEqual((problem["status"], problem["type"]), (status, "about:blank"))
                self.assertEqual(headers["Content-Type"], "application/problem+json")
                if status == 405:
                    self.assertEqual(headers["Allow"], "POST" if path == "/v1/predict" else "GET, HEAD")
        status, headers, text = self.server.ask("HEAD", "/healthz")
        self.assertEqual((status, text), (200, ""))

    def test_json_that_does_not_fit_names_the_field(self):
        for body, status, field, detail in (
                ("", 400, None, "byte 0: expected a value, found the end"), ("{\"ids\": [\"a0\"", 400, None, "byte 13"),
                ("[" * 100000, 422, None, "expected an object, found a list"),
                ('{"nodes": ' + "[" * 100000, 422, "nodes[0]", "expected an object"),
                ('{"ids": ["a0", "zz"]}', 422, "ids[1]", "there is no node"),
                ('{"nodes": [{"id": "x", "features": {"12": 1}}]}', 422, "nodes[0].features.12", "expected 0..11"),
                ('{"nodes": [{"id": "x", "features": {"1": "1"}}]}', 422, "nodes[0].features.1", "expected a number"),
                ('{"nodes": [{"id": "x", "features": {"1": 1e39}}]}', 422, "nodes[0].features.1", "finite"),
                ('{"nodes": [{"id": "a0"}]}', 422, "nodes[0].id", "is in the training data already"),
                ('{"ids": [], "alpha": 2}', 422, "alpha", "above 0 and below 1"),
                (b'{"ids": ["\xff"]}', 400, None, "expected UTF-8"),
                ('{"ids": [' + ",".join(['"a0"'] * 1001) + "]}", 413, "ids[1000]", "at most 1000 nodes")):
            with self.subTest(body=body[:60]):
                problem = self.server.predict(body, status)
                self.assertEqual(problem.get("field"), field)
                self.assertIn(detail, problem["detail"])
        self.assertEqual(self.server.get("/healthz"), '{"status":"ok"}\n')

    def test_malformed_http(self):
        cases = [b"\r\n\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20,
                 b"GET /healthz HTTP/1.1\r\nHost\r\n\r\n", b"GET " + b"/" * 100000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
                 b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20000 + b"\r\n", b"GET /healthz HTTP/1.1\r\n\r\n",
                 b"POST /v1/predict HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n{}",
                 b"POST /v1/predict HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
                 b"POST /v1/predict HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n",
                 b"GET /%00%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"]
        for data in cases:
            with self.subTest(data=data[:50]):
                answer = self.server.raw(data, half=True)
                if answer:  # else it was closed without one
                    self.assertRegex(answer, rb"^HTTP/1\.[01] (4|5)\d\d ")
        self.assertEqual(self.server.metric("scrl_requests"), 1)  # this one
        self.assertEqual(self.server.get("/healthz"), '{"status":"ok"}\n')

    def test_bodies_that_are_too_large(self):
        head = b"POST /v1/predict HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
        answer = self.server.raw(head + b"Content-Length: 8388609\r\n\r\n")
        self.assertIn(b"413 ", answer.split(b"\r\n")[0])
        self.assertIn(b"the body has more than 8 MiB", answer)
        chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
        answer = self.server.raw(head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 140 + b"0\r\n\r\n")
        self.assertIn(b"413 ", answer.split(b"\r\n")[0])
        fits = b'{"ids": []' + b" " * (8 * 1048576 - 11) + b"}"
        self.assertEqual(self.server.ask("POST", "/v1/predict", fits)[0], 200)

    def test_slow_clients_are_ended(self):
        def trickle(first, status):
            begin = time.time()
            with socket.create_connection(("127.0.0.1", self.server.port), timeout=30) as s:
                s.sendall(first)
                s.settimeout(0.4)
                got = b""
                while time.time() < begin + 20:
                    with contextlib.suppress(ConnectionError, BrokenPipeError):
                        s.sendall(b"x")
                    try:
                        part = s.recv(4096)
                    except TimeoutError:
                        continue
                    except ConnectionError:
                        break
                    if not part:
                        break
                    got += part
            results.append((status, got, time.time() - begin))

        results = []
        threads = [threading.Thread(target=trickle, args=case) for case in (
            (b"POST /v1/predict HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n", b"408"),
            (b"GET /healthz HTTP/1.1\r\nX-Slow: ", b"408"), (b"GE", None))]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(len(results), 3)
        for status, got, seconds in results:
            self.assertLess(seconds, 15)
            self.assertGreater(seconds, 4)
            if status:
                self.assertIn(status, got.split(b"\r\n")[0])
        self.assertGreaterEqual(self.server.metric("scrl_timeouts_total"), 2)

    def test_clients_that_leave_before_their_answer(self):
        _, body = self.new_nodes(50)
        request = f"POST /v1/predict HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
        for i in range(60):
            with socket.create_connection(("127.0.0.1", self.server.port)) as s:
                s.sendall(request)
                if i % 2:  # a reset
                    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        deadline = time.time() + 30
        while self.server.metric("scrl_requests") > 1 and time.time() < deadline:
            time.sleep(0.05)
        self.assertEqual(self.server.metric("scrl_requests"), 1)
        begin = time.time()
        self.server.stop()
        self.assertLess(time.time() - begin, 10)

    def test_more_connections_than_allowed_wait(self):
        idle = [socket.create_connection(("127.0.0.1", self.server.port)) for _ in range(80)]
        try:
            self.assertEqual(self.server.get("/healthz"), '{"status":"ok"}\n')  # as soon as idle ones have been closed
        finally:
            for s in idle:
                s.close()

    def test_when_too_many_wait_the_rest_is_refused(self):
        _, body = self.new_nodes(1000)
        status = []

        def ask():
            got, headers, text = self.server.ask("POST", "/v1/predict", body)
            status.append(got)
            if got == 429:
                assert headers["Retry-After"] == "1" and "wait already" in text, text

        for _ in range(10):
            threads = [threading.Thread(target=ask) for _ in range(12)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
            if 429 in status:
                break
        self.assertEqual(set(status), {200, 429})
        self.assertEqual(self.server.metric("scrl_queued_nodes"), 0)
        self.assertEqual(self.server.predict(body)["predictions"][0]["id"], "x0")

    def test_metrics(self):
        self.server.get("/v1/nodes/a0")
        self.server.get("/v1/nodes/none", 404)
        self.server.predict({"ids": ["a0", "a1"]})
        until = time.monotonic() + 10
        while True:  # a request is counted when it has ended, which the client sees a moment earlier
            text = self.server.get("/metrics")
            if 'seconds_count{path="/v1/predict"} 1' in text or time.monotonic() > until:
                break
        for line in text.splitlines():
            self.assertRegex(line, r"^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{.+\})? [-+0-9.e]+)$")
        self.assertIn('scrl_http_requests_total{path="/v1/nodes/{id}",status="200"} 1\n', text)
        self.assertIn('scrl_http_requests_total{path="/v1/nodes/{id}",status="404"} 1\n', text)
        self.assertIn('scrl_predicted_nodes_total{kind="known"} 3\n', text)
        self.assertIn('scrl_http_request_seconds_count{path="/v1/predict"} 1\n', text)


class LifeTest(ServeTest):
    def load(self, server, count, results):
        """So many clients that ask until `results` has a None; statuses and failures go there too."""
        _, body = self.new_nodes(2)
        stop = threading.Event()

        def client(new):
            c = server.connect()
            while not stop.is_set():
                try:
                    status, headers, text = (server.ask("POST", "/v1/predict", body, c) if new
                                             else server.ask("GET", "/v1/nodes/a1", None, c))
                    results.append((status, json.loads(text).get("model")))
                    if headers["Connection"] == "close":
                        break
                except (OSError, http.client.HTTPException) as e:
                    results.append((repr(e), None))
                    break
            c.close()

        threads = [threading.Thread(target=client, args=(i % 2,)) for i in range(count)]
        for t in threads:
            t.start()
        return stop, threads

    def test_sighup_swaps_the_model_and_drops_no_request(self):
        run = self.train_run("-m", "sgc", "--set", "val_share=0.5")
        server = self.serve(run)
        first = json.loads(server.get("/v1/model"))
        results = []
        stop, threads = self.load(server, 8, results)
        time.sleep(0.3)
        self.train_run("-m", "gcn", "--set", "epochs=5", "--set", "val_share=0.5")
        server.process.send_signal(signal.SIGHUP)
        self.assertIn("now serving gcn on graph", server.process.stdout.readline())
        second = json.loads(server.get("/v1/model"))
        self.assertNotEqual(first["model"], second["model"])
        self.compare(server.predict({"ids": ["a7"]})["predictions"], {"a7": self.expected(run)["a7"]})
        # A damaged file, then none.
        model = self.path / run / "model.scrl"
        good = model.read_bytes()
        model.unlink()
        model.write_bytes(good[:len(good) // 2])
        server.process.send_signal(signal.SIGHUP)
        line = server.process.stderr.readline()
        self.assertIn("scrl: SIGHUP: ", line)
        self.assertIn("; the old model stays", line)
        model.unlink()
        server.process.send_signal(signal.SIGHUP)
        self.assertIn("no model.scrl in this folder", server.process.stderr.readline())
        self.assertEqual(json.loads(server.get("/v1/model"))["model"], second["model"])
        self.assertEqual(server.metric('scrl_reloads_total{result="ok"}'), 1)
        self.assertEqual(server.metric('scrl_reloads_total{result="failed"}'), 2)
        model.write_bytes(good)
        for _ in range(3):
            server.process.send_signal(signal.SIGHUP)
            self.assertIn("now serving gcn", server.process.stdout.readline())
        time.sleep(0.2)
        stop.set()
        for t in threads:
            t.join()
        self.assertEqual({r[0] for r in results}, {200}, [r for r in results if r[0] != 200][:3])
        self.assertEqual({r[1] for r in results}, {first["model"], second["model"]})

    def test_sigterm_and_sigint_end_what_has_begun(self):
        run = self.train_run("-m", "sgc")
        for how in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(how=how):
                server = self.serve(run)
                results = []
                stop, threads = self.load(server, 8, results)
                time.sleep(0.5)
                out, err = server.stop(how)
                self.assertIn("ending: requests that have begun are answered", out)
                self.assertEqual(err, "")
                stop.set()
                for t in threads:
                    t.join()
                self.assertGreater(len(results), 20)
                self.assertEqual({r[0] for r in results}, {200}, [r for r in results if r[0] != 200][:3])
                with self.assertRaises(OSError):
                    server.get("/healthz")

    def test_what_it_is_given_is_checked(self):
        run = self.train_run("-m", "sgc")
        server = self.serve(run)
        for args, code, message in (
                ([run, "--port", server.port], 2, f"port {server.port} of 127.0.0.1 is in use already"),
                (["nowhere", "--port", 0], 4, "nowhere: no such run folder or model file"),
                (["graph", "--port", 0], 4, "no model.scrl in this folder"),
                ([run, "--port", 70000], 2, "port: expected a whole number"),
                ([run, "demo", "--port", 0], None, ""),
                ([run, "--host", "no.such.host.invalid"], 2, "--host no.such.host.invalid: "),
                ([run, "--host", "192.0.2.1", "--port", 0], 2, "cannot listen on port 0 of 192.0.2.1: "),
                ([], 2, "usage: scrl serve RUN")):
            with self.subTest(args=args):
                if code is None:  # other data
                    process = self.start("serve", *args)
                    out, err = process.communicate(timeout=60)
                    self.assertIn(process.returncode, (2, 3, 4), err)
                else:
                    out, err = self.run_scrl("serve", *args, code=code)
                self.assertEqual(out, "")
                self.assertEqual(err.count("\n"), 1, err)
                self.assertIn(message, err)
        self.assertIn("usage: scrl serve RUN", self.run_scrl("serve", "--help")[0])

    def test_a_model_file_alone_and_data_that_moved(self):
        run = self.train_run("-m", "sgc")
        (self.path / "graph").rename(self.path / "moved")
        server = self.serve(f"{run}/model.scrl", "moved")
        self.assertIn("sgc on ", server.first)
        self.assertEqual(server.ask("GET", "/v1/embedding2d")[0], 404)
        self.assertIn('"label":"red"', server.get("/v1/nodes/a0"))
        self.assertIn("<!doctype html>", server.get("/"))

    @unittest.skipUnless("SCRL_TABLES_ONLY" in os.environ, "SCRL_TABLES_ONLY is not set")
    def test_without_a_bundler_there_is_no_page(self):
        server = self.serve(self.train_run("-m", "sgc"), program=os.environ["SCRL_TABLES_ONLY"])
        self.assertIn("The program was built without esbuild", server.get("/"))
        self.assertNotIn("<script", server.get("/"))
        status, _, text = server.ask("GET", "/v1/embedding2d")
        self.assertEqual(status, 404)
        self.assertIn("built without esbuild", json.loads(text)["detail"])
        self.assertIn('"label":"red"', server.get("/v1/nodes/a0"))


if __name__ == "__main__":
    unittest.main()
