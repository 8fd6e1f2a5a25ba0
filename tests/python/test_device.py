"""Kernels of one's own: memory in and out, what is refused, how long things live."""
import array
import gc
import os
import signal
import threading
import unittest
import weakref

import heddle
import numpy as np
import program

HEAD = ".version 7.0\n.target sm_70\n.address_size 64\n"

# to[i] = from[i] * 2 + add, doubles or words by the size of their type
DOUBLE = HEAD + """
.visible .entry twice(.param .u64 to, .param .u64 from, .param .u32 n, .param .f64 add) {
    .reg .pred %p; .reg .b32 %i, %c, %t, %n; .reg .b64 %o, %a, %b; .reg .f64 %v, %d;
    mov.u32 %i, %tid.x; mov.u32 %c, %ctaid.x; mov.u32 %t, %ntid.x; mad.lo.u32 %i, %c, %t, %i;
    ld.param.u32 %n, [n]; setp.ge.u32 %p, %i, %n; @%p bra END;
    ld.param.u64 %a, [to]; ld.param.u64 %b, [from]; ld.param.f64 %d, [add];
    mul.wide.u32 %o, %i, 8; add.u64 %a, %a, %o; add.u64 %b, %b, %o;
    ld.global.f64 %v, [%b]; add.f64 %v, %v, %v; add.f64 %v, %v, %d; st.global.f64 [%a], %v;
END: ret; }
"""
# *to = all parameters, one after another
PARAMETERS = HEAD + """
.visible .entry keep(.param .u64 to, .param .s8 a, .param .u16 b, .param .u32 c, .param .u64 d, .param .f32 e,
                     .param .f64 f, .param .align 4 .b8 g[8]) {
    .reg .b64 %t, %d; .reg .b32 %c; .reg .b16 %a, %b; .reg .f32 %e; .reg .f64 %f;
    ld.param.u64 %t, [to];
    ld.param.s8 %a, [a]; st.global.s16 [%t], %a;
    ld.param.u16 %b, [b]; st.global.u16 [%t+2], %b;
    ld.param.u32 %c, [c]; st.global.u32 [%t+4], %c;
    ld.param.u64 %d, [d]; st.global.u64 [%t+8], %d;
    ld.param.f32 %e, [e]; st.global.f32 [%t+16], %e;
    ld.param.u32 %c, [g+4]; st.global.u32 [%t+20], %c;
    ld.param.f64 %f, [f]; st.global.f64 [%t+24], %f;
    ret; }
.global .u32 counter;
.visible .entry fault() { .reg .b64 %a; .reg .b32 %v; mov.u64 %a, 8; ld.global.u32 %v, [%a]; ret; }
.visible .entry forever() { AGAIN: bra AGAIN; }
"""
KEPT = np.dtype([("a", "i2"), ("b", "u2"), ("c", "u4"), ("d", "u8"), ("e", "f4"), ("g", "u4"), ("f", "f8")])


