"""Studies: `heddle study` is run as a program, and what it leaves (results.json, results.db) is read.

The program has the pool, the recordings and the rules by which a study goes on where it was; a second way to do that
would be one too many.  Its database is plain SQLite."""
import json
import os
import shutil
import signal
import sqlite3
import subprocess

from . import _library as lib
from .errors import BAD_INPUT, HeddleError
from .results import pandas


def program():
    """The program `heddle`: $HEDDLE_PROGRAM, the one beside the library, the one of this installation, or of the path."""
    library = os.path.dirname(getattr(lib.library(), "path", ""))
    tried = [os.environ.get("HEDDLE_PROGRAM"), os.path.join(library, "heddle"),
             os.path.join(lib.prefix(), "bin", "heddle"), shutil.which("heddle")]
    for path in tried:
        if path and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    raise HeddleError(BAD_INPUT, "the program heddle is not there; say where it is: HEDDLE_PROGRAM=FILE")


def study(name, *, quick=False, only=None, jobs=None, out=None, db=None, strict=False, progress=False):
    """Runs a study (a name of `heddle list studies`, or a file) and returns what it left.

    Finished runs are kept: a second call runs only what is missing.  only: figures, workloads or variants; out: the folder
    of results (out/NAME); progress=True leaves the program's progress bar on stderr."""
    folder = os.fspath(out) if out is not None else os.path.join("out", _stem(name))
    words = [program(), "study", os.fspath(name), "--out", folder]
    words += ["--quick"] if quick else []
    words += ["--only", only if isinstance(only, str) else ",".join(only)] if only else []
    words += ["--jobs", str(jobs)] if jobs else []
    words += ["--db", os.fspath(db)] if db else []
    words += ["--strict"] if strict else []
    status, message = _run(words, progress)
    if status != 0:
        raise HeddleError(status, message or "heddle study ended with status %d; its message is above" % status)
    return Study(folder, db)


def _stem(name):
    return os.path.splitext(os.path.basename(os.fspath(name)))[0]


def _run(words, progress):
    """Exit status and the last line on stderr."""
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=None if progress else subprocess.PIPE, text=True,
                          stdin=subprocess.DEVNULL) as child:
        try:
            told = child.communicate()[1] or ""
        except BaseException:
            child.send_signal(signal.SIGINT)  # it keeps what is finished
            child.wait()
            raise
    lines = [line for line in told.splitlines() if line.strip()]
    message = lines[-1] if lines else ""
    return child.returncode, message[8:] if message.startswith("heddle: ") else message


class Study:
    """What a study left in its folder; figures and verdicts as it judged them, and every statistic of every run."""

    def __init__(self, folder, db=None):
        self.folder = os.fspath(folder)
        self.database = os.fspath(db) if db else os.path.join(self.folder, "results.db")
        if not os.path.isfile(self.database):
            raise HeddleError(BAD_INPUT, "%s: no database of a study" % self.database)
        path = os.path.join(self.folder, "results.json")
        self.document = {}
        if os.path.isfile(path):
            with open(path) as f:
                self.document = json.load(f)

    def __repr__(self):
        return "<heddle.Study %s in %s>" % (self.document.get("study", "?"), self.folder)

    @property
    def verdicts(self):
        """What was measured beside what a paper says, as a list of dicts."""
        return self.document.get("verdicts", [])

    @property
    def figures(self):
        """Names of its figures."""
        return [f["name"] for f in self.document.get("figures", [])]

    def figure(self, name):
        """{workload: {variant: value}} of a figure."""
        for f in self.document.get("figures", []):
            if f["name"] == name:
                return {row["workload"]: dict(zip(f["variants"], row["values"])) for row in f["rows"]}
        raise KeyError("%s has no figure %r; it has %s" % (self.folder, name, ", ".join(self.figures)))

    def query(self, sql, parameters=()):
        """Rows of the database (docs/studies.md has its tables) as dicts."""
        uri = "file:%s?mode=ro" % os.path.abspath(self.database).replace("%", "%25").replace("?", "%3f")
        with sqlite3.connect(uri, uri=True) as db:
            db.row_factory = sqlite3.Row
            rows = [dict(r) for r in db.execute(sql, parameters)]
        db.close()
        return rows

    def runs(self):
        """Runs: machine, workload, variant, version, cycles, digest, wall_s."""
        return self.query("SELECT machine, workload, variant, version, cycles, printf('%016x', digest) AS digest, "
                          "wall_s FROM run ORDER BY machine, workload, variant")

    def stats(self, *names):
        """{(machine, workload, variant): {name: value}} of these statistics, or of all."""
        where = " WHERE name IN (%s)" % ",".join("?" * len(names)) if names else ""
        found = {}
        for r in self.query("SELECT machine, workload, variant, name, value FROM stat" + where, names):
            found.setdefault((r["machine"], r["workload"], r["variant"]), {})[r["name"]] = r["value"]
        return found

    def frame(self, *names):
        """One line per run: machine, workload, variant, and these statistics, or all."""
        rows = [dict(zip(("machine", "workload", "variant"), key), **values)
                for key, values in sorted(self.stats(*names).items())]
        return pandas().DataFrame(rows)
