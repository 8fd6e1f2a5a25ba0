"""Kernels of one's own: PTX in, buffers in and out, executed and, with a machine, timed.

    machine = heddle.Machine("icc60")
    device = machine.device()
    saxpy = device.module("saxpy.ptx").kernel("saxpy")
    y = numpy.ones(200, numpy.float32)
    saxpy(200, 2.5, heddle.In(x), y, grid=2, block=128)      # y has the result
    print(machine.result().cycles)

What a kernel takes is known from its PTX, so that numbers are written as they are.  Anything with the buffer protocol
is memory: arrays of numpy, array.array, bytearray, bytes."""
import ctypes
import os
import struct
import threading
import weakref
from collections import deque

from . import _library as lib
from .machine import PRINT_TO_STDOUT
from .results import Document

# --- memory of the caller -----------------------------------------------------------------------


class In:
    """An array that a kernel reads: it is copied to the device before the launch."""

    reads, writes = True, False

    def __init__(self, array):
        self.array = array
        self.view = memoryview(array)
        if self.writes and self.view.readonly:
            raise ValueError("a kernel cannot write an array that is read-only; say In(...)")
        if self.writes and not self.view.c_contiguous and not hasattr(array, "dtype"):
            raise ValueError("what a kernel writes has to be contiguous")

    def fetch(self, device, address):
        """Copies back from the device."""
        n = self.view.nbytes
        if not n:
            return
        if self.view.c_contiguous:
            lib.call("hd_download", device, _place_of(self.array, self.view), address, n)
            return
        import numpy  # only its arrays come here
        whole = numpy.empty(self.array.shape, self.array.dtype)
        lib.call("hd_download", device, whole.ctypes.data, address, n)
        self.array[...] = whole


def _place_of(array, view):
    """Where a contiguous array is, as ctypes takes it."""
    if hasattr(array, "ctypes"):
        return array.ctypes.data  # of numpy, whatever its dtype
    return (ctypes.c_char * view.nbytes).from_buffer(view.cast("B"))


class Out(In):
    """An array that a kernel writes: zeros on the device before the launch, copied back after it."""

    reads, writes = False, True


class InOut(In):
    """An array that a kernel reads and writes; what a plain array is taken for."""

    reads, writes = True, True


class Buffer:
    """Memory of a device, for as long as it is referred to: for data that stays there between launches."""

    def __init__(self, device, nbytes, dtype=None, shape=None):
        self.device, self.nbytes, self.dtype, self.shape = device, nbytes, dtype, shape
        self.address = device._allocate(nbytes)
        # The library may be at work in another thread when this one is collected: it is freed by the next call.
        self._free = weakref.finalize(self, device._garbage.append, self.address)
        self._free.atexit = False

    def __repr__(self):
        return "<heddle.Buffer of %d bytes at %#x>" % (self.nbytes, self.address)

    def __len__(self):
        return self.nbytes

    def set(self, data):
        """Copies from an array, from its beginning."""
        view = memoryview(data)
        if view.nbytes > self.nbytes:
            raise ValueError("%d bytes for a buffer of %d" % (view.nbytes, self.nbytes))
        with self.device.lock:
            self.device._upload(self.address, view)

    def get(self):
        """What it holds: an array of numpy where it was made of one, else bytes."""
        with self.device.lock:
            data = bytearray(self.nbytes)
            if self.nbytes:
                target = (ctypes.c_char * self.nbytes).from_buffer(data)
                lib.call("hd_download", self.device.checked(), target, self.address, self.nbytes)
        if self.dtype is None:
            return bytes(data)
        import numpy
        return numpy.frombuffer(data, self.dtype).reshape(self.shape)


# --- devices ------------------------------------------------------------------------------------


class Launch(Document):
    """What one launch did: kernel, grid, block, warp_insns, thread_insns, global_loads, ..., wall_s; on a machine,
    cycles."""


