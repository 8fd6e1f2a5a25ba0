"""libheddle by ctypes: where it is, what its functions take, how its errors become exceptions.

Everything here mirrors include/heddle/*.h.  Functions are called without the GIL (ctypes.CDLL)."""
import ctypes
import glob
import os
import signal
import threading
import weakref
from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int, c_size_t, c_uint8,
                    c_uint32, c_uint64, c_void_p)

from .errors import BAD_INPUT, DONE, HeddleError

SONAME = "libheddle.so.0"

# --- structs ------------------------------------------------------------------------------------


class Error(Structure):
    _fields_ = [("status", c_int), ("text", c_char * 1024)]


class Progress(Structure):
    _fields_ = [("cycles", c_uint64), ("warp_insns", c_uint64), ("thread_insns", c_uint64), ("ctas_done", c_uint64),
                ("ctas", c_uint64)]


PROGRESS = CFUNCTYPE(None, c_void_p, POINTER(Progress))
PRINT = CFUNCTYPE(None, c_void_p, c_void_p, c_size_t)


class Watch(Structure):
    _fields_ = [("size", c_size_t), ("stop", POINTER(c_int)), ("progress", PROGRESS), ("context", c_void_p)]


class NocOptions(Structure):
    _fields_ = [("size", c_size_t), ("rates", POINTER(c_double)), ("nrates", c_size_t), ("saturation", c_bool),
                ("check", c_bool), ("no_skip", c_bool), ("threads", c_uint32)]


class GpuOptions(Structure):
    _fields_ = [("check", c_bool), ("no_skip", c_bool), ("threads", c_uint32), ("max_cycles", c_uint64),
                ("max_insns", c_uint64)]


class Program(Structure):
    _fields_ = [("size", c_size_t), ("workload", c_char_p), ("seed", c_uint64), ("no_verify", c_bool),
                ("kernels", c_char_p), ("print", PRINT), ("context", c_void_p)]


class Dim(Structure):
    _fields_ = [("x", c_uint32), ("y", c_uint32), ("z", c_uint32)]


class LaunchInfo(Structure):
    _fields_ = [("kernel", c_char_p), ("grid", Dim), ("block", Dim), ("regs_per_thread", c_uint32),
                ("shared_bytes", c_uint32), ("local_bytes", c_uint32), ("regs_from", c_int), ("warp_insns", c_uint64),
                ("thread_insns", c_uint64), ("global_loads", c_uint64), ("global_stores", c_uint64),
                ("shared_accesses", c_uint64), ("atomics", c_uint64), ("stream_bytes", c_uint64),
                ("has_grid_spin", c_bool), ("wall_s", c_double), ("insns", c_uint32), ("assembled", c_uint32),
                ("assembled_insns", c_uint64)]


LAUNCHED = CFUNCTYPE(None, c_void_p, POINTER(LaunchInfo))


class DeviceOptions(Structure):
    _fields_ = [("check", c_bool), ("max_insns", c_uint64), ("memory_bytes", c_uint64), ("spool_bytes", c_uint64),
                ("no_stream", c_bool), ("portable", c_bool), ("regs_per_thread", c_uint32), ("print", PRINT),
                ("launched", LAUNCHED), ("progress", c_void_p), ("context", c_void_p), ("gpu", c_void_p)]


class FunctionInfo(Structure):
    _fields_ = [("name", c_char_p), ("regs_per_thread", c_uint32), ("shared_bytes", c_uint32),
                ("local_bytes", c_uint32), ("param_bytes", c_uint32), ("max_threads", c_uint32), ("insns", c_uint32),
                ("regs_from", c_int)]


class ParameterInfo(Structure):
    _fields_ = [("type", c_char_p), ("count", c_uint64), ("bytes", c_uint32), ("align", c_uint32)]


PARAMETER_BYTES = 32764


class Args(Structure):
    _fields_ = [("bytes", c_uint32), ("data", c_uint8 * PARAMETER_BYTES)]


class MachineEntry(Structure):
    _fields_ = [("name", c_char_p), ("path", c_char_p), ("doc", c_char_p), ("trouble", c_char_p)]


class WorkloadEntry(Structure):
    _fields_ = [("name", c_char_p), ("suite", c_char_p), ("doc", c_char_p), ("papers", c_char_p),
                ("kernels", c_char_p), ("nsizes", c_uint32), ("sizes", POINTER(c_char_p)),
                ("inputs", POINTER(c_char_p)), ("nargs", c_uint32), ("arg_names", POINTER(c_char_p)),
                ("arg_units", POINTER(c_char_p)), ("arg_docs", POINTER(c_char_p))]


