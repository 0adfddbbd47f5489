"""Tensors and a mode that write every operator they see into a log."""

import contextlib
import itertools

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map

_logs = []


def _log(func, args, kwargs, result):
    for log in _logs:
        log.append((func, args, kwargs, result))


class LoggingTensor(torch.Tensor):
    """Holds a plain tensor in `elem`; the operators run on that."""

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

        result = tree_map(wrap, func(*tree_map(unwrap, args), **tree_map(unwrap, kwargs or {})))
        _log(str(func), args, kwargs, result)
        return result


class LoggingTensorMode(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        _log(str(func), args, kwargs, result)
        return result


@contextlib.contextmanager
def capture_logs(is_mode=False):
    """Gives a list that holds a line for each operator seen inside."""
    calls, lines = [], []
    _logs.append(calls)
    try:
        if is_mode:
            with LoggingTensorMode():
                yield lines
        else:
            yield lines
    finally:
        _logs.remove(calls)
        numbers, names = itertools.count(), {}

        def name(it):
            if not isinstance(it, torch.Tensor):
                return it
            return f'${names.setdefault(id(it), next(numbers) if id(it) not in names else None)}'

        for func, args, kwargs, result in calls:
            shown = ', '.join([str(tree_map(name, it)) for it in args] + [f'{k}={tree_map(name, v)}' for k, v in (kwargs or {}).items()])
            lines.append(f'{name(result)} = {func}({shown})')
