"""Objects as bytes, and back: the instructions of a small stack machine, protocols 0 to 5.

A value that was written once is kept in the memo, and later uses name its number there; so shared and circular objects keep their shape. An object
of a class is written as the call that makes it (`__reduce_ex__`), the state that it gets (`__setstate__`, or its attributes) and its items.
"""

import builtins
import copyreg
import io
import struct
import sys
from types import FunctionType

__all__ = ['PickleError', 'PicklingError', 'UnpicklingError', 'Pickler', 'Unpickler', 'dump', 'dumps', 'load', 'loads', 'PickleBuffer',
           'HIGHEST_PROTOCOL', 'DEFAULT_PROTOCOL']

format_version = '4.0'
HIGHEST_PROTOCOL = 5
DEFAULT_PROTOCOL = 4


class PickleError(Exception):
    __module__ = '_pickle'


class PicklingError(PickleError):
    __module__ = '_pickle'


class UnpicklingError(PickleError):
    __module__ = '_pickle'


class PickleBuffer:
    def __init__(self, buffer):
        raise NotImplementedError('pickle.PickleBuffer is not in this Python')


_OPCODES = {
    'MARK': b'(', 'STOP': b'.', 'POP': b'0', 'POP_MARK': b'1', 'DUP': b'2', 'FLOAT': b'F', 'INT': b'I', 'BININT': b'J', 'BININT1': b'K',
    'LONG': b'L', 'BININT2': b'M', 'NONE': b'N', 'PERSID': b'P', 'BINPERSID': b'Q', 'REDUCE': b'R', 'STRING': b'S', 'BINSTRING': b'T',
    'SHORT_BINSTRING': b'U', 'UNICODE': b'V', 'BINUNICODE': b'X', 'APPEND': b'a', 'BUILD': b'b', 'GLOBAL': b'c', 'DICT': b'd',
    'EMPTY_DICT': b'}', 'APPENDS': b'e', 'GET': b'g', 'BINGET': b'h', 'INST': b'i', 'LONG_BINGET': b'j', 'LIST': b'l', 'EMPTY_LIST': b']',
    'OBJ': b'o', 'PUT': b'p', 'BINPUT': b'q', 'LONG_BINPUT': b'r', 'SETITEM': b's', 'TUPLE': b't', 'EMPTY_TUPLE': b')', 'SETITEMS': b'u',
    'BINFLOAT': b'G', 'PROTO': b'\x80', 'NEWOBJ': b'\x81', 'EXT1': b'\x82', 'EXT2': b'\x83', 'EXT4': b'\x84', 'TUPLE1': b'\x85',
    'TUPLE2': b'\x86', 'TUPLE3': b'\x87', 'NEWTRUE': b'\x88', 'NEWFALSE': b'\x89', 'LONG1': b'\x8a', 'LONG4': b'\x8b', 'BINBYTES': b'B',
    'SHORT_BINBYTES': b'C', 'SHORT_BINUNICODE': b'\x8c', 'BINUNICODE8': b'\x8d', 'BINBYTES8': b'\x8e', 'EMPTY_SET': b'\x8f',
    'ADDITEMS': b'\x90', 'FROZENSET': b'\x91', 'NEWOBJ_EX': b'\x92', 'STACK_GLOBAL': b'\x93', 'MEMOIZE': b'\x94', 'FRAME': b'\x95',
    'BYTEARRAY8': b'\x96',
}
globals().update(_OPCODES)
__all__ += _OPCODES
_FRAME_TARGET, _FRAME_LEAST, _BATCH = 64 * 1024, 4, 1000


