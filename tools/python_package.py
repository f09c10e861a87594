#!/usr/bin/env python3
"""Builds the Python package from an engine that is built already, and tests what came out.

    tools/python_package.py wheel BUILD [--sdist]    BUILD/wheels/scrl-*.whl from BUILD/libscrl.a
    tools/python_package.py test BUILD               that wheel in virtual environments, by every Python at hand

The newest Python runs python/tests, mypy, twine and abi3audit; each other one installs the wheel into an environment of
its own and runs python/tests/smoke.py. Exit code 77: there is no Python, or no package index to install from."""
import argparse
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MINORS = (11, 12, 13)
SKIP = 77


def say(text):
    print(f"python: {text}", flush=True)


def run(*command, **more):
    return subprocess.run([str(c) for c in command], check=True, cwd=more.pop("cwd", ROOT), **more)


def candidates(minor):
    """Programs that may be Python 3.MINOR: on the path, and those that pyenv has."""
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        yield pathlib.Path(folder) / f"python3.{minor}"
    if shutil.which("pyenv"):
        listed = subprocess.run(["pyenv", "versions", "--bare"], capture_output=True, text=True).stdout.split()
        for version in listed:
            if version.startswith(f"3.{minor}."):
                prefix = subprocess.run(["pyenv", "prefix", version], capture_output=True, text=True).stdout.strip()
                yield pathlib.Path(prefix) / "bin/python"


def works(python, minor):
    """Whether it runs, is that version, can make environments and has the headers of extension modules."""
    probe = ("import sys, sysconfig, pathlib, venv, ensurepip; "
             "print(sys.version_info[1], pathlib.Path(sysconfig.get_path('include'), 'Python.h').exists())")
    if not python.exists():
        return False
    found = subprocess.run([python, "-c", probe], capture_output=True, text=True)
    return found.stdout.split() == [str(minor), "True"]


def pythons():
    """One Python per minor version, oldest first."""
    found = []
    for minor in MINORS:
        python = next((p for p in candidates(minor) if works(p, minor)), None)
        if python is None:
            say(f"no Python 3.{minor} with headers and venv: not tested with it")
        else:
            found.append((minor, python))
    return found


def environment(python, folder, requirements=None):
    """A virtual environment; with requirements one that is kept while they stay the same."""
    mark = folder / "requirements"
    key = hashlib.sha256(requirements.read_bytes() + str(python).encode()).hexdigest() if requirements else ""
    program = folder / "bin/python"
    if requirements and mark.exists() and mark.read_text() == key:
        return program
    shutil.rmtree(folder, ignore_errors=True)
    run(python, "-m", "venv", folder)
    if requirements:
        install(program, "-r", requirements)
        mark.write_text(key)
    return program


def install(program, *what):
    command = [program, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile", *what]
    if subprocess.run([str(c) for c in command], cwd=ROOT).returncode != 0:
        say(f"pip could not install {' '.join(map(str, what))}; is the network up?")
        sys.exit(SKIP)


def wheel(build, python, sdist=False):
    out = build / "wheels"
    shutil.rmtree(out, ignore_errors=True)
    program = environment(python, build / "venv-build", ROOT / "python/build-requirements.txt")
    tools = dict(os.environ, PATH=f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    run(program, "-m", "pip", "wheel", ".", "--quiet", "--disable-pip-version-check", "--no-deps",
        "--no-build-isolation", "--wheel-dir", out, "--config-settings", f"build-dir={build}/python",
        "--config-settings", f"cmake.define.SCRL_ARCHIVE={build}/libscrl.a", env=tools)
    if sdist:
        run(program, "-c", "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])", out)
    return next(out.glob("*.whl"))


def test(build):
    found = pythons()
    if not found:
        return SKIP
    newest = found[-1][1]
    package = wheel(build, newest, sdist=True)
    say(f"built {package.name}")
    program = environment(newest, build / "venv-test", ROOT / "python/tests/requirements.txt")
    install(program, "--force-reinstall", "--no-deps", package)
    clean = dict(os.environ, SCRL=str(build / "scrl"), PATH=f"{program.parent}{os.pathsep}{os.environ['PATH']}",
                 PYTHONDONTWRITEBYTECODE="1", MPLBACKEND="agg")
    failed = subprocess.run([program, "-m", "pytest", "-q", "-p", "no:cacheprovider", ROOT / "python/tests"],
                            cwd=build, env=clean).returncode
    for minor, python in found[:-1]:
        smoke = environment(python, build / f"venv-smoke-{minor}")
        install(smoke, package)
        failed |= subprocess.run([smoke, ROOT / "python/tests/smoke.py"], cwd=build, env=clean).returncode
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=["wheel", "test"])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--sdist", action="store_true")
    args = parser.parse_args()
    build = args.build.resolve()
    if args.what == "test":
        return test(build)
    found = pythons()
    if not found:
        return SKIP
    print(wheel(build, found[-1][1], args.sdist))
    return 0


if __name__ == "__main__":
    sys.exit(main())