class ParameterEntry(Structure):
    _fields_ = [("key", c_char_p), ("type", c_char_p), ("default_value", c_char_p), ("least", c_double),
                ("most", c_double), ("unit", c_char_p), ("doc", c_char_p), ("section_doc", c_char_p),
                ("nvalues", c_uint32), ("values", POINTER(c_char_p)), ("is_of_machines", c_bool)]


class StatisticEntry(Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("doc", c_char_p), ("kind", c_char_p), ("from_", c_char_p)]


def each_of(entry):
    return CFUNCTYPE(None, c_void_p, POINTER(entry))


# --- functions ----------------------------------------------------------------------------------

_E = POINTER(Error)
_P = c_void_p  # any handle
_FUNCTIONS = {
    "hd_version": (c_char_p, []),
    "hd_data_folder": (c_size_t, [c_char_p, c_char_p, c_size_t]),
    "hd_config_machine": (_P, [c_char_p, _E]),
    "hd_config_network": (_P, [c_char_p, _E]),
    "hd_config_free": (None, [_P]),
    "hd_config_set": (c_bool, [_P, c_char_p, _E]),
    "hd_config_idle": (c_char_p, [_P]),
    "hd_config_watch": (c_bool, [_P, POINTER(Watch), _E]),
    "hd_noc_json": (c_char_p, [_P, POINTER(NocOptions), _E]),
    "hd_cost_json": (c_char_p, [_P, _E]),
    "hd_gpu_new": (_P, [_P, POINTER(GpuOptions), _E]),
    "hd_gpu_free": (None, [_P]),
    "hd_gpu_run": (c_bool, [_P, POINTER(Program), _E]),
    "hd_gpu_replay": (c_bool, [_P, c_char_p, _E]),
    "hd_gpu_finish": (c_bool, [_P, _E]),
    "hd_gpu_cycles": (c_uint64, [_P]),
    "hd_gpu_stat": (c_double, [_P, c_char_p]),
    "hd_gpu_digest": (c_uint64, [_P]),
    "hd_gpu_json": (c_char_p, [_P, _E]),
    "hd_device_new": (_P, [POINTER(DeviceOptions), _E]),
    "hd_device_free": (None, [_P]),
    "hd_device_watch": (None, [_P, POINTER(c_int)]),
    "hd_malloc": (c_bool, [_P, POINTER(c_uint64), c_uint64, _E]),
    "hd_free": (c_bool, [_P, c_uint64, _E]),
    "hd_upload": (c_bool, [_P, c_uint64, c_void_p, c_uint64, _E]),
    "hd_download": (c_bool, [_P, c_void_p, c_uint64, c_uint64, _E]),
    "hd_memset": (c_bool, [_P, c_uint64, c_uint8, c_uint64, _E]),
    "hd_memory_used": (c_uint64, [_P]),
    "hd_module_load": (_P, [_P, c_char_p, c_char_p, c_size_t, _E]),
    "hd_module_load_file": (_P, [_P, c_char_p, _E]),
    "hd_module_function": (_P, [_P, c_char_p, _E]),
    "hd_module_set_registers": (c_bool, [_P, c_char_p, c_int, c_uint32, _E]),
    "hd_module_symbol": (c_bool, [_P, c_char_p, POINTER(c_uint64), POINTER(c_uint64), _E]),
    "hd_function_info": (FunctionInfo, [_P]),
    "hd_function_parameter": (c_bool, [_P, c_uint32, POINTER(ParameterInfo)]),
    "hd_launch": (c_bool, [_P, _P, Dim, Dim, c_uint32, POINTER(Args), _P, _E]),
    "hd_record_begin": (c_bool, [_P, c_char_p, c_char_p, _E]),
    "hd_record_end": (c_bool, [_P, _E]),
    "hd_each_machine": (None, [each_of(MachineEntry), c_void_p]),
    "hd_each_network": (None, [each_of(MachineEntry), c_void_p]),
    "hd_each_workload": (None, [each_of(WorkloadEntry), c_void_p]),
    "hd_each_parameter": (None, [each_of(ParameterEntry), c_void_p]),
    "hd_each_statistic": (None, [each_of(StatisticEntry), c_void_p]),
}

# --- where it is --------------------------------------------------------------------------------

_here = os.path.dirname(os.path.abspath(__file__))
_lock = threading.Lock()
_loaded = None


def source_tree():
    """The checkout that this package is in; None: it is installed."""
    root = os.path.dirname(os.path.dirname(_here))
    return root if os.path.isfile(os.path.join(root, "include", "heddle", "heddle.h")) else None


def prefix():
    """PREFIX of PREFIX/lib/pythonX/dist-packages/heddle."""
    return os.path.abspath(os.path.join(_here, "..", "..", "..", ".."))


