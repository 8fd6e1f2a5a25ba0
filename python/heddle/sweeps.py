"""Many runs at once: every combination of machines, workloads and settings, in a pool of processes."""
import itertools
import json
import os
import queue
import re
import subprocess
import sys
import threading
import time
import warnings

from . import _library as lib
from .errors import FAILED, HeddleError, HeddleWarning
from .results import Result, pandas


class Sweep(list):
    """Results in the order of the points, which are dicts in `points`: machine, workload and the settings that vary.

    With errors="keep", a run that failed is its HeddleError."""

    def __init__(self, points, results):
        super().__init__(results)
        self.points = points

    def rows(self):
        """Points with all statistics of their runs, as flat dicts."""
        out = []
        for point, result in zip(self.points, self):
            is_error = isinstance(result, Exception)
            values = {"error": str(result)} if is_error else result.row()
            out.append({**values, **point})  # a point names the machine as it was asked for
        return out

    def frame(self):
        """One line per point: what varies first, then digest and statistics."""
        frame = pandas().DataFrame(self.rows())
        first = [c for c in dict.fromkeys(k for p in self.points for k in p)]
        return frame[first + [c for c in frame.columns if c not in first]]


def sweep(machine, workload, set=None, *, jobs=None, progress=None, errors="raise", options=None, **settings):
    """Runs every combination; a list is an axis, of machines, of workloads, or of values of a setting.

        s = heddle.sweep("icc60", ["HS@tiny", "BFS@tiny"], {"l1.size": ["16K", "32K", "64K"]}, progress=True)
        s.frame().pivot(index="l1.size", columns="workload", values="ipc")

    A value that is itself a list of the machine's is written as a tuple or as text.  `options` go to heddle.run.  `jobs`
    runs go on at once, each in a process of its own.  `progress` is True (a line on stderr) or is called with
    (done, total, seconds left).  errors: "raise" the first and stop, or "keep"."""
    if errors not in ("raise", "keep"):
        raise ValueError('errors is "raise" or "keep", not %r' % (errors,))
    points, questions = _points(machine, workload, set, settings)
    for q in questions:
        q["options"] = dict(options or {})
    jobs = max(1, min(jobs or os.cpu_count() or 1, len(questions)))
    show = _line if progress is True else progress
    with _Pool(jobs, questions) as pool:
        results = pool.collect(show, errors == "raise")
    idle = pool.idle_in_all()
    if idle:
        warnings.warn("no effect: " + idle, HeddleWarning, stacklevel=2)
    return Sweep(points, results)


def _points(machine, workload, given, keywords):
    fixed, axes = {}, {"machine": _listed(machine), "workload": _listed(workload)}
    merged = dict(given or {})
    merged.update((k.replace("__", ".", 1), v) for k, v in keywords.items() if "__" in k)
    unknown = [k for k in keywords if "__" not in k]
    if unknown:
        raise TypeError("unexpected keyword %r (parameters are written section__name)" % unknown[0])
    for key, value in merged.items():
        if isinstance(value, list):
            axes[key] = value
        else:
            fixed[key] = lib.setting_text(value)
    varied = [k for k in axes if k in ("machine", "workload") or k in merged]
    points = [dict(zip(varied, values)) for values in itertools.product(*(axes[k] for k in varied))]
    questions = []
    for p in points:
        own = {k: lib.setting_text(v) for k, v in p.items() if k not in ("machine", "workload")}
        questions.append({"machine": os.fspath(p["machine"]), "workload": p["workload"], "set": {**fixed, **own}})
    return points, questions


def _listed(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _line(done, total, left_s):
    end = "\r\033[K" if done == total else ""
    sys.stderr.write("\r%d of %d runs, %.0f s left \033[K%s" % (done, total, left_s, end))
    sys.stderr.flush()


class _Pool:
    """Worker processes, each with a thread that asks it one question after the other."""

    def __init__(self, jobs, questions):
        self.questions = questions
        self.todo = queue.SimpleQueue()
        for i in range(len(questions)):
            self.todo.put(i)
        self.answers = queue.SimpleQueue()
        self.idle = []  # settings without effect, as each run tells them
        self.is_over = False
        self.lock = threading.Lock()
        self.workers = []
        self.threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(jobs)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *exception):
        self.is_over = True
        with self.lock:
            for worker in self.workers:
                if exception[0] is not None:
                    worker.kill()  # whatever it is in the middle of; it keeps nothing
        for thread in self.threads:
            thread.join()

    def _start(self):
        package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        path = os.pathsep.join([package] + [p for p in [os.environ.get("PYTHONPATH")] if p])
        environment = {**os.environ, "PYTHONPATH": path}
        with self.lock:
            if self.is_over:
                return None
            worker = subprocess.Popen([sys.executable, "-m", "heddle._worker"], env=environment, text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      start_new_session=True)  # Ctrl-C is for who asks
            self.workers.append(worker)
        return worker

    def _serve(self):
        worker = None
        try:
            while not self.is_over:
                try:
                    i = self.todo.get_nowait()
                except queue.Empty:
                    break
                if worker is None:
                    worker = self._start()
                if worker is None:
                    break
                reply = self._ask(worker, self.questions[i])
                if reply is None:
                    status = self._end(worker)
                    worker = None
                    reply = {"error": [FAILED, "the process of this run died (status %s)" % status]}
                self.answers.put((i, reply))
        except BaseException as e:
            self.answers.put((None, e))
        finally:
            if worker is not None:
                self._end(worker)

    @staticmethod
    def _ask(worker, question):
        """The answer; None: the process is dead."""
        try:
            worker.stdin.write(json.dumps(question) + "\n")
            worker.stdin.flush()
            line = worker.stdout.readline()
            return json.loads(line) if line.endswith("\n") else None
        except OSError:
            return None

    def _end(self, worker):
        try:
            worker.stdin.close()
        except OSError:
            pass
        worker.stdout.close()
        status = worker.wait()
        with self.lock:
            self.workers.remove(worker)
        return status

    def collect(self, show, stops):
        results, start, n = [None] * len(self.questions), time.monotonic(), len(self.questions)
        for done in range(1, n + 1):
            i, reply = self._next()
            if i is None:
                raise reply
            if "error" in reply:
                results[i] = HeddleError(*reply["error"])
                if stops:
                    raise results[i]
            else:
                results[i] = Result(reply["result"])
                self.idle.append(" ".join(reply["warnings"]))
            if show:
                show(done, n, (time.monotonic() - start) / done * (n - done))
        return results

    def idle_in_all(self):
        """Settings that have no effect in any run: a value that is the machine's own is one of a sweep."""
        each = [dict(re.findall(r"([\w.]+) (\([^()]*\))", text)) for text in self.idle]
        return ", ".join("%s %s" % (k, why) for k, why in (each[0] if each else {}).items()
                         if all(k in other for other in each))

    def _next(self):
        while True:
            try:
                return self.answers.get(timeout=0.1)  # so that Ctrl-C is noticed
            except queue.Empty:
                continue
