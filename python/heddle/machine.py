"""Machines that time kernels, and `run`: one workload on one machine, as `heddle run` does it."""
import ctypes
import json
import sys
import threading
import time
import weakref

from . import _library as lib
from ._config import Config
from .errors import BUDGET, HeddleError
from .results import Result


def _to_stdout(context, text, n):
    sys.stdout.write(ctypes.string_at(text, n).decode("utf-8", "replace"))


PRINT_TO_STDOUT = lib.PRINT(_to_stdout)


class Machine:
    """A machine by name or file, with settings over it; kernels are timed on it one after another.

        with heddle.Machine("icc60", {"l1.size": "32K"}) as m:
            m.run("HS@tiny")
            print(m.result().cycles)

    Several machines can be used at once from several threads; one machine is used by one thread at a time, and others
    wait for it.  `progress` is called now and then with cycles, warp_insns, thread_insns, ctas_done and ctas."""

    def __init__(self, machine, set=None, *, check=False, threads=1, no_skip=False, max_cycles=0, max_insns=0,
                 strict=False, progress=None, **settings):
        self.lock = threading.RLock()
        self.config = Config("machine", machine, lib.settings_of(set, settings), _shown(progress))
        options = lib.GpuOptions(check, no_skip, threads, max_cycles, max_insns)
        self.handle = lib.call("hd_gpu_new", self.config.handle, ctypes.byref(options))
        self.owner = lib.Owner(self.handle, "hd_gpu_free", self.config.owner)
        self._devices = weakref.WeakSet()
        self._budget = (max_cycles, max_insns)
        self._is_finished = False
        self.partial = False  # the budget was used up
        self.config.tell_idle(strict, 3)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def __repr__(self):
        return "<heddle.Machine %s%s>" % (self.config.name, "" if self.handle else ", closed")

    def close(self):
        """Frees it, and devices that use it."""
        with self.lock:
            for device in list(self._devices):
                device.close()
            self.owner.free()
            self.handle = None

    def device(self, **options):
        """A device whose launches this machine times (heddle.Device)."""
        from .device import Device
        return Device(self, **options)

    def run(self, workload, *, seed=1, verify=True, kernels=None):
        """Executes a built-in workload ("HS@tiny") and times its kernels.  False: a budget was used up."""
        program = lib.Program(ctypes.sizeof(lib.Program), lib.encode(workload), seed, not verify,
                              lib.encode(kernels) if kernels else None, PRINT_TO_STDOUT, None)
        return self._time("hd_gpu_run", ctypes.byref(program))

    def replay(self, trace):
        """Times the kernels of a file of `heddle record`.  False: a budget was used up."""
        return self._time("hd_gpu_replay", lib.encode(trace))

    def _time(self, function, argument):
        with self.lock:
            handle = self.checked()
            self._is_finished = False
            try:
                self.config.call(function, handle, argument)
            except HeddleError as e:
                if e.status != BUDGET or not self._is_out_of_budget():
                    raise
                self.partial = True
            return not self.partial

    def _is_out_of_budget(self):
        """Of the one that was asked for; not of memory."""
        cycles, insns = self._budget
        return bool(cycles and self.cycles >= cycles or insns and self.stat("sm.issued") >= insns)

    def checked(self):
        """The library's handle, while there is one."""
        if not self.handle:
            raise ValueError("the machine is closed")
        return self.handle

    @property
    def cycles(self):
        """SM cycles up to the end of the last kernel."""
        with self.lock:
            return lib.library().hd_gpu_cycles(self.checked())

    @property
    def digest(self):
        """Equal digests: all statistics are equal."""
        with self.lock:
            return "%016x" % lib.library().hd_gpu_digest(self.checked())

    def stat(self, name):
        """A statistic by its name; NaN: there is none."""
        with self.lock:
            return lib.library().hd_gpu_stat(self.checked(), lib.encode(name))

    def finish(self):
        """After the last kernel: what is under way settles, and conservation is checked."""
        with self.lock:
            if not self._is_finished and not self.partial:
                lib.call("hd_gpu_finish", self.checked())
            self._is_finished = True

    def result(self):
        """What it came to, finished: the document of `heddle run --json`."""
        with self.lock:
            self.finish()
            return Result(json.loads(lib.call("hd_gpu_json", self.checked())))


def run(machine, workload=None, set=None, *, trace=None, seed=1, verify=True, kernels=None, check=False, threads=1,
        no_skip=False, max_cycles=0, max_insns=0, strict=False, progress=None, **settings):
    """Times a workload on a machine; what `heddle run -m MACHINE -w WORKLOAD --json` says, as a dict.

        r = heddle.run("icc60", "HS@tiny", {"l1.size": "32K"})
        r = heddle.run("icc60", "HS@tiny", l1__size="32K")

    `machine` is a name (heddle.machines()) or a file; `workload` a name (heddle.workloads()), with a size behind an @;
    `trace`, instead, a file of `heddle record`.  Settings that change nothing are warned of, or refused (strict).
    With max_cycles or max_insns a run ends early, and its result says `partial`.  progress=True shows it on stderr."""
    if (workload is None) == (trace is None):
        raise TypeError("run() takes a workload or a trace")
    with Machine(machine, set, check=check, threads=threads, no_skip=no_skip, max_cycles=max_cycles,
                 max_insns=max_insns, strict=strict, progress=progress, **settings) as m:
        if trace is not None:
            m.replay(trace)
        else:
            m.run(workload, seed=seed, verify=verify, kernels=kernels)
        return m.result()


def _shown(progress):
    """What is called with each hd_progress; None: nothing."""
    if progress is None or progress is False:
        return None
    if progress is not True:
        return progress
    last = [0.0]

    def show(p):
        now = time.monotonic()
        if now - last[0] > 0.2:
            last[0] = now
            sys.stderr.write("\r%d cycles, CTA %d of %d \033[K" % (p.cycles, p.ctas_done, p.ctas))
            sys.stderr.flush()

    return show


