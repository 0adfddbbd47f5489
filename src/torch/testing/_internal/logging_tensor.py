"""Tensors and a mode that write every operator they see into a log."""

import contextlib
import functools
import itertools

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map

_logs = []


def _log(func, args, kwargs, result):
    for log in list(_logs):
        log.add(func, args, kwargs or {}, result)


def _short(dtype):
    """`f32` for torch.float32."""
    name = str(dtype)[len('torch.'):]
    kind = name.rstrip('0123456789')
    letters = {'bool': 'b', 'bfloat': 'bf', 'complex': 'c', 'float': 'f', 'int': 'i', 'uint': 'u'}
    return letters.get(kind, kind) + (name[len(kind):] or '8')


def _name(func):
    return f'{func.__module__}.{func.__name__}'


class LoggingTensor(torch.Tensor):
    """Holds a plain tensor in `elem`; the operators run on that."""

    context = contextlib.nullcontext

    @staticmethod
    def __new__(cls, elem, *args, **kwargs):
        r = torch.Tensor._make_wrapper_subclass(cls, elem.size(), strides=elem.stride(), storage_offset=elem.storage_offset(),
                                                dtype=elem.dtype, layout=elem.layout, device=elem.device,
                                                requires_grad=kwargs.get('requires_grad', False))
        r.elem = elem.detach() if r.requires_grad else elem
        return r

    def __repr__(self):
        return super().__repr__(tensor_contents=f'{self.elem}')

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        def unwrap(it):
            return it.elem if isinstance(it, cls) else it

        def wrap(it):
            return cls(it) if isinstance(it, torch.Tensor) else it

        with cls.context():
            result = tree_map(wrap, func(*tree_map(unwrap, args), **tree_map(unwrap, kwargs or {})))
        _log(_name(func), args, kwargs, result)
        return result


class LoggingTensorMode(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        _log(_name(func), args, kwargs, result)
        return result


class LoggingTensorReentrant(LoggingTensor):
    context = torch.overrides.enable_reentrant_dispatch


class LoggingTensorHandler:
    """Writes a line for each operator into `log_list`. The tensors are numbered in the order in which they are first seen."""

    def __init__(self, log_list, use_shortid_for_all_tensors=False, with_type=True, tracebacks_list=None):
        self.log_list, self.with_type = log_list, with_type
        self.shown = torch.Tensor if use_shortid_for_all_tensors else LoggingTensor
        self.ids, self.next_id = {}, itertools.count()
        self.kept = []  # an id names a tensor only while it lives

    def _shortid(self, t):
        if id(t) not in self.ids:
            self.ids[id(t)] = next(self.next_id)
            self.kept.append(t)
        return self.ids[id(t)]

    def _fmt(self, it, with_type=False):
        if not isinstance(it, self.shown):
            return repr(it)
        kind = f': {_short(it.dtype)}[{", ".join(map(str, it.shape))}]' if with_type and self.with_type else ''
        return f'${self._shortid(it)}{kind}'

    def add(self, func, args, kwargs, result):
        shown = [str(tree_map(self._fmt, it)) for it in args] + [f'{key}={tree_map(self._fmt, it)}' for key, it in kwargs.items()]
        self.log_list.append(f'{tree_map(functools.partial(self._fmt, with_type=True), result)} = {func}({", ".join(shown)})')


def log_input(name, var):
    _log('input', (name,), {}, var)


@contextlib.contextmanager
def capture_logs(is_mode=False, python_tb=False, script_tb=False, cpp_tb=False):
    """Gives a list that holds a line for each operator seen inside."""
    lines = []
    handler = LoggingTensorHandler(lines, use_shortid_for_all_tensors=is_mode)
    _logs.append(handler)
    try:
        yield lines
    finally:
        _logs.remove(handler)


@contextlib.contextmanager
def capture_logs_with_logging_tensor_mode(python_tb=False, script_tb=False, cpp_tb=False):
    with LoggingTensorMode(), capture_logs(True, python_tb, script_tb, cpp_tb) as lines:
        yield lines
