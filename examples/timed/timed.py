"""timed.py - the same as timed.c in Python.

    python3 timed.py ../saxpy/saxpy.ptx"""
import sys

import heddle
import numpy


def main(ptx="saxpy.ptx", machine="icc60"):
    x, y = numpy.arange(200, dtype=numpy.float32) / 2, numpy.ones(200, numpy.float32)
    with heddle.Machine(machine, {"l1.size": "32K"}) as m:
        saxpy = m.device().module(ptx).kernel("saxpy")
        saxpy(200, 2.5, heddle.In(x), y, grid=2, block=128)
        result = m.result()
    print("y[199] = %g" % y[199])
    print("%d cycles; a read takes %.1f" % (result.cycles, result.stats["latency"]))
    print("digest %s" % result.digest)


try:
    main(*sys.argv[1:])
except heddle.HeddleError as e:
    print(e, file=sys.stderr)
    sys.exit(e.status)
