"""heddle.run against the program, its errors, how it is watched and stopped."""
import os
import signal
import subprocess
import sys
import threading
import unittest
import warnings

import heddle
import program


class SameAsTheProgram(unittest.TestCase):
    def check(self, machine, workload, settings=None):
        words = [w for k, v in (settings or {}).items() for w in ("--set", "%s=%s" % (k, v))]
        want = program.heddle("run", "-m", machine, "-w", workload, *words)
        got = heddle.run(machine, workload, settings)
        self.assertEqual(got.digest, want["digest"])
        self.assertEqual(program.but(got), program.but(want))

    def test_the_document_is_the_programs(self):
        self.check("icc60", "HS@tiny")

    def test_settings_are_the_programs(self):
        self.check("icc60", "BFS@tiny", {"l1.size": "32K", "gpu.cta_scheduler": "distributed", "icc.enabled": "true"})

    def test_other_machines_are_the_programs(self):
        self.check("cdxbar80", "MM@tiny")
        self.check("icc60", "CHASE@tiny:footprint=4K")
        self.check("sharing15", "HS@tiny", {"l1.replacement": "srrip"})

    def test_a_network_that_fits_its_machine_is_the_programs(self):
        self.check("icc60", "HS@tiny", {"noc.topology": "mesh"})

    def test_a_recording_gives_the_same_digest(self):
        subprocess.run([os.environ["HEDDLE_PROGRAM"], "record", "-w", "HS@tiny", "-o", "hs.hds"], check=True,
                       stdout=subprocess.DEVNULL, env=program.without_preload())
        replayed = heddle.run("icc60", trace="hs.hds")
        self.assertEqual(replayed.digest, heddle.run("icc60", "HS@tiny").digest)
        self.assertFalse(replayed.checked)

    def test_ways_of_running_change_nothing(self):
        digest = heddle.run("icc60", "HS@tiny").digest
        self.assertEqual(heddle.run("icc60", "HS@tiny", check=True).digest, digest)
        self.assertEqual(heddle.run("icc60", "HS@tiny", no_skip=True).digest, digest)
        self.assertEqual(heddle.run("icc60", "HS@tiny", threads=2).digest, digest)
        self.assertEqual(heddle.run("icc60", "HS@tiny", verify=False, progress=lambda p: None).digest, digest)

    def test_another_seed_is_another_input(self):
        want = program.heddle("run", "-m", "icc60", "-w", "BFS@tiny", "--seed", "7")
        self.assertEqual(heddle.run("icc60", "BFS@tiny", seed=7).digest, want["digest"])
        self.assertNotEqual(heddle.run("icc60", "BFS@tiny").digest, want["digest"])

    def test_networks_and_prices_are_the_programs(self):
        name = "mesh8_uniform_p1_v4b8"
        want = program.heddle("noc", "-m", name, "--rate", "0.05:0.1:0.05")
        got = heddle.noc(name, [0.05, 0.1], threads=2)
        for a, b in zip(got.points, want["points"]):
            self.assertEqual(program.but(a), program.but(b))
        self.assertEqual(got.config, want["config"])
        self.assertEqual(program.but(heddle.cost("icc60", {"power.node": 45})),
                         program.but(program.heddle("cost", "-m", "icc60", "--set", "power.node=45")))
        self.assertEqual(program.but(heddle.cost(network=name)), program.but(program.heddle("cost", "-n", name)))

    def test_a_search_is_the_programs(self):
        want = program.heddle("noc", "-m", "mesh8_uniform_p1_v4b8", "--saturation=0.1", "--set", "measure.cycles=500")
        got = heddle.noc("mesh8_uniform_p1_v4b8", saturation=True, measure__step=0.1, measure__cycles=500)
        self.assertEqual(got.saturation, want["saturation"])


