"""Networks under synthetic traffic, and prices: `heddle noc` and `heddle cost`."""
import ctypes
import json

from . import _library as lib
from ._config import Config
from .results import Cost, Curve


def noc(network, rate=None, set=None, *, traffic=None, saturation=False, threads=1, check=False, no_skip=False,
        strict=False, **settings):
    """A network under traffic; what `heddle noc --json` says.

        heddle.noc("mesh8_uniform_p1_v4b8", [0.05, 0.1, 0.2]).frame()

    `network` is a name (heddle.networks()) or a file; `rate` one offered load or several, in flits per source and
    cycle (default: traffic.rate); `traffic` a pattern; saturation=True searches the highest accepted load and the knee.
    `threads` points are measured at once."""
    if saturation and rate is not None:
        raise TypeError("saturation searches the load, rate gives it")
    given = lib.settings_of(set, settings)
    if traffic is not None:
        given.append(("traffic.pattern", traffic))
    config = Config("network", network, given)
    options = lib.NocOptions(size=ctypes.sizeof(lib.NocOptions), saturation=saturation, check=check, no_skip=no_skip,
                             threads=threads)
    if rate is not None:
        rates = [float(rate)] if not hasattr(rate, "__iter__") else [float(r) for r in rate]
        options.rates = (ctypes.c_double * max(1, len(rates)))(*rates)
        options.nrates = len(rates)
    text = config.call("hd_noc_json", config.handle, ctypes.byref(options))
    result = Curve(json.loads(text))
    config.tell_idle(strict, 2)
    return result


def cost(machine=None, set=None, *, network=None, strict=False, **settings):
    """Area, power and storage of a machine, or of a network alone; what `heddle cost --json` says.

        heddle.cost("icc60").area_mm2["total"]"""
    if (machine is None) == (network is None):
        raise TypeError("cost() takes a machine or a network")
    given = lib.settings_of(set, settings)
    config = Config("machine", machine, given) if network is None else Config("network", network, given)
    result = Cost(json.loads(lib.call("hd_cost_json", config.handle)))
    config.tell_idle(strict, 2)
    return result