class Device:
    """The host side of a CUDA-like device.  Without a machine kernels are executed and not timed.

    check: stop at uses of uninitialised shared memory and misuses of barriers.  max_insns: warp instructions in all.
    registers: per thread, of every kernel.  print: gets what kernels print (default: sys.stdout.write)."""

    def __init__(self, machine=None, *, check=False, max_insns=0, memory_bytes=0, registers=0, print=None):
        self.machine = machine
        self.lock = machine.lock if machine is not None else threading.RLock()
        self._stop = machine.config.stop if machine is not None else ctypes.c_int(0)
        self._garbage = deque()
        launched = self._launched = []

        def note(context, info):
            launched.append(info.contents.__class__.from_buffer_copy(info.contents))
            launched[-1].kernel_name = lib.decode(info.contents.kernel)

        self._callbacks = (lib.LAUNCHED(note), _printer(print))
        options = lib.DeviceOptions(check=check, max_insns=max_insns, memory_bytes=memory_bytes,
                                    regs_per_thread=registers, launched=self._callbacks[0],
                                    print=self._callbacks[1], gpu=machine.checked() if machine is not None else None,
                                    no_stream=False)
        with self.lock:
            self.handle = lib.call("hd_device_new", ctypes.byref(options))
            if machine is None:
                lib.library().hd_device_watch(self.handle, ctypes.pointer(self._stop))
        self.owner = lib.Owner(self.handle, "hd_device_free", machine.owner if machine is not None else None)
        if machine is not None:
            machine._devices.add(self)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def close(self):
        """Frees it with its memory and modules."""
        with self.lock:
            self.owner.free()
            self.handle = None

    def checked(self):
        """The library's handle, while there is one; memory that nobody refers to any more is freed first."""
        if not self.handle:
            raise ValueError("the device is closed")
        while self._garbage:
            lib.call("hd_free", self.handle, self._garbage.popleft())
        return self.handle

    def _call(self, name, *arguments):
        if self.machine is not None:
            return self.machine.config.call(name, *arguments)
        return lib.call_interruptibly(self._stop, name, *arguments)

    def _allocate(self, nbytes):
        address = ctypes.c_uint64()
        with self.lock:
            lib.call("hd_malloc", self.checked(), ctypes.byref(address), max(1, nbytes))
        return address.value

    def _upload(self, address, view):
        if not view.nbytes:
            return
        if view.readonly or not view.c_contiguous:
            source = view.tobytes()  # in the order of C, whatever the strides
        else:
            source = _place_of(view.obj, view)
        lib.call("hd_upload", self.checked(), address, source, view.nbytes)

    def buffer(self, data):
        """Memory with a copy of an array."""
        view = memoryview(data)
        made = Buffer(self, view.nbytes, getattr(data, "dtype", None), getattr(data, "shape", None))
        made.set(data)
        return made

    def zeros(self, shape, dtype="u1"):
        """Memory for an array of numpy of this shape, zeroed."""
        import numpy
        return self.buffer(numpy.zeros(shape, dtype))

    @property
    def memory_used(self):
        """Bytes in live allocations."""
        with self.lock:
            return lib.library().hd_memory_used(self.checked())

    def module(self, ptx, name="ptx"):
        """A module of PTX: a file, or the text itself."""
        return Module(self, ptx, name)

    def record(self, path, title="python"):
        """From now on launches go to a file, as of `heddle record`; record_end() makes it appear."""
        with self.lock:
            lib.call("hd_record_begin", self.checked(), lib.encode(path), lib.encode(title))

    def record_end(self):
        with self.lock:
            lib.call("hd_record_end", self.checked())


def _printer(function):
    if function is None:
        return PRINT_TO_STDOUT
    return lib.PRINT(lambda context, text, n: function(ctypes.string_at(text, n).decode("utf-8", "replace")))


class Module:
    """PTX on a device: kernels and variables."""

    def __init__(self, device, ptx, name="ptx"):
        self.device = device
        is_text = isinstance(ptx, bytes) or isinstance(ptx, str) and ("\n" in ptx or ".version" in ptx)
        with device.lock:
            if is_text:
                data = ptx.encode() if isinstance(ptx, str) else ptx
                self.handle = lib.call("hd_module_load", device.checked(), lib.encode(name), data, len(data))
            else:
                self.handle = lib.call("hd_module_load_file", device.checked(), lib.encode(os.fspath(ptx)))

    def kernel(self, name):
        """A kernel by its name in the PTX, or its plain C++ name where only one has it."""
        return Kernel(self, name)

    def set_registers(self, kernel, registers):
        """Gives a kernel's registers per thread; 0 takes it back."""
        with self.device.lock:
            self.device.checked()
            lib.call("hd_module_set_registers", self.handle, lib.encode(kernel), 2, registers)

    def symbol(self, name):
        """(address, bytes) of a __device__ or __constant__ variable."""
        address, size = ctypes.c_uint64(), ctypes.c_uint64()
        with self.device.lock:
            self.device.checked()
            lib.call("hd_module_symbol", self.handle, lib.encode(name), ctypes.byref(address), ctypes.byref(size))
        return address.value, size.value

    def write_symbol(self, name, data):
        """Copies an array to a variable, from its beginning."""
        address, size = self.symbol(name)
        view = memoryview(data)
        if view.nbytes > size:
            raise ValueError("%s: %d bytes for a variable of %d" % (name, view.nbytes, size))
        with self.device.lock:
            self.device._upload(address, view)

    def launch(self, name, *arguments, grid, block, shared=0):
        """kernel(name)(...)."""
        return self.kernel(name)(*arguments, grid=grid, block=block, shared=shared)


class Parameter(tuple):
    """What a kernel takes: type ("u64", "f32"), count, bytes, align."""

    type, count, bytes, align = (property(lambda self, i=i: self[i]) for i in range(4))


_FORMATS = {"u8": "B", "s8": "b", "u16": "H", "s16": "h", "u32": "I", "s32": "i", "u64": "Q", "s64": "q", "f16": "e",
            "f32": "f", "f64": "d", "b8": "B", "b16": "H", "b32": "I", "b64": "Q"}


