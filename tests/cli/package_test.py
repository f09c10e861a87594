"""Completions, manual pages and what the Debian packages consist of."""
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from program import SCRL, ProgramTest

BUILD = pathlib.Path(SCRL).resolve().parent


class CompletionTest(ProgramTest):
    def script(self, shell):
        path = self.path / f"scrl.{shell}"
        path.write_text(self.run_scrl("completion", shell)[0])
        return path

    def complete(self, *words, **env):
        """What bash offers for the last word."""
        script = self.script("bash")
        code = 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _scrl; printf "%s\\n" "${COMPREPLY[@]}"'
        done = subprocess.run(["bash", "-c", code, str(script), "scrl", *words], cwd=self.path, text=True,
                              env=self.environment(**env), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.returncode, 0)
        return done.stdout.split()

    def options(self, command):
        return set(re.findall(r"(?m)^ +(?:-\w, )?(--[\w-]+)", self.run_scrl(command, "--help")[0]))

    def commands(self):
        return re.findall(r"(?m)^  (\w+) ", self.run_scrl("help")[0].partition("commands:")[2])

    def test_the_scripts_are_valid(self):
        for shell in ("bash", "zsh", "fish"):
            program = shutil.which(shell)
            if program:
                subprocess.run([program, "-n", self.script(shell)], check=True)
        self.run_scrl("completion", "tcsh", code=2)

    def test_commands_and_options_are_all_offered(self):
        self.assertEqual(set(self.complete("")), {*self.commands(), "help", "--help", "--version"})
        self.assertEqual(set(self.complete("con")), {"convert"})
        for command in self.commands():
            self.assertEqual(set(self.complete(command, "-")), self.options(command), command)
        zsh, fish = (self.script(shell).read_text() for shell in ("zsh", "fish"))
        for option in self.options("train"):
            self.assertIn(f"'{option}", zsh)
            self.assertRegex(fish, rf"-l {option[2:]}\b")

    def test_values(self):
        self.assertEqual(self.complete("train", "demo", "--protocol", ""), ["val", "fixed", "oracle"])
        self.assertEqual(self.complete("train", "demo", "--protocol", "=", "o"), ["oracle"])
        self.assertEqual(self.complete("convert", "demo", "--to", "g"), ["graphml"])
        self.assertIn("deepwalk", self.complete("train", "demo", "-m", "d"))
        self.assertEqual(self.complete("train", "demo", "--out", "ru"), [])  # left to file names
        (self.path / "data/acm").mkdir(parents=True)
        self.assertEqual(self.complete("train", "a", SCRL_DATA=str(self.path / "data")), ["acm"])


class ManualTest(ProgramTest):
    def test_every_command_has_a_page_without_warnings(self):
        self.run_scrl("manual", "-o", "man1")
        pages = sorted((self.path / "man1").iterdir())
        commands = re.findall(r"(?m)^  (\w+) ", self.run_scrl("help")[0].partition("commands:")[2])
        self.assertEqual({p.name for p in pages}, {"scrl.1", *(f"scrl-{c}.1" for c in commands)})
        groff, man = shutil.which("groff"), shutil.which("man")
        for page in pages:
            if groff:
                done = subprocess.run([groff, "-man", "-Tutf8", "-ww", "-z", page], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)
            if man:
                done = subprocess.run([man, "--warnings", "-l", page], capture_output=True, text=True,
                                      env=dict(os.environ, LC_ALL="C.UTF-8", MANWIDTH="80"))
                self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)
        text = (self.path / "man1/scrl-train.1").read_text()
        self.assertIn(r"\fB\-\-checkpoint\-secs\fR \fIX\fR", text)
        self.assertIn("scrl train demo", text)
        self.assertEqual(self.run_scrl("manual", "train")[0], text)
        self.run_scrl("manual", "nothing", code=2)


@unittest.skipUnless(shutil.which("cpack") and shutil.which("dpkg-shlibdeps") and (BUILD / "CPackConfig.cmake").exists()
                     and not os.environ.get("SCRL_SANITIZE"), "needs cpack, dpkg-dev and a build without sanitizers")
class PackageTest(ProgramTest):
    def fields(self, package):
        out = subprocess.run(["dpkg-deb", "-f", package], check=True, capture_output=True, text=True).stdout
        return dict(re.findall(r"(?m)^([\w-]+): (.*)$", out))

    def test_what_the_packages_hold(self):
        subprocess.run(["cpack", "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", "-B", self.path / "packages"],
                       cwd=BUILD, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        found = {p.name.partition("_")[0]: p for p in (self.path / "packages").glob("*.deb")}
        self.assertEqual(set(found), {"scrl", "libscrl-dev"})
        for name, package in found.items():
            subprocess.run(["dpkg-deb", "-x", package, self.path / name], check=True)
        root, dev = self.path / "scrl/usr", self.path / "libscrl-dev/usr"
        fields = self.fields(found["scrl"])
        for library in ("libc6", "libexpat1", "libhwy1", "zlib1g", "libstdc++6"):
            self.assertRegex(fields["Depends"], rf"\b{re.escape(library)} \(>=")
        self.assertEqual(fields["Section"], "science")
        version = subprocess.run([root / "bin/scrl", "version"], check=True, capture_output=True, text=True).stdout
        self.assertTrue(version.startswith(f"scrl {fields['Version'].removesuffix('-1')} "))
        page = gzip.decompress((root / "share/man/man1/scrl-convert.1.gz").read_bytes()).decode()
        self.assertIn(".TH SCRL-CONVERT 1", page)
        for file in ("bash-completion/completions/scrl", "zsh/vendor-completions/_scrl",
                     "fish/vendor_completions.d/scrl.fish", "doc/scrl/copyright", "doc/scrl/changelog.gz"):
            self.assertGreater((root / "share" / file).stat().st_size, 100, file)
        self.assertFalse(list(dev.glob("bin/*")))
        self.assertTrue(list(dev.glob("lib/**/libscrl.a")))
        self.assertTrue(list(dev.glob("lib/**/scrlConfig.cmake")))
        self.assertTrue((dev / "include/scrl/scrl.h").exists())
        text = next(dev.glob("lib/**/scrl.pc")).read_text()
        self.assertIn("Libs: -L${libdir} -lscrl", text)
        self.assertNotIn(str(BUILD), "".join(p.read_text() for p in dev.glob("lib/**/*.cmake")) + text)


if __name__ == "__main__":
    unittest.main()