class Memory(unittest.TestCase):
    def setUp(self):
        self.device = heddle.Device()
        self.twice = self.device.module(DOUBLE).kernel("twice")

    def launch(self, to, source, n=100, add=1.0):
        return self.twice(to, source, n, add, grid=4, block=32)

    def test_arrays_go_in_and_out(self):
        x, y = np.arange(100.0), np.zeros(100)
        told = self.launch(y, heddle.In(x))
        np.testing.assert_array_equal(y, 2 * x + 1)
        self.assertEqual(told.kernel, "twice")
        self.assertEqual(told.grid, (4, 1, 1))
        self.assertEqual(told.global_stores, 4)
        self.assertNotIn("cycles", told)

    def test_what_is_only_read_stays(self):
        x = np.arange(100.0)
        self.launch(heddle.Out(np.empty(100)), heddle.In(x))
        np.testing.assert_array_equal(x, np.arange(100.0))
        x.setflags(write=False)
        y = np.zeros(100)
        self.launch(y, heddle.In(x))
        self.assertEqual(y[99], 199)

    def test_what_is_only_written_begins_as_zeros(self):
        y = np.full(100, 7.0)
        self.launch(heddle.Out(y), heddle.In(np.arange(100.0)), n=50)
        self.assertEqual((y[49], y[50], y[99]), (99, 0, 0))

    def test_strides_do_not_matter(self):
        x, y = np.arange(200.0)[::2], np.zeros((100, 3))
        self.launch(y[:, 1], heddle.In(x))
        np.testing.assert_array_equal(y[:, 1], 2 * np.arange(0.0, 200, 2) + 1)
        self.assertFalse(y[:, [0, 2]].any())
        fortran = np.asfortranarray(np.arange(100.0).reshape(10, 10))
        self.launch(fortran, fortran.copy())  # as C would have it, there and back
        np.testing.assert_array_equal(fortran, 2 * np.arange(100.0).reshape(10, 10) + 1)

    def test_anything_with_bytes_is_memory(self):
        x, y = array.array("d", range(100)), bytearray(800)
        self.launch(y, heddle.In(x))
        self.assertEqual(memoryview(y).cast("d")[99], 199)
        self.launch(y, heddle.In(bytes(800)))
        self.assertEqual(memoryview(y).cast("d")[99], 1)
        with self.assertRaisesRegex(ValueError, "read-only"):
            self.launch(bytes(800), heddle.In(x))
        with self.assertRaisesRegex(ValueError, "contiguous"):
            self.launch(memoryview(y)[::2], heddle.In(x))

    def test_a_structured_array_is_memory(self):
        pair = np.dtype([("x", "f8"), ("y", "f8")])
        x, y = np.zeros(50, pair), np.zeros(50, pair)
        x["y"] = 3
        self.launch(y, heddle.In(x))
        self.assertEqual((y["x"][9], y["y"][9]), (1, 7))

    def test_a_buffer_stays_on_the_device(self):
        b = self.device.buffer(np.arange(100.0))
        self.launch(b, b)
        self.launch(b, b)
        np.testing.assert_array_equal(b.get(), 4 * np.arange(100.0) + 3)
        b.set(np.zeros(100))
        self.assertEqual(b.get().sum(), 0)
        z = self.device.zeros((4, 5), "f4")
        self.assertEqual((z.get().shape, z.get().dtype, len(z)), ((4, 5), np.float32, 80))
        self.assertEqual(self.device.buffer(b"abc").get(), b"abc")
        self.assertEqual(self.device.buffer(b"").get(), b"")
        with self.assertRaisesRegex(ValueError, "808 bytes for a buffer of 800"):
            b.set(np.zeros(101))

    def test_memory_that_nobody_refers_to_is_freed(self):
        before = self.device.memory_used
        for _ in range(10):
            self.launch(np.zeros(100), np.zeros(100))
            self.device.buffer(np.zeros(1000))
        self.assertEqual(self.device.memory_used, before)
        kept = self.device.buffer(np.zeros(1000))
        self.assertGreaterEqual(self.device.memory_used, before + 8000)
        del kept
        self.assertEqual(self.device.memory_used, before)


