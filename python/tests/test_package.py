"""The package as it is shipped: types, stubs, wheel, source archive, examples, pages."""
import contextlib
import io
import os
import pathlib
import re
import runpy
import subprocess
import sys

import pytest

import scrl

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WHEELS = pathlib.Path(os.environ["SCRL"]).parent / "wheels"


def run(*command, **more):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, **more)


def test_import_is_quick_and_brings_nothing_along():
    timed = ("import sys, time; t = time.perf_counter(); import scrl; t = time.perf_counter() - t;"
             "print(t, *[m for m in ('numpy', 'sklearn', 'torch', 'pandas', 'networkx') if m in sys.modules])")
    runs = [run(sys.executable, "-c", timed).stdout.split() for _ in range(3)]
    assert min(float(r[0]) for r in runs) < 0.15 and all(len(r) == 1 for r in runs), runs


def test_the_version_is_that_of_the_program():
    assert re.search(rf"scrl {re.escape(scrl.__version__)} ", run(os.environ["SCRL"], "version").stdout)


def test_types_are_strict():
    done = run(sys.executable, "-m", "mypy", "--strict", "python/scrl", "examples", "--cache-dir", os.devnull, cwd=ROOT)
    assert done.returncode == 0, done.stdout


def test_stubs_of_the_methods_are_what_the_table_says():
    made = runpy.run_path(str(ROOT / "tools/make_python_stubs.py"))["text"]()
    assert (ROOT / "python/scrl/_methods.pyi").read_text() == made, "run: tools/make_python_stubs.py python/scrl/_methods.pyi"


def test_stubs_of_the_module_name_everything_in_it():
    from scrl import _core

    stub = (ROOT / "python/scrl/_core.pyi").read_text()
    named = set(re.findall(r"(?m)^(?:def|class) (\w+)|^(\w+): str$", stub))
    assert {a or b for a, b in named} == {n for n in dir(_core) if not n.startswith("_")}
    for cls in re.findall(r"(?ms)^class (\w+):\n(.*?)(?=^\S|\Z)", stub):
        members = set(re.findall(r"(?m)^    def (\w+)", cls[1])) - {"__init__"}
        assert members == {n for n in vars(getattr(_core, cls[0])) if not n.startswith("_")}, cls[0]


def test_the_wheel_and_the_source_archive_are_sound():
    wheel, archive = next(WHEELS.glob("*.whl")), next(WHEELS.glob("*.tar.gz"))
    assert re.fullmatch(r"scrl-[\d.]+-cp311-abi3-linux_\w+\.whl", wheel.name)
    for check in (["twine", "check", "--strict", wheel, archive], ["abi3audit", "--strict", wheel]):
        done = run(sys.executable, "-m", *check)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_source_archive_has_the_same_bytes_again(tmp_path):
    build = "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])"
    done = run(sys.executable, "-c", build, tmp_path, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    archive = next(WHEELS.glob("*.tar.gz"))
    assert next(tmp_path.glob("*.tar.gz")).read_bytes() == archive.read_bytes()


def test_the_package_stays_thin():
    lines = sum(len(f.read_text().splitlines()) for f in (ROOT / "python/scrl").glob("*.py"))
    assert lines < 1500


@pytest.mark.parametrize("script", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.stem)
def test_examples_run(script, tmp_path):
    done = run(sys.executable, script, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def printed(code, names):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, names)
    return out.getvalue()


def test_python_on_the_page_prints_what_it_shows():
    blocks = re.findall(r"(?ms)^```python\n(.*?)^```\n+```\n(.*?)^```", (ROOT / "docs/python.md").read_text())
    names = {}
    assert len(blocks) >= 2
    for code, shown in blocks:
        assert printed(code, names) == shown


def test_the_readme_prints_what_it_shows():
    code, = re.findall(r"(?ms)^```python\n(.*?)^```", (ROOT / "README.md").read_text())
    shown = re.search(r"print\(.*\)  # (.*)", code).group(1)
    # Digits may differ between instruction sets.
    got = printed(code, {})
    assert abs(float(got.split()[0]) - float(shown.split()[0])) < 1.5 and got.split()[1:] == shown.split()[1:]
