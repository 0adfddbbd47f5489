"""Parts of the library that PyTorch's own Python code shares: rebuilding tensors, errors of other places, sizes of elements."""

import traceback

import torch


def _element_size(dtype):
    """The bytes of an element."""
    if not isinstance(dtype, torch.dtype):
        raise RuntimeError(f'expected torch.dtype, but got {type(dtype)}')
    return dtype.itemsize


def _rebuild_tensor(storage, storage_offset, size, stride):
    t = torch.empty((0,), dtype=storage.dtype, device=storage.device)
    return t.set_(storage._untyped_storage if hasattr(storage, '_untyped_storage') else storage.untyped(), storage_offset, size, stride)


class ExceptionWrapper:
    """An exception with its traceback as text, to raise it again elsewhere."""

    def __init__(self, exc_info=None, where='in background'):
        if exc_info is None:
            import sys
            exc_info = sys.exc_info()
        self.exc_type, self.where = exc_info[0], where
        self.exc_msg = ''.join(traceback.format_exception(*exc_info))

    def reraise(self):
        text = f'Caught {self.exc_type.__name__} {self.where}.\nOriginal {self.exc_msg}'
        if getattr(self.exc_type, 'message', None):
            raise self.exc_type(message=text)
        try:
            exception = self.exc_type(text)
        except Exception:
            raise RuntimeError(text) from None
        raise exception


def _get_obj_state(obj):
    """The attributes of an object, and those in slots beside them, as a pickle keeps them."""
    getstate = getattr(obj, '__getstate__', None)
    if getstate is not None:
        return getstate()
    return obj.__dict__ or None


def _set_obj_state(obj, state):
    if isinstance(state, tuple):
        if not len(state) == 2:
            raise RuntimeError(f'Invalid serialized state: {state}')
        attributes, slots = state
    else:
        attributes, slots = state, None
    for name, value in (attributes or {}).items():
        setattr(obj, name, value)
    for name, value in (slots or {}).items():
        setattr(obj, name, value)
    return obj
