"""Thousands of short runs of each kind: memory does not grow.  HEDDLE_CHECK_FULL=1: ten thousand."""
import gc
import os
import unittest

import heddle
import numpy as np
import program

RUNS = 10000 if os.environ.get("HEDDLE_CHECK_FULL") else 250
SMALL = {"gpu.clusters": 1, "gpu.sms_per_cluster": 1, "xbar.inputs": 1, "xbar.outputs": 2, "mc.channels": 2,
         "l2.size": "16K"}


def resident():
    """Bytes of this process in memory."""
    gc.collect()
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Memory(unittest.TestCase):
    # Of a leak, each run would add its part; what allocators keep levels off after the first fifth.  That of ASan
    # goes on to grow by some hundred bytes a run, whatever is allocated.
    LEAST = 4 << 20 if "libasan" in os.environ.get("LD_PRELOAD", "") else 1 << 20
    MOST_PER_RUN = 100

    def check(self, runs, one):
        for _ in range(runs // 5):
            one()
        before = resident()
        for _ in range(runs - runs // 5):
            one()
        grown = resident() - before
        print("%d runs: grown by %d KB, %.1f bytes a run" % (runs, grown // 1024, grown / runs))
        self.assertLess(grown, max(self.LEAST, self.MOST_PER_RUN * runs))

    def test_launches_on_machines_of_their_own(self):
        x, y = np.arange(200, dtype=np.float32), np.ones(200, np.float32)
        digests = []

        def one():
            with heddle.Machine("icc60", SMALL) as machine:
                kernel = machine.device().module(program.SAXPY).kernel("saxpy")
                kernel(200, 2.5, heddle.In(x), y, grid=2, block=128)
                digests.append(machine.result().digest)
                del digests[:-2]
                self.assertEqual(digests[0], digests[-1])

        self.check(RUNS, one)

    def test_launches_on_one_device(self):
        kernel = heddle.Device().module(program.SAXPY).kernel("saxpy")
        x, y = np.arange(200, dtype=np.float32), np.ones(200, np.float32)
        self.check(RUNS, lambda: kernel(200, 0.0, heddle.In(x), y, grid=2, block=128))

    def test_networks(self):
        self.check(RUNS // 2, lambda: heddle.noc("mesh8_uniform_p1_v4b8", 0.05, mesh__width=2, mesh__height=2,
                                                 measure__warmup=10, measure__cycles=10))

    def test_refusals(self):
        def one():
            with self.assertRaises(heddle.HeddleError):
                heddle.run("icc60", "HS@tiny", {"l1.sise": 1})

        self.check(RUNS, one)

    def test_workloads_and_prices(self):
        self.check(max(30, RUNS // 100), lambda: (heddle.run("icc60", "HS@tiny"), heddle.cost("icc60")))


if __name__ == "__main__":
    unittest.main()