class Settings(unittest.TestCase):
    def config(self, set=None, **settings):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with heddle.Machine("icc60", set, **settings) as m:
                return m.result().config

    def test_values_have_types(self):
        import numpy
        config = self.config({"l1.ways": 8, "icc.enabled": True, "power.load": 0.25,
                              "l2.ways": numpy.int64(4), "locality.windows": (500, 1000)}, l1__size="32K")
        self.assertEqual(config["l1"]["ways"], 8)
        self.assertIs(config["icc"]["enabled"], True)
        self.assertEqual(config["power"]["load"], 0.25)
        self.assertEqual(config["l2"]["ways"], 4)
        self.assertEqual(config["locality"]["windows"], [500, 1000])
        self.assertEqual(config["l1"]["size"], 32768)

    def test_only_the_first_two_underscores_are_the_dot(self):
        self.assertEqual(self.config(gpu__cta_scheduler="greedy")["gpu"]["cta_scheduler"], "greedy")

    def test_what_has_no_effect_is_warned_of_or_refused(self):
        with self.assertWarnsRegex(heddle.HeddleWarning, r"no effect: icc.entries \(icc.enabled is false\)") as w:
            heddle.run("icc60", "HS@tiny", icc__entries=8)
        self.assertEqual(w.filename, __file__)
        with self.assertRaisesRegex(heddle.HeddleError, "--strict: no effect: icc.entries"):
            heddle.run("icc60", "HS@tiny", icc__entries=8, strict=True)
        with self.assertWarnsRegex(heddle.HeddleWarning, "no effect") as w:
            heddle.cost("icc60", {"icc.entries": 8})
        self.assertEqual(w.filename, __file__)

    def test_a_file_is_a_machine(self):
        with open("mine.yaml", "w") as f:
            f.write("base: %s/machines/icc60.yaml\nl1: {size: 32K}\n" % os.environ["HEDDLE_SOURCE"])
        self.assertEqual(heddle.run("mine.yaml", "HS@tiny").digest,
                         heddle.run("icc60", "HS@tiny", {"l1.size": "32K"}).digest)


class Errors(unittest.TestCase):
    def refused(self, status, text, function, *a, **k):
        with self.assertRaises(heddle.HeddleError) as caught:
            function(*a, **k)
        self.assertEqual(caught.exception.status, status)
        self.assertIn(text, str(caught.exception))

    def test_messages_are_the_programs(self):
        self.refused(2, "--set l1.sise=3: unknown parameter; did you mean l1.size?", heddle.run, "icc60", "HS@tiny",
                     {"l1.sise": 3})
        self.refused(2, 'no machine "icc6"; did you mean icc60?', heddle.run, "icc6", "HS@tiny")
        self.refused(2, 'no workload "HSS"; did you mean HS?', heddle.run, "icc60", "HSS@tiny")
        self.refused(2, 'no size "tinny"', heddle.run, "icc60", "HS@tinny")
        self.refused(2, "--set l1.ways=0", heddle.run, "icc60", "HS@tiny", l1__ways=0)
        self.refused(2, "traffic", heddle.run, "icc60", "HS@tiny", traffic__rate=0.5)
        self.refused(2, "no network", heddle.noc, "icc60", 0.1)
        self.refused(2, "/nonexistent.yaml: cannot read", heddle.run, "/nonexistent.yaml", "HS@tiny")
        self.refused(2, "/nonexistent.hds", heddle.run, "icc60", trace="/nonexistent.hds")
        self.refused(2, "NUL", heddle.run, "icc\0", "HS@tiny")

    def test_what_python_itself_refuses(self):
        self.assertRaises(TypeError, heddle.run, "icc60")
        self.assertRaises(TypeError, heddle.run, "icc60", "HS@tiny", trace="x")
        self.assertRaises(TypeError, heddle.run, "icc60", "HS@tiny", size="tiny")
        self.assertRaises(TypeError, heddle.noc, "mesh8_uniform_p1_v4b8", 0.1, saturation=True)
        self.assertRaises(TypeError, heddle.cost)
        self.assertRaises(AttributeError, lambda: heddle.nothing)

    def test_a_budget_gives_a_partial_result(self):
        want = 1000
        r = heddle.run("icc60", "HS@tiny", max_cycles=want)
        self.assertTrue(r.partial)
        self.assertEqual(r.cycles, want)
        self.assertTrue(heddle.run("icc60", "HS@tiny", max_insns=500).partial)
        self.assertFalse(heddle.run("icc60", "HS@tiny", max_cycles=10**9).partial)

    def test_a_network_out_of_cycles_is_an_error(self):
        self.refused(4, "measure.max_cycles", heddle.noc, "mesh8_uniform_p1_v4b8", 0.1, measure__max_cycles=50)

    def test_an_exception_can_be_pickled(self):
        import pickle
        e = pickle.loads(pickle.dumps(heddle.HeddleError(2, "text")))
        self.assertEqual((e.status, str(e)), (2, "text"))

    def test_a_library_that_is_not_there_is_said(self):
        code = "import heddle\ntry: heddle.version()\nexcept heddle.HeddleError as e: print(e)"
        env = {**program.without_preload(), "HEDDLE_LIBRARY": "/nonexistent/libheddle.so"}
        said = subprocess.run([sys.executable, "-c", code], env=env, stdout=subprocess.PIPE, text=True).stdout
        self.assertIn("/nonexistent/libheddle.so", said)
        self.assertIn("HEDDLE_LIBRARY", said)