def encode_long(x):
    if x == 0:
        return b''
    # The sign needs a bit; -128, -32768 and so on have one bit less than their magnitude.
    return x.to_bytes((x if x > 0 else ~x).bit_length() // 8 + 1, 'little', signed=True)


def decode_long(data):
    return int.from_bytes(data, 'little', signed=True)


def _attribute(obj, name):
    for part in name.split('.'):
        if part == '<locals>':
            raise AttributeError(f"Can't pickle local object {name!r}")
        try:
            parent, obj = obj, getattr(obj, part)
        except AttributeError:
            raise AttributeError(f"Can't get attribute {name!r} on {obj!r}") from None
    return obj, parent


def whichmodule(obj, name):
    module = getattr(obj, '__module__', None)
    if module is not None:
        return module
    for module_name, module in list(sys.modules.items()):
        if module_name in ('__main__', '__mp_main__') or module is None:
            continue
        try:
            if _attribute(module, name)[0] is obj:
                return module_name
        except AttributeError:
            pass
    return '__main__'


# What Python 2 called modules and names; protocols below 3 write that.
_OLD_MODULES = {'builtins': '__builtin__', 'copyreg': 'copy_reg', 'queue': 'Queue'}
_OLD_NAMES = {('builtins', 'range'): ('__builtin__', 'xrange'), ('functools', 'reduce'): ('__builtin__', 'reduce'),
              ('itertools', 'filterfalse'): ('itertools', 'ifilterfalse'), ('itertools', 'zip_longest'): ('itertools', 'izip_longest'),
              ('builtins', 'chr'): ('__builtin__', 'unichr'), ('builtins', 'int'): ('__builtin__', 'long'),
              ('builtins', 'str'): ('__builtin__', 'unicode'), ('builtins', 'zip'): ('itertools', 'izip'),
              ('builtins', 'map'): ('itertools', 'imap'), ('builtins', 'filter'): ('itertools', 'ifilter')}
for _name in dir(builtins):
    _value = getattr(builtins, _name)
    if isinstance(_value, type) and issubclass(_value, Exception) and not issubclass(_value, OSError) or _name == 'OSError':
        if _name not in ('ModuleNotFoundError', 'RecursionError', 'StopAsyncIteration', 'EncodingWarning', 'ExceptionGroup', 'ResourceWarning',
                         'BytesWarning'):
            _OLD_NAMES['builtins', _name] = 'exceptions', _name
_NEW_NAMES = {old: new for new, old in _OLD_NAMES.items()}
_NEW_MODULES = {old: new for new, old in _OLD_MODULES.items()}


class Pickler:
    def __init__(self, file, protocol=None, *, fix_imports=True, buffer_callback=None):
        protocol = DEFAULT_PROTOCOL if protocol is None else protocol
        if protocol < 0:
            protocol = HIGHEST_PROTOCOL
        elif protocol > HIGHEST_PROTOCOL:
            raise ValueError(f'pickle protocol must be <= {HIGHEST_PROTOCOL}')
        try:
            self._file_write = file.write
        except AttributeError:
            raise TypeError("file must have a 'write' attribute") from None
        self.proto, self.bin = protocol, protocol >= 1
        self.fix_imports = fix_imports and protocol < 3
        self.memo = {}
        self.fast = 0
        self._frame = None

    def clear_memo(self):
        self.memo.clear()

    def dump(self, obj):
        if self.proto >= 2:
            self._file_write(PROTO + bytes([self.proto]))
        if self.proto >= 4:
            self._frame = []
            self._size = 0
        self.save(obj)
        self.write(STOP)
        if self.proto >= 4:
            self._end_frame()
            self._frame = None

    def write(self, data):
        if self._frame is None:
            self._file_write(data)
        else:
            self._frame.append(data)
            self._size += len(data)

    def _end_frame(self):
        data = b''.join(self._frame)
        if len(data) >= _FRAME_LEAST:
            self._file_write(FRAME + struct.pack('<Q', len(data)))
        self._file_write(data)
        self._frame, self._size = [], 0

    def _write_large(self, header, payload):
        # A large value stands outside of frames.
        if self._frame is not None:
            if self._size:
                self._end_frame()
            self._file_write(header)
            self._file_write(payload)
        else:
            self.write(header + payload)

    def memoize(self, obj):
        if self.fast:
            return
        number = len(self.memo)
        self.memo[id(obj)] = number, obj
        if self.proto >= 4:
            self.write(MEMOIZE)
        elif self.bin:
            self.write(BINPUT + bytes([number]) if number < 256 else LONG_BINPUT + struct.pack('<I', number))
        else:
            self.write(PUT + str(number).encode() + b'\n')

    def _get(self, number):
        if not self.bin:
            return GET + str(number).encode() + b'\n'
        return BINGET + bytes([number]) if number < 256 else LONG_BINGET + struct.pack('<I', number)

    def persistent_id(self, obj):
        return None

    def save(self, obj, save_persistent_id=True):
        if self._frame is not None and self._size >= _FRAME_TARGET:
            self._end_frame()
        if save_persistent_id:
            pid = self.persistent_id(obj)
            if pid is not None:
                self.save_pers(pid)
                return
        known = self.memo.get(id(obj))
        if known is not None:
            self.write(self._get(known[0]))
            return
        cls = type(obj)
        reduced = NotImplemented
        override = getattr(self, 'reducer_override', None)
        if override is not None:
            reduced = override(obj)
        if reduced is NotImplemented:
            method = self._dispatch.get(cls)
            if method is not None:
                method(self, obj)
                return
            reduce = getattr(self, 'dispatch_table', copyreg.dispatch_table).get(cls)
            if reduce is not None:
                reduced = reduce(obj)
            elif issubclass(cls, type):
                self.save_global(obj)
                return
            elif isinstance(obj, FunctionType):
                self.save_global(obj)
                return
            elif getattr(obj, '__reduce_ex__', None) is not None:
                reduced = obj.__reduce_ex__(self.proto)
            else:
                raise PicklingError(f"Can't pickle {cls.__name__!r} object: {obj!r}")
        if isinstance(reduced, str):
            self.save_global(obj, reduced)
            return
        if not isinstance(reduced, tuple):
            raise PicklingError(f'{cls.__name__}.__reduce__ must return a string or tuple')
        if not 2 <= len(reduced) <= 6:
            raise PicklingError('Tuple returned by __reduce__ must have two to six elements')
        self.save_reduce(obj=obj, *reduced)

    def save_pers(self, pid):
        if self.bin:
            self.save(pid, save_persistent_id=False)
            self.write(BINPERSID)
        else:
            self.write(PERSID + str(pid).encode('ascii') + b'\n')

    def save_reduce(self, func, args, state=None, listitems=None, dictitems=None, state_setter=None, *, obj=None):
        if not isinstance(args, tuple):
            raise PicklingError('args from save_reduce() must be a tuple')
        if not callable(func):
            raise PicklingError('func from save_reduce() must be callable')
        name = getattr(func, '__name__', '')
        if self.proto >= 2 and name == '__newobj_ex__':
            cls, args, kwargs = args
            if self.proto >= 4:
                for part in (cls, args, kwargs):
                    self.save(part)
                self.write(NEWOBJ_EX)
            else:
                from functools import partial
                self.save(partial(cls.__new__, cls, *args, **kwargs))
                self.save(())
                self.write(REDUCE)
        elif self.proto >= 2 and name == '__newobj__':
            cls = args[0]
            if not hasattr(cls, '__new__'):
                raise PicklingError('args[0] from __newobj__ args has no __new__')
            if obj is not None and cls is not obj.__class__:
                raise PicklingError('args[0] from __newobj__ args has the wrong class')
            self.save(cls)
            self.save(args[1:])
            self.write(NEWOBJ)
        else:
            self.save(func)
            self.save(args)
            self.write(REDUCE)
        if obj is not None:
            known = self.memo.get(id(obj))
            if known is not None:
                self.write(POP + self._get(known[0]))
            else:
                self.memoize(obj)
        if listitems is not None:
            self._batch_appends(listitems)
        if dictitems is not None:
            self._batch_setitems(dictitems)
        if state is not None:
            if state_setter is None:
                self.save(state)
                self.write(BUILD)
            else:
                for part in (state_setter, obj, state):
                    self.save(part)
                self.write(TUPLE2 + REDUCE + POP)

    def _save_none(self, obj):
        self.write(NONE)

    def _save_bool(self, obj):
        if self.proto >= 2:
            self.write(NEWTRUE if obj else NEWFALSE)
        else:
            self.write(b'I01\n' if obj else b'I00\n')

    def _save_int(self, obj):
        if self.bin:
            if 0 <= obj <= 0xff:
                self.write(BININT1 + bytes([obj]))
                return
            if 0 <= obj <= 0xffff:
                self.write(BININT2 + struct.pack('<H', obj))
                return
            if -0x80000000 <= obj <= 0x7fffffff:
                self.write(BININT + struct.pack('<i', obj))
                return
        if self.proto >= 2:
            data = encode_long(obj)
            self.write((LONG1 + bytes([len(data)]) if len(data) < 256 else LONG4 + struct.pack('<i', len(data))) + data)
        elif -0x80000000 <= obj <= 0x7fffffff:
            self.write(INT + str(obj).encode() + b'\n')
        else:
            self.write(LONG + str(obj).encode() + b'L\n')

    def _save_float(self, obj):
        self.write(BINFLOAT + struct.pack('>d', obj) if self.bin else FLOAT + repr(obj).encode() + b'\n')

    def _save_bytes(self, obj):
        if self.proto < 3:
            import codecs
            if not obj:
                self.save_reduce(bytes, (), obj=obj)
            else:
                self.save_reduce(codecs.encode, (obj.decode('latin1'), 'latin1'), obj=obj)
            return
        n = len(obj)
        if n <= 0xff:
            self.write(SHORT_BINBYTES + bytes([n]) + obj)
        elif n > 0xffffffff and self.proto >= 4:
            self._write_large(BINBYTES8 + struct.pack('<Q', n), obj)
        elif n >= _FRAME_TARGET:
            self._write_large(BINBYTES + struct.pack('<I', n), obj)
        else:
            self.write(BINBYTES + struct.pack('<I', n) + obj)
        self.memoize(obj)

    def _save_bytearray(self, obj):
        if self.proto < 5:
            self.save_reduce(bytearray, (bytes(obj),) if obj else (), obj=obj)
            return
        n = len(obj)
        if n >= _FRAME_TARGET:
            self._write_large(BYTEARRAY8 + struct.pack('<Q', n), bytes(obj))
        else:
            self.write(BYTEARRAY8 + struct.pack('<Q', n) + bytes(obj))
        self.memoize(obj)

    def _save_str(self, obj):
        if self.bin:
            data = obj.encode('utf-8', 'surrogatepass')
            n = len(data)
            if n <= 0xff and self.proto >= 4:
                self.write(SHORT_BINUNICODE + bytes([n]) + data)
            elif n >= _FRAME_TARGET:
                self._write_large(BINUNICODE + struct.pack('<I', n), data)
            else:
                self.write(BINUNICODE + struct.pack('<I', n) + data)
        else:
            for c, escape in (('\\', '\\u005c'), ('\0', '\\u0000'), ('\n', '\\u000a'), ('\r', '\\u000d'), ('\x1a', '\\u001a')):
                obj = obj.replace(c, escape)
            self.write(UNICODE + obj.encode('raw-unicode-escape') + b'\n')
        self.memoize(obj)

    def _save_tuple(self, obj):
        if not obj:
            self.write(EMPTY_TUPLE if self.bin else MARK + TUPLE)
            return
        n = len(obj)
        if n <= 3 and self.proto >= 2:
            for element in obj:
                self.save(element)
            known = self.memo.get(id(obj))
            if known is not None:
                self.write(POP * n + self._get(known[0]))
            else:
                self.write((TUPLE1, TUPLE2, TUPLE3)[n - 1])
                self.memoize(obj)
            return
        self.write(MARK)
        for element in obj:
            self.save(element)
        known = self.memo.get(id(obj))
        if known is not None:
            self.write((POP_MARK if self.bin else POP * (n + 1)) + self._get(known[0]))
            return
        self.write(TUPLE)
        self.memoize(obj)

    def _save_list(self, obj):
        self.write(EMPTY_LIST if self.bin else MARK + LIST)
        self.memoize(obj)
        self._batch_appends(obj)

    def _batches(self, items):
        items = iter(items)
        while True:
            batch = []
            for item in items:
                batch.append(item)
                if len(batch) == _BATCH:
                    break
            if batch:
                yield batch
            if len(batch) < _BATCH:
                return

    def _batch_appends(self, items):
        if not self.bin:
            for item in items:
                self.save(item)
                self.write(APPEND)
            return
        for batch in self._batches(items):
            if len(batch) > 1:
                self.write(MARK)
            for item in batch:
                self.save(item)
            self.write(APPENDS if len(batch) > 1 else APPEND)

    def _save_dict(self, obj):
        self.write(EMPTY_DICT if self.bin else MARK + DICT)
        self.memoize(obj)
        self._batch_setitems(obj.items())

    def _batch_setitems(self, items):
        if not self.bin:
            for key, value in items:
                self.save(key)
                self.save(value)
                self.write(SETITEM)
            return
        for batch in self._batches(items):
            if len(batch) > 1:
                self.write(MARK)
            for key, value in batch:
                self.save(key)
                self.save(value)
            self.write(SETITEMS if len(batch) > 1 else SETITEM)

    def _save_set(self, obj):
        if self.proto < 4:
            self.save_reduce(set, (list(obj),), obj=obj)
            return
        self.write(EMPTY_SET)
        self.memoize(obj)
        for batch in self._batches(obj):
            self.write(MARK)
            for item in batch:
                self.save(item)
            self.write(ADDITEMS)

    def _save_frozenset(self, obj):
        if self.proto < 4:
            self.save_reduce(frozenset, (list(obj),), obj=obj)
            return
        self.write(MARK)
        for item in obj:
            self.save(item)
        known = self.memo.get(id(obj))
        if known is not None:
            self.write(POP_MARK + self._get(known[0]))
            return
        self.write(FROZENSET)
        self.memoize(obj)

    def save_global(self, obj, name=None):
        if name is None:
            name = getattr(obj, '__qualname__', None)
        if name is None:
            name = obj.__name__
        if '<locals>' in name:
            raise AttributeError(f"Can't pickle local object {name!r}")
        module_name = whichmodule(obj, name)
        try:
            __import__(module_name, level=0)
            module = sys.modules[module_name]
        except (ImportError, KeyError):
            raise PicklingError(f"Can't pickle {obj!r}: import of module {module_name!r} failed") from None
        try:
            found, parent = _attribute(module, name)
        except AttributeError:
            raise PicklingError(f"Can't pickle {obj!r}: attribute lookup {name} on {module_name} failed") from None
        if found is not obj:
            raise PicklingError(f"Can't pickle {obj!r}: it's not the same object as {module_name}.{name}")
        if self.proto >= 4:
            self.save(module_name)
            self.save(name)
            self.write(STACK_GLOBAL)
        elif '.' in name and self.proto < 4:
            self.save_reduce(getattr, (parent, name.rpartition('.')[2]))
        else:
            if self.fix_imports:
                module_name, name = _OLD_NAMES.get((module_name, name), (_OLD_MODULES.get(module_name, module_name), name))
            self.write(GLOBAL + f'{module_name}\n{name}\n'.encode())
        self.memoize(obj)

    def _save_type(self, obj):
        if obj is type(None):
            self.save_reduce(type, (None,), obj=obj)
        elif obj is type(NotImplemented):
            self.save_reduce(type, (NotImplemented,), obj=obj)
        elif obj is type(...):
            self.save_reduce(type, (...,), obj=obj)
        else:
            self.save_global(obj)

    def _save_ellipsis(self, obj):
        self.save_global(obj, 'Ellipsis')

    def _save_notimplemented(self, obj):
        self.save_global(obj, 'NotImplemented')

    _dispatch = {type(None): _save_none, bool: _save_bool, int: _save_int, float: _save_float, bytes: _save_bytes, str: _save_str,
                 bytearray: _save_bytearray, tuple: _save_tuple, list: _save_list, dict: _save_dict, set: _save_set,
                 frozenset: _save_frozenset, type: _save_type, type(...): _save_ellipsis, type(NotImplemented): _save_notimplemented}


class Unpickler:
    def __init__(self, file, *, fix_imports=True, encoding='ASCII', errors='strict', buffers=None):
        if not hasattr(file, 'read') or not hasattr(file, 'readline'):
            raise TypeError("file must have 'read' and 'readline' attributes")
        self._file = file
        self.fix_imports, self.encoding, self.errors = fix_imports, encoding, errors
        self.memo, self.proto = {}, 0
        self._ahead = None

    def persistent_load(self, pid):
        raise UnpicklingError('A load persistent id instruction was encountered,\nbut no persistent_load function was specified.')

    def find_class(self, module, name):
        if self.proto < 3 and self.fix_imports:
            module, name = _NEW_NAMES.get((module, name), (_NEW_MODULES.get(module, module), name))
        __import__(module, level=0)
        place = sys.modules[module]
        try:
            return _attribute(place, name)[0] if self.proto >= 4 else getattr(place, name)
        except AttributeError:
            raise AttributeError(f"Can't get attribute {name!r} on {place!r}") from None

    def _take(self, method, *args):
        # A frame is read at once; its end may be the end of what is asked for, but not in between.
        if self._ahead is not None:
            data = getattr(self._ahead, method)(*args)
            if data or args == (0,):
                return data
            self._ahead = None
        return getattr(self._file, method)(*args)

    def read(self, n):
        data = self._take('read', n)
        if len(data) < n:
            raise UnpicklingError('pickle data was truncated')
        return data

    def readline(self):
        data = self._take('readline')
        if not data.endswith(b'\n'):
            raise UnpicklingError('pickle data was truncated')
        return data[:-1]

    def _number(self, format):
        return struct.unpack(format, self.read(struct.calcsize(format)))[0]

    def _pop(self):
        if not self.stack:
            raise UnpicklingError('unexpected MARK found' if self._marks else 'unpickling stack underflow')
        return self.stack.pop()

    def _top(self):
        if not self.stack:
            raise UnpicklingError('unexpected MARK found' if self._marks else 'unpickling stack underflow')
        return self.stack[-1]

    def _pop_mark(self):
        if not self._marks:
            raise UnpicklingError('could not find MARK')
        items, self.stack = self.stack, self._marks.pop()
        return items

    def _text(self, data):
        return data if self.encoding == 'bytes' else data.decode(self.encoding, self.errors)

    def load(self):
        self._marks, self.stack = [], []
        while True:
            code = self._take('read', 1)
            if not code:
                raise EOFError('Ran out of input')
            if code == STOP:
                return self._pop()
            step = _STEPS.get(code)
            if step is None:
                raise UnpicklingError(f'invalid load key, {code.decode("latin-1")!r}.')
            step(self)


# ---- The steps of the machine

_STEPS = {}


def _step(*names):
    def register(function):
        for name in names:
            _STEPS[_OPCODES[name]] = function
        return function
    return register


def _pushes(name, make):
    def push(self):
        value = make(self)  # may change the stack
        self.stack.append(value)
    _STEPS[_OPCODES[name]] = push


_pushes('NONE', lambda self: None)
_pushes('NEWTRUE', lambda self: True)
_pushes('NEWFALSE', lambda self: False)
_pushes('BININT', lambda self: self._number('<i'))
_pushes('BININT1', lambda self: self.read(1)[0])
_pushes('BININT2', lambda self: self._number('<H'))
_pushes('LONG', lambda self: int(self.readline().rstrip(b'L')))
_pushes('LONG1', lambda self: decode_long(self.read(self.read(1)[0])))
_pushes('LONG4', lambda self: decode_long(self.read(self._number('<i'))))
_pushes('FLOAT', lambda self: _float(self.readline()))
_pushes('BINFLOAT', lambda self: self._number('>d'))
_pushes('BINSTRING', lambda self: self._text(self.read(self._number('<i'))))
_pushes('SHORT_BINSTRING', lambda self: self._text(self.read(self.read(1)[0])))
_pushes('BINBYTES', lambda self: self.read(self._number('<I')))
_pushes('SHORT_BINBYTES', lambda self: self.read(self.read(1)[0]))
_pushes('BINBYTES8', lambda self: self.read(self._number('<Q')))
_pushes('BYTEARRAY8', lambda self: bytearray(self.read(self._number('<Q'))))
_pushes('UNICODE', lambda self: self.readline().decode('raw-unicode-escape'))
_pushes('BINUNICODE', lambda self: self.read(self._number('<I')).decode('utf-8', 'surrogatepass'))
_pushes('SHORT_BINUNICODE', lambda self: self.read(self.read(1)[0]).decode('utf-8', 'surrogatepass'))
_pushes('BINUNICODE8', lambda self: self.read(self._number('<Q')).decode('utf-8', 'surrogatepass'))
_pushes('EMPTY_TUPLE', lambda self: ())
_pushes('EMPTY_LIST', lambda self: [])
_pushes('EMPTY_DICT', lambda self: {})
_pushes('EMPTY_SET', lambda self: set())
_pushes('TUPLE', lambda self: tuple(self._pop_mark()))
_pushes('LIST', lambda self: self._pop_mark())
_pushes('FROZENSET', lambda self: frozenset(self._pop_mark()))
_pushes('PERSID', lambda self: self.persistent_load(self.readline().decode('ascii')))
_pushes('BINPERSID', lambda self: self.persistent_load(self._pop()))
_pushes('GLOBAL', lambda self: self.find_class(self.readline().decode(), self.readline().decode()))
_pushes('GET', lambda self: self._memory(int(self.readline())))
_pushes('BINGET', lambda self: self._memory(self.read(1)[0]))
_pushes('LONG_BINGET', lambda self: self._memory(self._number('<I')))
_pushes('DUP', lambda self: self._top())


def _float(data):
    try:
        return float(data)
    except ValueError:
        text = data.decode('latin-1') + '\n'
        raise ValueError(f"could not convert string to float: '{text}'") from None


def _memory(self, number):
    try:
        return self.memo[number]
    except KeyError:
        raise UnpicklingError(f'Memo value not found at index {number}') from None


Unpickler._memory = _memory


@_step('PROTO')
def _proto(self):
    self.proto = self.read(1)[0]
    if self.proto > HIGHEST_PROTOCOL:
        raise ValueError(f'unsupported pickle protocol: {self.proto}')


@_step('FRAME')
def _frame(self):
    self._ahead = io.BytesIO(self.read(self._number('<Q')))


@_step('MARK')
def _mark(self):
    self._marks.append(self.stack)
    self.stack = []


@_step('POP')
def _pop(self):
    if self.stack or not self._marks:
        self._pop()
    else:
        self._pop_mark()


@_step('POP_MARK')
def _pop_mark(self):
    self._pop_mark()


@_step('INT')
def _int(self):
    data = self.readline()
    try:
        self.stack.append(False if data == b'00' else True if data == b'01' else int(data, 0))
    except ValueError:
        raise ValueError('could not convert string to int') from None


@_step('STRING')
def _string(self):
    data = self.readline()
    if len(data) < 2 or data[0] != data[-1] or data[0] not in b'"\'':
        raise UnpicklingError('the STRING opcode argument must be quoted')
    self.stack.append(self._text(data[1:-1].decode('unicode-escape').encode('latin-1')))


for _n, _name in ((1, 'TUPLE1'), (2, 'TUPLE2'), (3, 'TUPLE3')):
    def _few(self, n=_n):
        if len(self.stack) < n:
            raise UnpicklingError('unexpected MARK found' if self._marks else 'unpickling stack underflow')
        self.stack[-n:] = [tuple(self.stack[-n:])]
    _STEPS[_OPCODES[_name]] = _few


@_step('DICT')
def _dict(self):
    items = self._pop_mark()
    if len(items) % 2:
        raise UnpicklingError('odd number of items for DICT')
    self.stack.append(dict(zip(items[::2], items[1::2])))


@_step('INST')
def _inst(self):
    cls = self.find_class(self.readline().decode('ascii'), self.readline().decode('ascii'))
    self.stack.append(cls(*self._pop_mark()))


@_step('OBJ')
def _obj(self):
    cls, *args = self._pop_mark()
    self.stack.append(cls(*args))


@_step('NEWOBJ')
def _newobj(self):
    args = self._pop()
    cls = self._pop()
    if not isinstance(cls, type):
        raise UnpicklingError(f'NEWOBJ class argument must be a type, not {type(cls).__name__}')
    self.stack.append(cls.__new__(cls, *args))


@_step('NEWOBJ_EX')
def _newobj_ex(self):
    kwargs, args, cls = self._pop(), self._pop(), self._pop()
    self.stack.append(cls.__new__(cls, *args, **kwargs))


@_step('STACK_GLOBAL')
def _stack_global(self):
    name, module = self._pop(), self._pop()
    if type(name) is not str or type(module) is not str:
        raise UnpicklingError('STACK_GLOBAL requires str')
    self.stack.append(self.find_class(module, name))


@_step('REDUCE')
def _reduce(self):
    args = self._pop()
    func = self._top()
    if not isinstance(args, tuple):
        raise TypeError('argument list must be a tuple')
    self.stack[-1] = func(*args)


@_step('APPEND')
def _append(self):
    value = self._pop()
    self._top().append(value)


@_step('APPENDS')
def _appends(self):
    items = self._pop_mark()
    target = self._top()
    if hasattr(target, 'extend'):
        target.extend(items)
    else:
        for item in items:
            target.append(item)


@_step('SETITEM')
def _setitem(self):
    value, key = self._pop(), self._pop()
    self._top()[key] = value


@_step('SETITEMS')
def _setitems(self):
    items = self._pop_mark()
    target = self._top()
    if len(items) % 2:
        raise UnpicklingError('odd number of items for SETITEMS')
    for i in range(0, len(items), 2):
        target[items[i]] = items[i + 1]


@_step('ADDITEMS')
def _additems(self):
    items = self._pop_mark()
    target = self._top()
    if isinstance(target, set):
        target.update(items)
    else:
        for item in items:
            target.add(item)


@_step('BUILD')
def _build(self):
    state = self._pop()
    obj = self._top()
    setstate = getattr(obj, '__setstate__', None)
    if setstate is not None:
        setstate(state)
        return
    slots = None
    if isinstance(state, tuple) and len(state) == 2:
        state, slots = state
    for name, value in (state or {}).items():
        obj.__dict__[name] = value
    for name, value in (slots or {}).items():
        setattr(obj, name, value)


@_step('PUT')
def _put(self):
    self.memo[int(self.readline())] = self._top()


@_step('BINPUT')
def _binput(self):
    self.memo[self.read(1)[0]] = self._top()


@_step('LONG_BINPUT')
def _long_binput(self):
    self.memo[self._number('<I')] = self._top()


@_step('MEMOIZE')
def _memoize(self):
    self.memo[len(self.memo)] = self._top()


def dump(obj, file, protocol=None, *, fix_imports=True, buffer_callback=None):
    Pickler(file, protocol, fix_imports=fix_imports, buffer_callback=buffer_callback).dump(obj)


def dumps(obj, protocol=None, *, fix_imports=True, buffer_callback=None):
    file = io.BytesIO()
    Pickler(file, protocol, fix_imports=fix_imports, buffer_callback=buffer_callback).dump(obj)
    return file.getvalue()


def load(file, *, fix_imports=True, encoding='ASCII', errors='strict', buffers=None):
    return Unpickler(file, fix_imports=fix_imports, encoding=encoding, errors=errors, buffers=buffers).load()


def loads(data, /, *, fix_imports=True, encoding='ASCII', errors='strict', buffers=None):
    if isinstance(data, str):
        raise TypeError("a bytes-like object is required, not 'str'")
    return load(io.BytesIO(data), fix_imports=fix_imports, encoding=encoding, errors=errors, buffers=buffers)
