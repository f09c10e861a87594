"""Ranks as processes that mpirun starts, with Open MPI and with MPICH. PROGRAM is tests/ranks/mpi_program.cc."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import unittest

PROGRAM = os.environ["PROGRAM"]
PLUGINS = os.environ["PLUGINS"]  # where scrl_mpi_*.so are


def runs(process):
    try:
        stat = pathlib.Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


class MpiTest:
    extra = []

    def setUp(self):
        self.plugin = os.path.join(PLUGINS, f"scrl_mpi_{self.library}.so")
        self.mpirun = shutil.which(f"mpirun.{self.library}")
        if not self.mpirun or not os.path.exists(self.plugin):
            self.skipTest(f"no {self.library}")

    def start(self, ranks, *args, **env):
        env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   **{"SCRL_MPI_PLUGIN": self.plugin, **env})
        return subprocess.Popen([self.mpirun, *self.extra, "-np", str(ranks), PROGRAM, *args], env=env,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)

    def finish(self, process, limit=120):
        try:
            return process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            self.fail(f"still running after {limit} s")

    def run_ranks(self, ranks, *args, code=0, **env):
        process = self.start(ranks, *args, **env)
        out, err = self.finish(process)
        self.assertEqual(process.returncode, code, out + err)
        return out, err

    def test_any_number_of_ranks_gives_the_same_bits(self):
        lines = [self.run_ranks(ranks, "sum")[0] for ranks in (1, 2, 3, 4)]
        self.assertEqual([line.split()[:2] for line in lines], [[str(r), "ranks"] for r in (1, 2, 3, 4)])
        self.assertEqual({line.split()[2] for line in lines}, {"90856902638d8f630d5ad7185e4cbe7d"})

    def test_an_error_on_one_rank_is_one_message_and_its_exit_code(self):
        for failing in (0, 2):
            _, err = self.run_ranks(3, "fail", str(failing), code=6)
            said = [line for line in err.splitlines() if line.startswith("scrl: ")]
            self.assertEqual(said, [f"scrl: rank {failing}: epoch 40: the loss is no longer a number"])

    def test_a_killed_rank_ends_all(self):
        process = self.start(3, "wait")
        numbers = [int(re.fullmatch(r"process (\d+)\n", process.stdout.readline())[1]) for _ in range(3)]
        os.kill(numbers[1], signal.SIGKILL)
        end = time.monotonic() + 30
        self.finish(process, 30)
        self.assertNotEqual(process.returncode, 0)
        while any(map(runs, numbers)):
            self.assertLess(time.monotonic(), end, "the others still run")
            time.sleep(0.1)

    def test_switched_off_nobody_talks(self):
        self.assertEqual(self.run_ranks(2, "sum", SCRL_MPI="off")[0].splitlines(), ["no MPI"] * 2)

    def test_a_plugin_that_does_not_load_is_named(self):
        _, err = self.run_ranks(1, "sum", code=1, SCRL_MPI_PLUGIN="/nowhere/plugin.so")
        self.assertIn(f"started by {self.library}, but its plugin cannot be loaded: /nowhere/plugin.so", err)
        self.assertIn(f"lib{self.library}-dev", err)
        _, err = self.run_ranks(1, "sum", code=2, SCRL_MPI="lam")
        self.assertIn("SCRL_MPI: expected openmpi, mpich or off, found 'lam'", err)


class OpenMpiTest(MpiTest, unittest.TestCase):
    library, extra = "openmpi", ["--oversubscribe"]


class MpichTest(MpiTest, unittest.TestCase):
    library = "mpich"


if __name__ == "__main__":
    unittest.main()