class Watching(unittest.TestCase):
    LONG = ("icc60", "BT@small")  # many slices of time

    def test_progress_goes_forward(self):
        seen = []
        heddle.run(*self.LONG, max_cycles=50000, progress=lambda p: seen.append((p.cycles, p.ctas_done, p.ctas)))
        self.assertGreater(len(seen), 3)
        self.assertEqual(seen, sorted(seen))
        self.assertLessEqual(seen[-1][1], seen[-1][2])

    def test_what_progress_raises_ends_the_run_and_is_raised(self):
        def refuse(p):
            raise KeyError("enough")

        with self.assertRaisesRegex(KeyError, "enough"):
            heddle.run(*self.LONG, progress=refuse)

    def test_ctrl_c_ends_a_run(self):
        calls = []

        def interrupt(p):
            calls.append(p.cycles)
            if len(calls) == 2:
                os.kill(os.getpid(), signal.SIGINT)

        with self.assertRaises(KeyboardInterrupt):
            heddle.run("icc60", "BT@paper", progress=interrupt)
        self.assertEqual(heddle.run("icc60", "HS@tiny").checked, True)  # and nothing is left of it

    def test_ctrl_c_ends_a_measurement_of_a_network(self):
        def interrupt():
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(0.3, interrupt)
        timer.start()
        with self.assertRaises(KeyboardInterrupt):  # a day, were it not stopped
            heddle.noc("mesh8_uniform_p1_v4b8", 0.1, measure__warmup=10**9)
        timer.join()

    def test_another_thread_can_stop_a_run(self):
        # It can only if the library runs without the interpreter's lock.
        machine = heddle.Machine("icc60")
        ended = []

        def work():
            try:
                machine.run("BT@paper", verify=False)
            except heddle.HeddleError as e:
                ended.append(e.status)

        thread = threading.Thread(target=work)
        thread.start()
        machine.config.stop.value = 1
        thread.join()
        self.assertEqual(ended, [5])
        with self.assertRaises(heddle.HeddleError):
            machine.run("HS@tiny")
        machine.close()


class Threads(unittest.TestCase):
    def test_machines_of_several_threads_do_not_touch_each_other(self):
        wanted = [heddle.run("icc60", w).digest for w in ("HS@tiny", "BFS@tiny", "MM@tiny")]
        got = {}

        def work(i, workload):
            got[i] = [heddle.run("icc60", workload).digest for _ in range(3)]

        threads = [threading.Thread(target=work, args=(i, w)) for i, w in enumerate(("HS@tiny", "BFS@tiny", "MM@tiny"))]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual([got[i] for i in range(3)], [[d] * 3 for d in wanted])

    def test_one_machine_serves_threads_one_after_another(self):
        with heddle.Machine("icc60") as m:
            threads = [threading.Thread(target=m.run, args=("HS@tiny",)) for _ in range(3)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
            r = m.result()
        self.assertEqual(r.workload, "HS@tiny + HS@tiny + HS@tiny")
        self.assertTrue(r.checked)


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.r = heddle.run("icc60", "HS@tiny")

    def test_members_are_attributes(self):
        self.assertEqual(self.r.stats["cycles"], self.r["cycles"])
        self.assertIn("HS@tiny on icc60", repr(self.r))
        with self.assertRaisesRegex(AttributeError, "it has .*cycles"):
            self.r.nothing

    def test_frames(self):
        f = self.r.frame()
        self.assertEqual(f.loc["ipc", "value"], self.r.ipc)
        self.assertEqual(f.loc["dram_gbs", "unit"], "GB/s")
        self.assertTrue(f.loc["l1_hit_rate", "doc"])
        kernels = self.r.kernels_frame()
        self.assertEqual(len(kernels), len(self.r.kernels))
        self.assertIn("ipc", kernels.columns)
        cost = heddle.cost("icc60").frame()
        self.assertAlmostEqual(cost["area_mm2"].drop("total").sum(), cost.loc["total", "area_mm2"])
        points = heddle.noc("mesh8_uniform_p1_v4b8", [0.05, 0.1], measure__cycles=500).frame()
        self.assertEqual(list(points["offered"]), [0.05, 0.1])
        self.assertIn("latency.p99", points.columns)

    def test_a_machine_can_be_asked_as_it_runs(self):
        with heddle.Machine("icc60") as m:
            self.assertEqual(m.cycles, 0)
            m.run("HS@tiny")
            self.assertEqual(m.cycles, self.r.cycles)
            self.assertEqual(m.stat("ipc"), self.r.ipc)
            self.assertNotEqual(m.stat("nothing"), m.stat("nothing"))
            m.finish()
            self.assertEqual(m.digest, self.r.digest)
        self.assertRaises(ValueError, m.run, "HS@tiny")
        m.close()


if __name__ == "__main__":
    unittest.main()
