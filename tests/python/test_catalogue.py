"""Catalogues against the lists of the program; what an import costs."""
import os
import subprocess
import sys
import unittest

import heddle
import program


def listed(what):
    done = subprocess.run([os.environ["HEDDLE_PROGRAM"], "list", what, "--names"], stdout=subprocess.PIPE, check=True,
                          text=True, env=program.without_preload())
    return done.stdout.split()


class Catalogues(unittest.TestCase):
    def test_they_have_what_the_program_lists(self):
        self.assertEqual(list(heddle.machines()), listed("machines"))
        self.assertEqual(list(heddle.networks()), listed("networks"))
        self.assertEqual(list(heddle.workloads()), listed("workloads"))
        self.assertEqual(list(heddle.parameters()), listed("params"))
        counted = [n for n, s in heddle.statistics().items() if s.source != "cost"]
        self.assertEqual(sorted(counted), sorted(set(listed("stats"))))

    def test_parameters_have_types(self):
        p = heddle.parameters()
        self.assertEqual((p["l1.ways"].type, type(p["l1.ways"].default)), ("int", int))
        self.assertEqual((p["icc.enabled"].type, p["icc.enabled"].values), ("bool", ("true", "false")))
        self.assertIsInstance(p["icc.enabled"].default, bool)
        self.assertEqual(p["l1.size"].default, "16K")
        self.assertIn("distributed", p["gpu.cta_scheduler"].values)
        self.assertIsNone(p["gpu.cta_scheduler"].least)
        self.assertEqual(p["gpu.clusters"].least, 1)
        self.assertTrue(p["gpu.clusters"].is_of_machines)
        self.assertFalse(p["traffic.rate"].is_of_machines)

    def test_every_statistic_of_a_run_is_known(self):
        known = heddle.statistics()
        missing = [n for n in heddle.run("icc60", "HS@tiny").stats
                   if n not in known and not n.endswith((".n", ".sum")) and "noc." not in n]
        self.assertEqual(missing, [])

    def test_they_can_be_searched(self):
        self.assertIn("l1.size", heddle.parameters().find("L1 data cache"))
        self.assertIn("HS", heddle.workloads().find("thermal"))
        self.assertEqual(heddle.parameters().find("no such words"), {})

    def test_they_are_frames(self):
        f = heddle.parameters().frame()
        self.assertEqual(len(f), len(heddle.parameters()))
        self.assertEqual(list(f.columns[:3]), ["key", "type", "default"])
        self.assertEqual(len(heddle.machines().frame()), len(heddle.machines()))

    def test_a_catalogue_is_the_callers_own(self):
        heddle.parameters().clear()
        self.assertTrue(heddle.parameters())

    def test_a_workload_says_its_inputs(self):
        w = heddle.workloads()["HS"]
        self.assertEqual(list(w.inputs)[:5], ["tiny", "small", "study", "paper", "few"])
        without = [w for w in heddle.workloads().values() if "chip" not in w.inputs]
        self.assertTrue(without)  # few have an input of a chip
        self.assertIn("footprint", heddle.workloads()["CHASE"].arguments)
        self.assertIn("icc", w.papers)


class Import(unittest.TestCase):
    def test_nothing_heavy_is_imported_nor_the_library_loaded(self):
        code = ("import sys, heddle\nfrom heddle import _library\n"
                "print([m for m in ('numpy', 'pandas', 'multiprocessing') if m in sys.modules], _library._loaded)")
        done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual(done.stdout.strip(), "[] None")

    def test_all_names_are_there_and_documented(self):
        for name in heddle.__all__:
            self.assertTrue(getattr(heddle, name).__doc__, name)

    def test_the_version_is_the_programs(self):
        done = subprocess.run([os.environ["HEDDLE_PROGRAM"], "--version"], stdout=subprocess.PIPE, text=True,
                              env=program.without_preload())
        self.assertIn(heddle.__version__, done.stdout)


if __name__ == "__main__":
    unittest.main()