class Kernel:
    """A kernel of a module; calling it launches it: kernel(*arguments, grid=, block=, shared=0)."""

    def __init__(self, module, name):
        self.module = module
        with module.device.lock:
            module.device.checked()
            self.handle = lib.call("hd_module_function", module.handle, lib.encode(name))
            info = lib.library().hd_function_info(self.handle)
            self.parameters = tuple(self._parameters())
        self.name = lib.decode(info.name)
        self.registers, self.shared_bytes, self.local_bytes = (info.regs_per_thread, info.shared_bytes,
                                                               info.local_bytes)

    def _parameters(self):
        found = lib.ParameterInfo()
        i = 0
        while lib.library().hd_function_parameter(self.handle, i, ctypes.byref(found)):
            yield Parameter((lib.decode(found.type), found.count, found.bytes, found.align))
            i += 1

    def __repr__(self):
        return "<heddle.Kernel %s(%s)>" % (self.name, ", ".join(p.type for p in self.parameters))

    def __call__(self, *arguments, grid, block, shared=0):
        device = self.module.device
        if len(arguments) != len(self.parameters):
            raise TypeError("%s takes %d arguments, not %d" % (self.name, len(self.parameters), len(arguments)))
        with device.lock:
            handle = device.checked()
            if device.machine is None:
                device._stop.value = 0
            moved = []  # arrays and where they are on the device
            try:
                args = self._pack(arguments, moved)
                before = self._cycles()
                device._launched.clear()
                device._call("hd_launch", handle, self.handle, _dim("grid", grid), _dim("block", block), shared,
                             ctypes.byref(args), None)
                for array, address in moved:
                    if array.writes:
                        array.fetch(handle, address)
            finally:
                device._garbage.extend(address for array, address in moved)
            return self._told(before)

    def _cycles(self):
        machine = self.module.device.machine
        return machine.cycles if machine is not None else None

    def _told(self, before):
        info = self.module.device._launched[-1]
        names = [n for n, t in info._fields_ if n not in ("kernel", "grid", "block", "regs_from")]
        told = Launch(kernel=info.kernel_name, grid=(info.grid.x, info.grid.y, info.grid.z),
                      block=(info.block.x, info.block.y, info.block.z))
        told.update((n, getattr(info, n)) for n in names)
        if before is not None:
            told["cycles"] = self._cycles() - before
        return told

    def _pack(self, arguments, moved):
        args = lib.Args()
        at = 0
        for i, (value, p) in enumerate(zip(arguments, self.parameters)):
            at = (at + p.align - 1) // p.align * p.align
            data = self._bytes_of(value, p, i, moved)
            ctypes.memmove(ctypes.addressof(args) + lib.Args.data.offset + at, data, len(data))
            at += p.bytes
        args.bytes = at
        return args

    def _bytes_of(self, value, p, i, moved):
        where = "%s: argument %d (%s)" % (self.name, i, p.type)
        if p.count > 1:  # a struct or vector by value
            data = memoryview(value).tobytes()
            if len(data) != p.bytes:
                raise ValueError("%s takes %d bytes, not %d" % (where, p.bytes, len(data)))
            return data
        if isinstance(value, Buffer):
            if value.device is not self.module.device:
                raise ValueError("%s is a buffer of another device" % where)
            return self._pointer(value.address, p, where)
        if hasattr(value, "dtype") and getattr(value, "ndim", 1) == 0:
            value = value.item()
        if isinstance(value, (bool, int, float)):
            return _number(value, p, where)
        array = value if isinstance(value, In) else InOut(value)
        device = self.module.device
        address = device._allocate(array.view.nbytes)
        moved.append((array, address))
        if array.reads:
            device._upload(address, array.view)
        else:
            lib.call("hd_memset", device.checked(), address, 0, max(1, array.view.nbytes))
        return self._pointer(address, p, where)

    @staticmethod
    def _pointer(address, p, where):
        if p.bytes != 8:
            raise TypeError("%s is no pointer" % where)
        return struct.pack("<Q", address)


def _number(value, p, where):
    """A number as the parameter's type; what PTX calls unsigned may be an int of C, so both ranges are taken."""
    form = _FORMATS.get(p.type)
    if form is None:
        raise TypeError("%s: no number can be given for this type" % where)
    if form in "efd":
        return struct.pack("<" + form, float(value))
    if isinstance(value, float) and p.type in ("b16", "b32", "b64"):
        return struct.pack("<" + {"b16": "e", "b32": "f", "b64": "d"}[p.type], value)
    if isinstance(value, float):
        raise TypeError("%s takes a whole number, not %r" % (where, value))
    bits = 8 * p.bytes
    if not -(1 << bits - 1) <= value < 1 << bits:
        raise OverflowError("%s: %d does not fit %d bits" % (where, value, bits))
    return (int(value) & (1 << bits) - 1).to_bytes(p.bytes, "little")


def _dim(what, value):
    sizes = [value] if isinstance(value, int) or not hasattr(value, "__iter__") else list(value)
    if not 1 <= len(sizes) <= 3:
        raise TypeError("%s: one to three sizes, not %d" % (what, len(sizes)))
    sizes = [int(s) for s in sizes] + [1] * (3 - len(sizes))
    for s in sizes:
        if not 0 <= s < 1 << 32:
            raise OverflowError("%s: %d is no size" % (what, s))
    return lib.Dim(*sizes)
