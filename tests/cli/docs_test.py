"""The documentation against the program and the tree: options, commands, paths, links, form, and the worked examples."""
import functools
import os
import pathlib
import re
import subprocess
import sys
import unittest

from program import SCRL, ProgramTest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
TOP = {"bench", "cli", "cmake", "docs", "examples", "include", "python", "report", "src", "tests", "tools"}
MODULES = {p.name for p in (ROOT / "src").iterdir()}


def fenced(text):
    return re.findall(r"(?ms)^```[^\n]*\n(.*?)^```", text)


def prose(text):
    return re.sub(r"(?ms)^```.*?^```", "", text)


def inline(text):
    return re.findall(r"`([^`\n]+)`", prose(text))


def section(page, name):
    """What stands between <!-- name --> and <!-- /name -->."""
    text = (ROOT / page).read_text()
    assert text.count(f"<!-- {name} -->") == text.count(f"<!-- /{name} -->") == 1, f"{page}: {name}"
    return text.partition(f"<!-- {name} -->")[2].partition(f"<!-- /{name} -->")[0]


def whole(page):
    """The text of a page with the files that it includes (pymdownx.snippets, from the top of the tree)."""
    return re.sub(r'(?m)^--8<-- "([^"]+)"$', lambda match: (ROOT / match.group(1)).read_text(), page.read_text())


def links(page):
    """The links to pages and headings of this tree: (target, fragment), either may be empty."""
    return re.findall(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)", prose(whole(page)))


@functools.lru_cache(None)
def anchors(page):
    """What a link may name behind '#': the headings of a page, in small letters and with dashes."""
    headings = re.findall(r"(?m)^#+ (.+)$", prose(whole(page)))
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def is_path(span):
    """A file of this tree: below one of its folders (those of src/ may leave out src/), or a page."""
    if not re.fullmatch(r"[\w./*-]+", span) or "NAME" in span or "DATA" in span:
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
        checked = 0
        for page in PAGES:
            for target, fragment in links(page):
                checked += 1
                where = f"{page.relative_to(ROOT)}: there is no {target}#{fragment}"
                to = (page.parent / target).resolve() if target else page
                self.assertTrue(to.exists(), where)
                if fragment:
                    self.assertIn(fragment, anchors(to), where)
                if page.parent.name == "docs":  # the site holds nothing else
                    self.assertTrue(to.is_relative_to(ROOT / "docs"), f"{where} on the site")
        self.assertGreater(checked, 100)

    def test_links_and_headings_are_told_apart(self):
        page = ROOT / "docs/protocols.md"
        self.assertIn("which-epoch-counts", anchors(page))
        self.assertNotIn("which-epoch", anchors(page))
        self.assertIn(("protocols.md", "which-epoch-counts"), links(ROOT / "docs/compare.md"))

    def test_the_site_has_every_page_once(self):
        named = re.findall(r"(?m)^ +- (?:[^:\n]+: )([\w-]+\.md)$", (ROOT / "mkdocs.yml").read_text().partition("\nnav:")[2])
        self.assertEqual(sorted(named), sorted(page.name for page in ROOT.glob("docs/*.md")))

    def test_hacking_lists_every_folder_of_src(self):
        listed = re.findall(r"(?m)^\| `src/(\w+)` \|", (ROOT / "HACKING.md").read_text())
        self.assertEqual(sorted(listed), sorted(MODULES))

    def test_dev_commands_exist(self):
        known = set(re.findall(r"(?m)^cmd_(\w+)\(\)", (ROOT / "dev").read_text()))
        for page in PAGES:
            for command in re.findall(r"\./dev ([a-z]+)", page.read_text()):
                self.assertIn(command, known, f"{page.relative_to(ROOT)}: ./dev {command}")

    def test_every_page_is_reachable_from_the_readme(self):
        seen, ahead = set(), [ROOT / "README.md"]
        while ahead:
            page = ahead.pop()
            if page not in seen:
                seen.add(page)
                ahead += [(page.parent / to).resolve() for to, _ in links(page) if to.endswith(".md")]
        self.assertEqual(sorted(str(page.relative_to(ROOT)) for page in set(PAGES) - seen), [])


class FormTest(unittest.TestCase):
    def test_pages_have_their_size(self):
        for name, most in (("README.md", 110), ("docs/results.md", 200)):
            self.assertLessEqual(len((ROOT / name).read_text().splitlines()), most, name)
        self.assertLessEqual(section("README.md", "results").count("\n"), 28)

    def test_lines_are_short(self):
        for page in PAGES:
            fence = False
            for number, line in enumerate(page.read_text().splitlines(), 1):
                fence ^= line.startswith("```")
                if not fence and not line.startswith("|"):
                    self.assertLessEqual(len(line), 120, f"{page.relative_to(ROOT)}:{number}")

    def test_lists_and_tables_stand_apart(self):
        """The site's Markdown takes a list or a table that follows a line of text for more of that text."""
        for page in PAGES:
            lines = re.sub(r"(?ms)^```.*?^```$", lambda match: "\n" * match.group().count("\n"),
                           page.read_text()).splitlines()
            for number, (before, line) in enumerate(zip(lines, lines[1:]), 2):
                where = f"{page.relative_to(ROOT)}:{number}"
                text_before = re.match(r"[^\s|<#-]", before) and not re.match(r"\d+\. ", before)
                self.assertFalse(text_before and re.match(r"- |1\. |\|", line), f"{where}: a blank line is missing")
                self.assertFalse(not before and re.match(r" {1,3}\S", line), f"{where}: indent by 4 or not at all")


