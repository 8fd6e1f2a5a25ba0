"""heddle: a deterministic, cycle-level simulator of GPU memory systems, from Python.

    import heddle
    r = heddle.run("icc60", "HS@tiny", {"l1.size": "32K"})
    print(r.cycles, r.stats["l1_hit_rate"])

docs/python.md is the tutorial and the reference.  Nothing but Python is needed; frames need pandas, and arrays numpy."""
from .catalogue import machines, networks, parameters, statistics, workloads
from .device import Buffer, Device, In, InOut, Kernel, Launch, Module, Out
from .errors import HeddleError, HeddleWarning
from .machine import Machine, run
from .network import cost, noc
from .results import Cost, Curve, Result
from .studies import Study, study
from .sweeps import Sweep, sweep

__all__ = ["Buffer", "Cost", "Curve", "Device", "HeddleError", "HeddleWarning", "In", "InOut", "Kernel", "Launch",
           "Machine", "Module", "Out", "Result", "Study", "Sweep", "cost", "machines", "networks", "noc", "parameters",
           "run", "statistics", "study", "sweep", "version", "workloads"]


def version():
    """The library's version."""
    from . import _library
    return _library.decode(_library.library().hd_version())


def __getattr__(name):
    if name == "__version__":
        return version()
    raise AttributeError("module 'heddle' has no attribute %r" % name)
