"""A configuration of the library: its handle, settings, and how a run of it is stopped."""
import ctypes
import warnings

from . import _library as lib
from .errors import BAD_INPUT, HeddleError, HeddleWarning


class Config:
    """The parameters of a machine ("machine") or a network ("network"), by name or file, with settings over them."""

    def __init__(self, kind, name, settings, progress=None):
        self.name = str(name)
        self.handle = lib.call("hd_config_%s" % kind, lib.encode(name))
        self.owner = lib.Owner(self.handle, "hd_config_free")
        for key, value in settings:
            lib.call("hd_config_set", self.handle, lib.encode("%s=%s" % (key, value)))
        self.stop = ctypes.c_int(0)
        self._trouble = []  # what `progress` raised
        self._progress = _caller_of(progress, self.stop, self._trouble) if progress else lib.PROGRESS(0)
        watch = lib.Watch(ctypes.sizeof(lib.Watch), ctypes.pointer(self.stop), self._progress, None)
        lib.call("hd_config_watch", self.handle, ctypes.byref(watch))

    def call(self, name, *arguments):
        """A call that may take long, and may call `progress`."""
        try:
            return lib.call_interruptibly(self.stop, name, *arguments)
        except HeddleError:
            if self._trouble:
                raise self._trouble.pop() from None
            raise

    def tell_idle(self, strict, level):
        """Warns of settings that changed nothing, or refuses them."""
        idle = lib.decode(lib.library().hd_config_idle(self.handle))
        if idle and strict:
            raise HeddleError(BAD_INPUT, "--strict: no effect: " + idle)
        if idle:
            warnings.warn("no effect: " + idle, HeddleWarning, stacklevel=level + 1)


def _caller_of(progress, stop, trouble):
    """`progress` for the library.  What it raises cannot pass through C: it stops the run, and is raised then."""
    def show(context, p):
        try:
            progress(p.contents)
        except BaseException as e:
            trouble.append(e)
            stop.value = 1

    return lib.PROGRESS(show)
