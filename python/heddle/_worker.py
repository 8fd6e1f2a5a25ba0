"""A process of a pool (sweeps.py): runs what lines of JSON on standard input ask for, one line of JSON for each.

A fresh interpreter shares nothing with the one that asks: no locks, threads or half-used handles of a fork."""
import json
import os
import sys
import warnings


def answer(question):
    from . import HeddleError, run
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = run(question["machine"], question["workload"], question["set"], **question["options"])
        return {"result": result, "warnings": [str(w.message) for w in caught]}
    except HeddleError as e:
        return {"error": [e.status, str(e)]}
    except Exception as e:  # of an option of the wrong type, say
        return {"error": [2, "%s: %s" % (type(e).__name__, e)]}


def main():
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what kernels print is not an answer
    for line in sys.stdin:
        json.dump(answer(json.loads(line)), out)
        out.write("\n")
        out.flush()


if __name__ == "__main__":
    try:
        main()
    except (KeyboardInterrupt, BrokenPipeError):
        sys.exit(1)
