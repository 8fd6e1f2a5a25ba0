"""bench-python.py [RUNS] - what the Python package costs: its import, and a run beside the program's.

Processor time, of this process and of the program's: other work on the machine does not count."""
import os
import resource
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import heddle
from heddle import studies

runs = int(sys.argv[1]) if len(sys.argv) > 1 else 40


def cpu_s(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def spent_ms(function, who):
    before = cpu_s(who)
    for _ in range(runs):
        function()
    return 1e3 * (cpu_s(who) - before) / runs


def import_ms(what):
    code = "import time; t = time.process_time(); %s; print(1e3 * (time.process_time() - t))" % what
    env = {**os.environ, "PYTHONPATH": sys.path[0]}
    return statistics.median(float(subprocess.run([sys.executable, "-c", code], env=env, stdout=subprocess.PIPE,
                                                  check=True).stdout) for _ in range(11))


print("import heddle: %.0f ms; with the library: %.0f ms" % (import_ms("import heddle"),
                                                             import_ms("import heddle; heddle.version()")))
for workload in ("HS@tiny", "BFS@tiny", "NN@tiny"):
    heddle.run("icc60", workload)
    words = [studies.program(), "run", "-m", "icc60", "-w", workload, "--json", "-"]
    print("%-9s heddle.run %6.1f ms, the program %6.1f ms" % (
        workload, spent_ms(lambda: heddle.run("icc60", workload), resource.RUSAGE_SELF),
        spent_ms(lambda: subprocess.run(words, stdout=subprocess.DEVNULL, check=True), resource.RUSAGE_CHILDREN)))
