"""The documentation against the program and the tree: options, commands, paths, and the worked example."""
import os
import pathlib
import re
import subprocess
import sys
import unittest

from program import SCRL, ProgramTest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
TOP = {"bench", "cli", "cmake", "docs", "include", "report", "src", "tests", "tools"}
MODULES = {p.name for p in (ROOT / "src").iterdir()}


def fenced(text):
    return re.findall(r"(?ms)^```[^\n]*\n(.*?)^```", text)


def inline(text):
    return re.findall(r"`([^`\n]+)`", re.sub(r"(?ms)^```.*?^```", "", text))


def anchors(page):
    """What a link may name behind '#': the headings of a page, in small letters and with dashes."""
    headings = re.findall(r"(?m)^#+ (.+)$", re.sub(r"(?ms)^```.*?^```", "", page.read_text()))
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def is_path(span):
    """A file of this tree: below one of its folders (those of src/ may leave out src/), or a page."""
    if not re.fullmatch(r"[\w./*-]+", span) or "NAME" in span:
        return False
    first, slash, _ = span.partition("/")
    return first in TOP | MODULES if slash else span.endswith(".md") or span in ("CMakeLists.txt", "LICENSE")


class PathsTest(unittest.TestCase):
    def test_files_named_in_the_text_exist(self):
        named = 0
        for page in PAGES:
            for span in filter(is_path, inline(page.read_text())):
                named += 1
                places = (ROOT, ROOT / "src", page.parent)
                self.assertTrue(any(any(place.glob(span.rstrip("/"))) for place in places),
                                f"{page.relative_to(ROOT)}: there is no {span}")
        self.assertGreater(named, 30)

    def test_links_lead_somewhere(self):
        for page in PAGES:
            for target, fragment in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", page.read_text()):
                where = f"{page.relative_to(ROOT)}: there is no {target}#{fragment}"
                self.assertTrue((page.parent / target).exists(), where)
                if fragment:
                    self.assertIn(fragment, anchors(page.parent / target if target else page), where)

    def test_dev_commands_exist(self):
        known = set(re.findall(r"(?m)^cmd_(\w+)\(\)", (ROOT / "dev").read_text()))
        for page in PAGES:
            for command in re.findall(r"\./dev ([a-z]+)", page.read_text()):
                self.assertIn(command, known, f"{page.relative_to(ROOT)}: ./dev {command}")

    def test_every_page_is_reachable_from_the_readme(self):
        readme = (ROOT / "README.md").read_text()
        for page in PAGES:
            if page.name not in ("README.md", "CHANGELOG.md"):
                self.assertIn(str(page.relative_to(ROOT)), readme)


class OptionsTest(ProgramTest):
    def test_options_page_is_what_the_program_says(self):
        tool = ROOT / "tools/make_options_doc.py"
        made = subprocess.run([sys.executable, tool, SCRL], check=True, capture_output=True, text=True).stdout
        self.assertEqual((ROOT / "docs/options.md").read_text(), made,
                         "run: tools/make_options_doc.py build/scrl docs/options.md")

    def known_options(self, command, words):
        named = words[words.index("-m") + 1].split(",")[0] if "-m" in words else "all"  # compare takes a list
        method = ["-m", named] if named != "all" else []
        text, _ = self.run_scrl(command, *method, "--help")
        if "Takes every setting of train" in text:
            text += self.run_scrl("train", *method, "--help")[0]
        return set(re.findall(r"(?m)^ +(?:(-\w), )?(--[\w-]+)", text))

    def command_lines(self):
        for page in PAGES:
            text = page.read_text()
            for line in "\n".join(fenced(text) + inline(text)).splitlines():
                match = re.match(r"\s*(?:\$ )?(?:build/)?scrl ([a-z]\S*)(.*)", line)
                if match:
                    yield page.relative_to(ROOT), match.group(1), match.group(2).split(" #")[0].split()

    def test_command_lines_use_real_commands_and_options(self):
        commands = set(re.findall(r"(?m)^  (\w+) ", self.run_scrl("help")[0].partition("commands:")[2]))
        seen = 0
        for page, command, words in self.command_lines():
            where = f"{page}: scrl {command} {' '.join(words)}"
            self.assertIn(command, commands | {"help"}, where)
            if command in ("help", "version"):
                continue
            letters, names = (set(column) for column in zip(*self.known_options(command, words)))
            for i, word in enumerate(words):
                seen += 1
                key = word.split("=")[0]
                if word == "--set":
                    self.assertIn("--" + words[i + 1].split("=")[0].split(".")[-1].replace("_", "-"), names, where)
                elif key.startswith("--"):
                    self.assertIn(key.replace("_", "-"), names, where)
                elif re.match(r"-[a-z]", key):
                    self.assertIn(key[:2], letters, where)
        self.assertGreater(seen, 20)


    def test_options_named_in_the_text_exist(self):
        made = (ROOT / "docs/options.md").read_text()  # held to the program above
        known = set(re.findall(r"`--([\w-]+)`", made)) | {"quick"}  # ./dev check --quick
        for page in PAGES:
            for span in inline(page.read_text()) if page.name != "options.md" else []:
                match = re.match(r"--(?:set ([\w-]+)=|([\w-]+))", span)
                if match:
                    key = (match.group(1) or match.group(2)).replace("_", "-")
                    self.assertIn(key, known, f"{page.relative_to(ROOT)}: {span}")


class ExampleTest(ProgramTest):
    def test_the_worked_example_of_the_readme_runs(self):
        text = (ROOT / "README.md").read_text().partition("<!-- example -->")[2].partition("<!-- /example -->")[0]
        script, expected = fenced(text)[:2]
        env = self.environment(PATH=f"{pathlib.Path(SCRL).resolve().parent}:{os.environ['PATH']}")
        done = subprocess.run(["sh", "-e"], input=script, cwd=self.path, env=env, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 0, done.stderr)
        got = [line.split(",") for line in (self.path / "predictions.csv").read_text().splitlines()]
        want = [line.split(",") for line in expected.splitlines()]
        self.assertEqual([row[:2] for row in got], [row[:2] for row in want])
        # Probabilities differ in their last digits between instruction sets, and in no others.
        for mine, page in zip(got[1:], want[1:]):
            for p, q in zip(mine[2:], page[2:]):
                self.assertAlmostEqual(float(p), float(q), delta=0.01, msg=mine[0])


if __name__ == "__main__":
    unittest.main()
