#!/usr/bin/env python3
"""campaign.py [TARGET...] [--seconds N]: fuzzes each target for so long and prints executions and coverage.

Called by './dev fuzz', which builds what is needed. The corpus grows in build-fuzz/corpus and is kept; inputs that
made a finding go to build-fuzz/findings/TARGET, each with what it did in a .txt beside it."""
import argparse
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build-fuzz"
FUZZER = BUILD / "fuzz/fuzz_scrl"
LIMITS = ["-rss_limit_mb=2048", "-malloc_limit_mb=1500", "-timeout=25"]
ENV = dict(os.environ, UBSAN_OPTIONS="print_stacktrace=1")


def all_targets():
    listed = subprocess.run([FUZZER], capture_output=True, text=True).stderr
    return re.findall(r"^  (\w+) ", listed, re.M)


def explain(target, found):
    """What an input does, in a file beside it; its first line."""
    done = subprocess.run([FUZZER, f"--target={target}", *LIMITS, found], capture_output=True, env=ENV)
    text = done.stderr.decode(errors="replace")
    found.with_suffix(".txt").write_text(text)
    wanted = re.search(r"^.*(SUMMARY: (?!libFuzzer: deadly).*|what\(\):.*|runtime error.*)$", text, re.M)
    return wanted.group(0).strip() if wanted else f"exit code {done.returncode} when given alone"


def fuzz(target, seconds):
    corpus, findings = BUILD / "corpus" / target, BUILD / "findings" / target
    corpus.mkdir(parents=True, exist_ok=True)
    findings.mkdir(parents=True, exist_ok=True)
    before = set(findings.iterdir())
    # In a process of its own, so that a finding does not end the campaign.
    done = subprocess.run([FUZZER, f"--target={target}", "-fork=1", "-ignore_crashes=1", "-ignore_ooms=1",
                           "-ignore_timeouts=1", f"-max_total_time={seconds}", *LIMITS,
                           f"-artifact_prefix={findings}/", corpus], capture_output=True, env=ENV)
    log = done.stderr.decode(errors="replace")
    (BUILD / f"{target}.log").write_text(log)
    lines = re.findall(r"^#(\d+): cov: (\d+) .*?corp: (\d+)", log, re.M)
    if not lines:
        sys.exit(f"campaign.py: {target} did not run; see {BUILD}/{target}.log")
    executions, edges, inputs = map(int, lines[-1])
    found = sorted(p for p in set(findings.iterdir()) - before if p.suffix != ".txt")
    print(f"{target:<12}{executions:>12,}{edges:>10,}{inputs:>9,}{len(found):>10}", flush=True)
    for path in found:
        print(f"  {path.relative_to(ROOT)}: {explain(target, path)}", flush=True)
    return len(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--seconds", type=int, default=60)
    o = parser.parse_args()
    known = all_targets()
    unknown = [t for t in o.targets if t not in known]
    if unknown:
        sys.exit(f"campaign.py: there is no target {unknown[0]}; there are {', '.join(known)}")
    print(f"{'target':<12}{'executions':>12}{'edges':>10}{'inputs':>9}{'findings':>10}")
    found = sum(fuzz(t, o.seconds) for t in o.targets or known)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
