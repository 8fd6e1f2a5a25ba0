"""What there is to choose from, from the library's own tables: name -> entry, with its documentation."""
import functools
import math
from typing import Dict, NamedTuple, Optional, Tuple

from . import _library as lib


class MachineEntry(NamedTuple):
    """A machine or network that can be named."""
    name: str
    path: str
    doc: str
    trouble: Optional[str]  # why its file cannot be used


class Workload(NamedTuple):
    """A built-in workload; `inputs` says what it works on at each size."""
    name: str
    suite: str
    doc: str
    papers: Tuple[str, ...]
    kernels: str
    inputs: Dict[str, str]
    arguments: Dict[str, str]  # of NAME@SIZE:ARGUMENT=VALUE, with their meaning


class Parameter(NamedTuple):
    """A parameter of a configuration."""
    key: str
    type: str  # int, real, bool, string, choice, list
    default: object  # of that type; the text where it has a unit of its own (32K)
    least: Optional[float]
    most: Optional[float]
    unit: str
    doc: str
    section_doc: str
    values: Tuple[str, ...]  # names that it takes; empty: any
    is_of_machines: bool  # False: of heddle.noc only


class Statistic(NamedTuple):
    """A statistic of a run, of a network under traffic, or of what a machine costs."""
    name: str
    unit: str
    doc: str
    kind: str  # derived, counter, mean, histogram, series, cost
    source: str  # run, noc, cost


class Catalogue(dict):
    """name -> entry; `frame()` for pandas."""

    def frame(self):
        from .results import pandas
        rows = list(self.values())
        columns = rows[0]._fields if rows else ()
        return pandas().DataFrame(rows, columns=columns)

    def find(self, words):
        """Those whose name or documentation has all of these words."""
        wanted = words.lower().split()
        return Catalogue((k, v) for k, v in self.items()
                         if all(w in (k + " " + v.doc).lower() for w in wanted))


def _collect(function, entry, make):
    found, trouble = Catalogue(), []

    def each(context, pointer):
        try:
            made = make(pointer.contents)
            found[made[0]] = made
        except Exception as e:  # nothing may leave a callback
            trouble.append(e)

    getattr(lib.library(), function)(lib.each_of(entry)(each), None)
    if trouble:
        raise trouble[0]
    return found


def _texts(pointer, n):
    return tuple(lib.decode(pointer[i]) for i in range(n))


def _machine(m):
    return MachineEntry(lib.decode(m.name), lib.decode(m.path), lib.decode(m.doc),
                        lib.decode(m.trouble) if m.trouble is not None else None)


def machines():
    """Machines that `heddle.run` takes by name."""
    return _collect("hd_each_machine", lib.MachineEntry, _machine)


def networks():
    """Networks that `heddle.noc` takes by name."""
    return _collect("hd_each_network", lib.MachineEntry, _machine)


@functools.lru_cache(None)
def _workloads():
    def make(w):
        inputs = {lib.decode(w.sizes[i]): lib.decode(w.inputs[i]) for i in range(w.nsizes) if w.inputs[i] is not None}
        docs = ["%s (%s)" % (d, u) if u else d for d, u in zip(_texts(w.arg_docs, w.nargs), _texts(w.arg_units, w.nargs))]
        return Workload(lib.decode(w.name), lib.decode(w.suite), lib.decode(w.doc),
                        tuple(lib.decode(w.papers).split()), lib.decode(w.kernels), inputs,
                        dict(zip(_texts(w.arg_names, w.nargs), docs)))

    return _collect("hd_each_workload", lib.WorkloadEntry, make)


def workloads():
    """Workloads that are built in."""
    return Catalogue(_workloads())


def _default(type_, text):
    try:
        if type_ == "int":
            return int(text)
        if type_ == "real":
            return float(text)
    except ValueError:
        return text  # 32K, 1.4GHz
    return text == "true" if type_ == "bool" else text


@functools.lru_cache(None)
def _parameters():
    def bound(v):
        return None if math.isnan(v) else v

    def make(p):
        type_ = lib.decode(p.type)
        return Parameter(lib.decode(p.key), type_, _default(type_, lib.decode(p.default_value)), bound(p.least),
                         bound(p.most), lib.decode(p.unit), lib.decode(p.doc), lib.decode(p.section_doc),
                         _texts(p.values, p.nvalues), p.is_of_machines)

    return _collect("hd_each_parameter", lib.ParameterEntry, make)


def parameters():
    """Every parameter, by its key."""
    return Catalogue(_parameters())


@functools.lru_cache(None)
def _statistics():
    def make(s):
        return Statistic(lib.decode(s.name), lib.decode(s.unit), lib.decode(s.doc), lib.decode(s.kind),
                         lib.decode(s.from_))

    return _collect("hd_each_statistic", lib.StatisticEntry, make)


def statistics():
    """Every statistic, by its name."""
    return Catalogue(_statistics())