class Parameters(unittest.TestCase):
    def setUp(self):
        self.device = heddle.Device()
        self.module = self.device.module(PARAMETERS, "mine.ptx")

    def keep(self, *values):
        out = np.zeros(1, KEPT)
        self.module.launch("keep", out, *values, grid=1, block=1)
        return out[0]

    def test_numbers_become_what_the_kernel_takes(self):
        got = self.keep(-5, 65535, -1, 1 << 63, 0.5, 1e300, np.array([1, 2], "u4"))
        self.assertEqual(tuple(got), (-5, 65535, 0xffffffff, 1 << 63, 0.5, 2, 1e300))
        got = self.keep(np.int8(-5), np.uint16(3), np.int32(-2), True, np.float64(0.25), 3, b"\0\0\0\0\7\0\0\0")
        self.assertEqual(tuple(got), (-5, 3, 0xfffffffe, 1, 0.25, 7, 3.0))

    def test_what_does_not_fit_is_refused(self):
        good = [1, 2, 3, 4, 5.0, 6.0, bytes(8)]
        for i, bad, error in [(0, 300, OverflowError), (1, -40000, OverflowError), (2, 1 << 32, OverflowError),
                              (2, 1.5, TypeError), (2, np.zeros(3), TypeError), (4, "1", TypeError),
                              (6, bytes(7), ValueError), (3, None, TypeError)]:
            with self.assertRaises(error, msg="argument %d: %r" % (i, bad)):
                self.keep(*good[:i], bad, *good[i + 1:])
        with self.assertRaisesRegex(TypeError, "keep takes 8 arguments, not 2"):
            self.keep(1)

    def test_grids_have_one_to_three_sizes(self):
        fault = self.module.kernel("keep")
        for grid, error in [((1, 1, 1, 1), TypeError), ((), TypeError), (-1, OverflowError), (0, heddle.HeddleError)]:
            with self.assertRaises(error):
                fault(np.zeros(1, KEPT), 1, 2, 3, 4, 5, 6, bytes(8), grid=grid, block=1)

    def test_a_kernel_says_what_it_takes(self):
        k = self.module.kernel("keep")
        self.assertEqual([p.type for p in k.parameters], ["u64", "s8", "u16", "u32", "u64", "f32", "f64", "b8"])
        self.assertEqual((k.parameters[7].count, k.parameters[7].bytes, k.parameters[7].align), (8, 8, 4))
        self.assertEqual(k.name, "keep")

    def test_variables_can_be_written(self):
        address, size = self.module.symbol("counter")
        self.assertEqual(size, 4)
        self.module.write_symbol("counter", np.uint32([7]))
        with self.assertRaisesRegex(ValueError, "8 bytes for a variable of 4"):
            self.module.write_symbol("counter", bytes(8))
        with self.assertRaises(heddle.HeddleError):
            self.module.symbol("nothing")

    def test_faults_and_mistakes_are_the_librarys_messages(self):
        with self.assertRaisesRegex(heddle.HeddleError, "kernel fault") as caught:
            self.module.launch("fault", grid=1, block=1)
        self.assertEqual(caught.exception.status, 1)
        self.keep(1, 2, 3, 4, 5, 6, bytes(8))  # the device can be used further
        with self.assertRaisesRegex(heddle.HeddleError, "mine.ptx|nobody"):
            self.module.kernel("nobody")
        with self.assertRaisesRegex(heddle.HeddleError, "wrong.ptx"):
            self.device.module("nonsense\n", "wrong.ptx")
        with self.assertRaisesRegex(heddle.HeddleError, "/nonexistent.ptx"):
            self.device.module("/nonexistent.ptx")
        other = heddle.Device()
        with self.assertRaisesRegex(ValueError, "another device"):
            self.module.launch("keep", other.zeros(100), 1, 2, 3, 4, 5, 6, bytes(8), grid=1, block=1)

    def test_a_budget_of_instructions_ends_a_kernel(self):
        module = heddle.Device(max_insns=1000).module(PARAMETERS)
        with self.assertRaises(heddle.HeddleError) as caught:
            module.launch("forever", grid=1, block=32)
        self.assertEqual(caught.exception.status, 4)

    def test_registers_can_be_given(self):
        self.module.set_registers("keep", 77)
        self.assertEqual(self.module.kernel("keep").registers, 77)


class Timed(unittest.TestCase):
    def saxpy(self, machine):
        device = machine.device()
        x, y = np.arange(200, dtype=np.float32) * 0.5, np.ones(200, np.float32)
        told = device.module(program.SAXPY).launch("saxpy", 200, 2.5, heddle.In(x), y, grid=2, block=128)
        return told, y

    def test_a_launch_is_timed_as_the_program_times_it(self):
        launch = os.path.join(os.path.dirname(program.SAXPY), "saxpy.yaml")
        want = program.heddle("run", "-m", "icc60", "--ptx", program.SAXPY, "--launch", launch)
        with heddle.Machine("icc60") as machine:
            told, y = self.saxpy(machine)
            self.assertEqual(told.cycles, want["cycles"])
            self.assertEqual(y[199], 249.75)
            r = machine.result()
            self.assertEqual(r.digest, want["digest"])
            self.assertEqual(r.stats, want["stats"])
            again, y = self.saxpy(machine)
            self.assertEqual(machine.cycles, told.cycles + again.cycles)

    def test_a_recording_is_timed_like_the_launch(self):
        device = heddle.Device()
        device.record("saxpy.hds")
        x, y = np.arange(200, dtype=np.float32) * 0.5, np.ones(200, np.float32)
        device.module(program.SAXPY).launch("saxpy", 200, 2.5, heddle.In(x), y, grid=2, block=128)
        device.record_end()
        with heddle.Machine("icc60") as machine:
            told, y = self.saxpy(machine)
        self.assertEqual(heddle.run("icc60", trace="saxpy.hds").cycles, told.cycles)

    def test_a_budget_ends_a_launch(self):
        with heddle.Machine("icc60", max_cycles=60) as machine, self.assertRaises(heddle.HeddleError) as caught:
            self.saxpy(machine)
        self.assertEqual(caught.exception.status, 4)


