"""Sweeps in a pool of processes, and studies through the program."""
import os
import signal
import subprocess
import sys
import threading
import unittest

import heddle
import program
from heddle import sweeps


def children():
    done = subprocess.run(["ps", "-o", "pid=,stat=,args=", "--ppid", str(os.getpid())], stdout=subprocess.PIPE, text=True)
    return [line for line in done.stdout.splitlines() if "heddle._worker" in line]


class Sweeps(unittest.TestCase):
    def test_points_are_in_order_and_equal_to_single_runs(self):
        s = heddle.sweep("icc60", ["HS@tiny", "BFS@tiny"], {"l1.size": ["16K", "32K"], "l1.latency": 40}, jobs=3)
        self.assertEqual([(p["workload"], p["l1.size"]) for p in s.points],
                         [("HS@tiny", "16K"), ("HS@tiny", "32K"), ("BFS@tiny", "16K"), ("BFS@tiny", "32K")])
        for p, r in zip(s.points, s):
            alone = heddle.run(p["machine"], p["workload"], {"l1.size": p["l1.size"], "l1.latency": 40})
            self.assertEqual(r.digest, alone.digest)
            self.assertEqual(r.stats, alone.stats)

    def test_a_frame_has_what_varies_and_all_statistics(self):
        s = heddle.sweep(["icc60", "cdxbar80"], "HS@tiny", l1__ways=[4, 8], options={"verify": False})
        f = s.frame()
        self.assertEqual(list(f.columns[:3]), ["machine", "workload", "l1.ways"])
        self.assertEqual(list(f["l1.ways"]), [4, 8, 4, 8])
        self.assertEqual(list(f["ipc"]), [r.ipc for r in s])
        table = f.pivot(index="l1.ways", columns="machine", values="cycles")
        self.assertEqual(table.loc[8, "cdxbar80"], s[3].cycles)
        self.assertFalse(s[0].checked)

    def test_a_tuple_is_one_value(self):
        s = heddle.sweep("icc60", "HS@tiny", {"locality.windows": (500, 1000)}, jobs=1)
        self.assertEqual(len(s), 1)
        self.assertEqual(s[0].config["locality"]["windows"], [500, 1000])

    def test_progress_counts_to_the_end(self):
        seen = []
        heddle.sweep("icc60", "HS@tiny", {"l1.ways": [2, 4, 8]}, progress=lambda done, n, left: seen.append((done, n)))
        self.assertEqual(seen, [(1, 3), (2, 3), (3, 3)])

    def test_an_error_is_raised_and_nothing_is_left(self):
        with self.assertRaisesRegex(heddle.HeddleError, "did you mean l1.ways"):
            heddle.sweep("icc60", "HS@tiny", {"l1.wayz": [2, 4, 8]})
        self.assertEqual(children(), [])

    def test_or_kept(self):
        s = heddle.sweep("icc60", "HS@tiny", {"l1.ways": [4, 0, 8]}, errors="keep")
        self.assertIsInstance(s[1], heddle.HeddleError)
        self.assertEqual(s[1].status, 2)
        f = s.frame()
        self.assertIn("l1.ways", f["error"][1])
        self.assertEqual(list(f["cycles"].isna()), [False, True, False])
        self.assertRaises(ValueError, heddle.sweep, "icc60", "HS@tiny", errors="drop")
        self.assertRaises(TypeError, heddle.sweep, "icc60", "HS@tiny", size="tiny")
        s = heddle.sweep("icc60", "HS@tiny", options={"nonsense": 1}, errors="keep")
        self.assertIn("nonsense", str(s[0]))

    def test_settings_without_effect_in_all_runs_are_warned_of_once(self):
        with self.assertWarnsRegex(heddle.HeddleWarning, r"no effect: icc.entries \(icc.enabled is false\)$") as w:
            heddle.sweep("icc60", "HS@tiny", {"icc.entries": 8, "l1.ways": [4, 8]})
        self.assertEqual((len(w.warnings), w.filename), (1, __file__))

    def test_a_process_that_dies_is_one_run_that_failed(self):
        start, killed = sweeps._Pool._start, []

        def start_one_that_dies(pool):
            if killed:
                return start(pool)
            killed.append(1)
            worker = subprocess.Popen([sys.executable, "-c", "import os; os.abort()"], text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            pool.workers.append(worker)
            return worker

        sweeps._Pool._start = start_one_that_dies
        try:
            s = heddle.sweep("icc60", "HS@tiny", {"l1.ways": [2, 4, 8]}, jobs=1, errors="keep")
        finally:
            sweeps._Pool._start = start
        self.assertIn("died (status -6)", str(s[0]))
        self.assertEqual([r.machine for r in s[1:]], ["icc60", "icc60"])

    def test_ctrl_c_ends_all_processes(self):
        timer = threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            heddle.sweep("icc60", "BT@paper", {"l1.ways": [2, 4, 8]}, jobs=2)
        timer.join()
        self.assertEqual(children(), [])

    def test_it_needs_no_guard_of_the_main_module(self):
        with open("script.py", "w") as f:
            f.write("import heddle\nprint(len(heddle.sweep('icc60', 'HS@tiny', {'l1.ways': [4, 8]})))\n")
        done = subprocess.run([sys.executable, "script.py"], stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual(done.stdout, "2\n")


STUDY = """
title: Two sizes of the L1
machine: icc60
workloads: [HS, BFS]
size: tiny
variants:
  small: {set: {l1.size: 16K}}
  large: {set: {l1.size: 32K}}
figures:
  speed: {title: Speed, expr: ipc / base.ipc, baseline: small, variants: [large], mean: geometric}
"""


class Studies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open("two.yaml", "w") as f:
            f.write(STUDY)
        cls.study = heddle.study("two.yaml", jobs=2)

    def test_its_runs_are_those_of_run(self):
        for r in self.study.runs():
            want = heddle.run(r["machine"], r["workload"], {"l1.size": "16K" if r["variant"] == "small" else "32K"})
            self.assertEqual((r["cycles"], r["digest"]), (want.cycles, want.digest))
        self.assertEqual(len(self.study.runs()), 4)

    def test_figures_and_frames(self):
        self.assertEqual(self.study.figures, ["speed"])
        figure = self.study.figure("speed")
        f = self.study.frame("ipc", "cycles").set_index(["workload", "variant"])
        want = f.loc[("BFS@tiny", "large"), "ipc"] / f.loc[("BFS@tiny", "small"), "ipc"]
        self.assertAlmostEqual(figure["BFS"]["large"], want)
        self.assertIn("mean", figure)
        self.assertGreater(len(self.study.frame().columns), 100)
        self.assertRaisesRegex(KeyError, "it has speed", self.study.figure, "nothing")

    def test_a_folder_can_be_opened_again(self):
        again = heddle.Study("out/two")
        self.assertEqual(again.runs(), self.study.runs())
        self.assertEqual(again.query("SELECT count(*) AS n FROM run"), [{"n": 4}])
        self.assertRaisesRegex(heddle.HeddleError, "no database", heddle.Study, "nowhere")

    def test_what_is_wrong_is_the_programs_message(self):
        with self.assertRaisesRegex(heddle.HeddleError, "icd") as caught:
            heddle.study("icd")
        self.assertEqual(caught.exception.status, 2)


if __name__ == "__main__":
    unittest.main()