class WordsTest(unittest.TestCase):
    # Words of our own that the field has other words for (the migration table of CHANGELOG.md), as prose would have them.
    OURS = (r"(class[_ ])?likeness(es)?|rarity|latent[_ ]rows|by subject|word by word|feature[_ ]values =|row_length|"
            r"trust_in_consensus|evenness|labels lost|little is known|self_weight|equal_columns|principal_coordinates|"
            r"cuttings?|oddit(y|ies)|contrasted|votes?|presence of|anchor loss|settles?|maps?|stud(y|ies)|frozen")
    FIELD = (r"std::(unordered_)?map|#include <map>|affine maps?|frozen embeddings|id_map|map_columns|ColumnMap& map")

    def test_the_words_are_those_of_the_field(self):
        texts = [*(page for page in PAGES if page.name not in ("CHANGELOG.md", "changes.md")),
                 *ROOT.glob("include/scrl/*.h"), *ROOT.glob("src/*/*.h"), *ROOT.glob("cli/*.h")]
        self.assertGreater(len(texts), 100)
        for path in texts:  # docs/options.md has the help texts
            for number, line in enumerate(path.read_text().splitlines(), 1):
                found = re.search(rf"(?i)\b({self.OURS})\b", re.sub(self.FIELD, "", line))
                self.assertIsNone(found, f"{path.relative_to(ROOT)}:{number}: {line}")


class TablesTest(unittest.TestCase):
    def test_file_versions_are_those_of_the_code(self):
        page = (ROOT / "docs/file-versions.md").read_text()
        for row, source, name in (("`model.scrl`", "src/run/model_file.h", "kModelVersion"),
                                  ("`checkpoint.scrl`", "src/run/checkpoint.h", "kCheckpointVersion"),
                                  ("the cache of read data", "src/data/cache.cc", "kCacheVersion")):
            version = re.search(rf"{name} = (\d+);", (ROOT / source).read_text()).group(1)
            self.assertIn(f"| {row} | {version} |", page)

    def test_exit_codes_are_those_of_the_code(self):
        kinds = re.findall(r"(?m)^  (k\w+) = (\d+),", (ROOT / "include/scrl/error.h").read_text())
        self.assertEqual(len(kinds), 6)
        for name, code in kinds:
            self.assertRegex((ROOT / "docs/exit-codes.md").read_text(), rf"(?m)^\| {code} \| .* \| `{name}` \|$")


    def test_the_speed_chart_is_that_of_its_table(self):
        subprocess.run([sys.executable, ROOT / "bench/speed_chart.py", "--check"], check=True)


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
            for line in "\n".join(fenced(text) + inline(text)).replace("\\\n", " ").splitlines():
                match = re.match(r"\s*(?:\$ )?(?:build/)?scrl ([a-z]\S*)(.*)", line)
                if match:
                    yield page.relative_to(ROOT), match.group(1), re.split(r" [#|]", match.group(2))[0].split()

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
    def shell(self, script):
        env = self.environment(PATH=f"{pathlib.Path(SCRL).resolve().parent}:{os.environ['PATH']}")
        done = subprocess.run(["sh", "-e"], input=script, cwd=self.path, env=env, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_the_small_example_runs(self):
        script, expected = fenced(section("docs/own-data.md", "example"))[:2]
        self.shell(script)
        got = [line.split(",") for line in (self.path / "predictions.csv").read_text().splitlines()]
        want = [line.split(",") for line in expected.splitlines()]
        self.assertEqual([row[:2] for row in got], [row[:2] for row in want])
        # Probabilities differ in their last digits between instruction sets, and in no others.
        for mine, page in zip(got[1:], want[1:]):
            for p, q in zip(mine[2:], page[2:]):
                self.assertAlmostEqual(float(p), float(q), delta=0.01, msg=mine[0])

    def test_the_tutorial_runs(self):
        blocks = re.findall(r"(?ms)^```(\w*)\n(.*?)^```", (ROOT / "docs/tutorial.md").read_text())
        steps = []  # command, what the page shows for it
        for kind, text in blocks:
            steps.append([text, ""]) if kind == "sh" else steps[-1].__setitem__(1, text)
        self.assertGreaterEqual(len(steps), 8)
        for script, shown in steps:
            if "--seeds" in script or ("scrl report" in script and os.environ.get("SCRL_SANITIZE")):
                continue  # five trainings more, and nothing new
            got = self.shell(script.replace("path/to/scrl", str(ROOT)))
            if re.search(r"scrl (train|predict|eval)|shop_decide", script):
                # The first columns are the same everywhere; scores may differ a little between instruction sets.
                mine, page = ([re.match(r"\s*(\S*)", line).group(1) for line in text.splitlines()]
                              for text in (got, shown))
                self.assertEqual(mine[:8], page[:8], script)
            else:
                self.assertEqual(got, shown, script)
        scores = re.search(r"auto +(\S+)", next(shown for script, shown in steps if "scrl train" in script))
        trained = (self.path / "runs/shop/metrics.json").read_text()
        self.assertAlmostEqual(float(re.search(r'"accuracy":\s*\{\s*"mean":\s*([\d.]+)', trained).group(1)),
                               float(scores.group(1)), delta=5)


if __name__ == "__main__":
    unittest.main()