class Lifetimes(unittest.TestCase):
    def test_what_is_used_stays_alive(self):
        kernel = heddle.Device().module(DOUBLE).kernel("twice")  # nobody else refers to device and module
        gc.collect()
        y = np.zeros(100)
        kernel(y, heddle.In(np.arange(100.0)), 100, 0.0, grid=4, block=32)
        self.assertEqual(y[99], 198)

    def test_a_device_keeps_its_machine(self):
        kernel = heddle.Machine("icc60").device().module(DOUBLE).kernel("twice")
        gc.collect()
        self.assertGreater(kernel(np.zeros(100), np.zeros(100), 100, 0.0, grid=4, block=32).cycles, 0)

    def test_a_cycle_of_references_is_freed_in_the_right_order(self):
        gone = []
        for _ in range(20):
            machine = heddle.Machine("icc60", progress=lambda p: machine)
            machine.myself, machine.other = machine, machine.device()
            machine.buffer = machine.other.zeros(100)
            gone += [weakref.ref(machine), weakref.ref(machine.other), weakref.ref(machine.owner)]
        del machine
        gc.collect()
        self.assertEqual([r for r in gone if r() is not None], [])

    def test_closing_a_machine_closes_its_devices(self):
        with heddle.Machine("icc60") as machine:
            device = machine.device()
            buffer = device.zeros(10)
            kernel = device.module(DOUBLE).kernel("twice")
        with self.assertRaisesRegex(ValueError, "closed"):
            device.zeros(10)
        with self.assertRaisesRegex(ValueError, "closed"):
            buffer.get()
        with self.assertRaisesRegex(ValueError, "closed"):
            kernel(np.zeros(1), np.zeros(1), 1, 0.0, grid=1, block=1)
        with self.assertRaisesRegex(ValueError, "closed"):
            machine.device()

    def test_threads_take_turns_at_one_device(self):
        device = heddle.Device()
        kernel = device.module(DOUBLE).kernel("twice")
        wrong = []

        def work(seed):
            x = np.full(100, float(seed))
            for _ in range(20):
                y = np.zeros(100)
                kernel(y, heddle.In(x), 100, 0.0, grid=4, block=32)
                wrong.extend(y[y != 2 * seed])

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])

    def test_ctrl_c_ends_a_kernel_that_takes_hours(self):
        device = heddle.Device()
        module = device.module(HEAD + ".visible .entry long(.param .u32 n) { .reg .b32 %i; .reg .pred %p;\n"
                               "ld.param.u32 %i, [n];\nL: sub.u32 %i, %i, 1; setp.ne.u32 %p, %i, 0; @%p bra L; ret; }")
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):  # in the middle of one CTA
            module.launch("long", (1 << 32) - 1, grid=1, block=1)
        timer.join()
        module.launch("long", 10, grid=1, block=1)


class Printing(unittest.TestCase):
    PTX = HEAD + """
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.global .align 1 .b8 text[7] = {104, 101, 108, 108, 111, 10, 0};
.visible .entry hello() {
    .reg .b64 %t; .reg .b64 %n; .reg .b32 %r;
    mov.u64 %t, text; cvta.global.u64 %t, %t; mov.u64 %n, 0;
    { .param .b64 f; .param .b64 a; .param .b32 r;
      st.param.b64 [f], %t; st.param.b64 [a], %n; call.uni (r), vprintf, (f, a); ld.param.b32 %r, [r]; }
    ret; }
"""

    def test_what_kernels_print_can_be_had(self):
        said = []
        heddle.Device(print=said.append).module(self.PTX).launch("hello", grid=1, block=2)
        self.assertEqual("".join(said), "hello\nhello\n")

    def test_else_it_goes_where_python_prints(self):
        import contextlib
        import io
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            heddle.Device().module(self.PTX).launch("hello", grid=1, block=1)
        self.assertEqual(out.getvalue(), "hello\n")


if __name__ == "__main__":
    unittest.main()
