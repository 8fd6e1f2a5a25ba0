"""What runs come to: dicts with the documents of `heddle ... --json`, and frames of pandas where it is installed."""


def pandas():
    try:
        import pandas as module
    except ImportError:
        raise ImportError("frames need pandas (Debian: python3-pandas); results are dicts without it") from None
    return module


class Document(dict):
    """A document: a dict whose members are attributes, too (`r["cycles"]`, `r.cycles`)."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError("%s has no %r; it has %s" % (type(self).__name__, name, ", ".join(self))) from None

    def __dir__(self):
        return sorted(set(super().__dir__()) | set(self))


class Result(Document):
    """A timed run: machine, workload, cycles, ipc, digest, checked, partial, stats, kernels, energy, config."""

    def __repr__(self):
        return "<%s on %s: %d cycles, IPC %.3g%s>" % (self["workload"], self["machine"], self["cycles"],
                                                      self["ipc"] or 0, ", partial" if self["partial"] else "")

    def row(self):
        """machine, workload, cycles, and every statistic, in one flat dict."""
        return {"machine": self["machine"], "workload": self["workload"], "digest": self["digest"], **self["stats"]}

    def frame(self):
        """One line per statistic: value, unit, doc; indexed by name."""
        from . import catalogue
        known = catalogue.statistics()
        rows = [(name, value, known[name].unit if name in known else "", known[name].doc if name in known else "")
                for name, value in self["stats"].items()]
        return pandas().DataFrame(rows, columns=["name", "value", "unit", "doc"]).set_index("name")

    def kernels_frame(self):
        """One line per kernel that was launched, with its own statistics."""
        rows = [{**{k: v for k, v in kernel.items() if k != "stats"}, **(kernel.get("stats") or {})}
                for kernel in self["kernels"]]
        return pandas().DataFrame(rows)


class Curve(Document):
    """Points of a network under traffic: network, points, config; with a search, saturation."""

    def __repr__(self):
        return "<%s: %d points>" % (self["network"], len(self["points"]))

    def rows(self):
        """The points as flat dicts: offered, accepted, latency.mean, ..."""
        return [_flat(p) for p in self["points"]]

    def frame(self):
        """One line per point."""
        return pandas().DataFrame(self.rows())


class Cost(Document):
    """What a machine or a network is made of and takes: area_mm2, power_w, storage_bytes, networks, arrays."""

    def __repr__(self):
        return "<%s: %.4g mm2, %.4g W>" % (self.get("machine", self.get("network")), self["area_mm2"]["total"],
                                           self["power_w"]["total"])

    def frame(self):
        """One line per part: area_mm2, power_w, storage_bytes."""
        columns = ["area_mm2", "power_w", "storage_bytes"]
        names = dict.fromkeys(n for c in columns for n in self[c] if n != "total")
        rows = {n: [self[c].get(n) for c in columns] for n in names}
        rows["total"] = [self[c]["total"] for c in columns]
        return pandas().DataFrame.from_dict(rows, orient="index", columns=columns)


def _flat(document, before=""):
    out = {}
    for key, value in document.items():
        if isinstance(value, dict):
            out.update(_flat(value, before + key + "."))
        else:
            out[before + key] = value
    return out