def candidates():
    """Files that may be the library, the best first."""
    named = os.environ.get("HEDDLE_LIBRARY")
    if named:
        return [named]
    root = source_tree()
    if root:
        builds = [os.path.join(root, b) for b in ("build", "build-dev", "build-native", "build-debug")]
        found = [os.path.join(b, SONAME) for b in builds]
    else:
        lib = os.path.join(prefix(), "lib")
        found = [os.path.join(lib, SONAME)] + sorted(glob.glob(os.path.join(lib, "*", SONAME)))
        found += [os.path.join(prefix(), "lib64", SONAME)]
    return [f for f in found if os.path.exists(f)] + [SONAME]  # the last: as the system finds it


def _load():
    tried = candidates()
    for path in tried:
        try:
            library = ctypes.CDLL(path)
        except OSError as e:
            why = str(e)
            continue
        for name, (result, arguments) in _FUNCTIONS.items():
            try:
                function = getattr(library, name)
            except AttributeError:
                raise HeddleError(BAD_INPUT, "%s: of another version: it has no %s()" % (path, name)) from None
            function.restype, function.argtypes = result, arguments
        library.path = path
        return library
    raise HeddleError(BAD_INPUT, "libheddle is not there (%s); build it (make), or say where it is: HEDDLE_LIBRARY=FILE"
                      % why)


def library():
    """The library, loaded when it is first asked for."""
    global _loaded
    if _loaded is None:
        with _lock:
            if _loaded is None:
                _loaded = _load()
    return _loaded


# --- handles ------------------------------------------------------------------------------------


class Owner:
    """A handle that is freed when nobody refers to this any more, or at free(); what it `needs` lives longer.

    It refers to nothing but other owners, so that no cycle of a caller's objects goes through it."""

    def __init__(self, handle, release, *needs):
        self.handle = handle
        self.free = weakref.finalize(self, _release, release, handle, needs)


def _release(release, handle, needs):
    getattr(library(), release)(handle)


# --- calls --------------------------------------------------------------------------------------


def encode(text):
    """A str or a path as the library takes it."""
    data = os.fsencode(text)
    if b"\0" in data:
        raise HeddleError(BAD_INPUT, "%r: a NUL within a text" % (text,))
    return data


def decode(text):
    return text.decode("utf-8", "replace") if text is not None else ""


def raise_error(error):
    raise HeddleError(error.status, decode(error.text))


def call(name, *arguments):
    """Calls a function whose last parameter is a hd_error; raises it, or returns what the function does."""
    error = Error()
    result = getattr(library(), name)(*arguments, ctypes.byref(error))
    if error.status != DONE:
        raise_error(error)
    return result


def call_interruptibly(stop, name, *arguments):
    """The same for calls that may take long: Ctrl-C makes `stop` (a c_int that the library looks at) other than 0.

    Signals reach Python between instructions of the main thread only, so that one must not be inside the library:
    the call is another thread's, and the main thread waits for it."""
    if threading.current_thread() is not threading.main_thread():
        return call(name, *arguments)
    outcome, done = [], threading.Event()

    def work():
        try:
            outcome.append((call(name, *arguments), None))
        except BaseException as e:  # handed over to who waits
            outcome.append((None, e))
        done.set()

    _start_deaf(work)
    try:
        while not done.is_set():
            done.wait(0.1)
    except BaseException:
        stop.value = 1
        _wait_for(done)
        raise
    result, error = outcome[0]
    if error is not None:
        raise error
    return result


def _start_deaf(work):
    """Starts a thread that signals do not go to, so that they interrupt the main thread; nor can one come in between.

    Who waits for it waits for an event: a Thread.join() that Ctrl-C interrupts takes the thread for dead (bpo-45274)."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        threading.Thread(target=work, name="heddle", daemon=True).start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _wait_for(done):
    while not done.is_set():
        try:
            done.wait(0.1)
        except KeyboardInterrupt:
            pass  # it is ending already


def settings_of(given, keywords):
    """[(key, text)] of a dict and of keywords, in which `__` stands for the dot."""
    found = dict(given or {})
    for key, value in keywords.items():
        if "__" not in key:
            raise TypeError("unexpected keyword %r (parameters are written section__name)" % key)
        found[key.replace("__", ".", 1)] = value
    return [(str(k), setting_text(v)) for k, v in found.items()]


def setting_text(value):
    """A value as --set takes it."""
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
        value = value.item()  # of numpy
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)) or hasattr(value, "tolist"):
        return ", ".join(setting_text(v) for v in value)
    return repr(value) if isinstance(value, float) else str(value)
