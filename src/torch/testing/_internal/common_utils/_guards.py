"""Context managers that set a global of the library and put it back."""

import contextlib
import functools
import io
import os
import random
import tempfile

import torch

from ._flags import SEED

__all__ = ['set_rng_seed', 'freeze_rng_state', 'set_default_dtype', 'set_default_tensor_type', 'DeterministicGuard', 'wrapDeterministicFlagAPITest',
           'SwapTensorsGuard', 'wrapSwapTensorsTest', 'AlwaysWarnTypedStorageRemoval', 'CudaSyncGuard', 'set_warn_always_context', 'disable_gc',
           'TemporaryFileName', 'TemporaryDirectoryName', 'set_cwd', 'BytesIOContext', 'CrossRefMode', 'NoTest', 'skip_exception_type']


def set_rng_seed(seed=None):
    seed = SEED if seed is None else seed
    torch.manual_seed(seed)
    random.seed(seed)


@contextlib.contextmanager
def freeze_rng_state(*args, **kwargs):
    """The random numbers drawn inside do not move the generator outside."""
    state = torch.get_rng_state()
    try:
        yield
    finally:
        torch.set_rng_state(state)


@contextlib.contextmanager
def set_default_dtype(dtype):
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


@contextlib.contextmanager
def set_default_tensor_type(tensor_type):
    before = torch.tensor([]).type()
    torch.set_default_tensor_type(tensor_type)
    try:
        yield
    finally:
        torch.set_default_tensor_type(before)


class DeterministicGuard:
    def __init__(self, deterministic, *, warn_only=False, fill_uninitialized_memory=True):
        self.wanted = (deterministic, warn_only, fill_uninitialized_memory)

    @staticmethod
    def _set(deterministic, warn_only, fill):
        torch.use_deterministic_algorithms(deterministic, warn_only=warn_only)
        torch.utils.deterministic.fill_uninitialized_memory = fill

    def __enter__(self):
        self.before = (torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled(),
                       torch.utils.deterministic.fill_uninitialized_memory)
        self._set(*self.wanted)

    def __exit__(self, *error):
        self._set(*self.before)


def wrapDeterministicFlagAPITest(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        with DeterministicGuard(torch.are_deterministic_algorithms_enabled(),
                                warn_only=torch.is_deterministic_algorithms_warn_only_enabled()):
            fn(*args, **kwargs)
    return wrapper


class SwapTensorsGuard:
    def __init__(self, use_swap_tensors):
        self.use_swap_tensors = use_swap_tensors

    def __enter__(self):
        self.before = torch.__future__.get_swap_module_params_on_conversion()
        if self.use_swap_tensors is not None:
            torch.__future__.set_swap_module_params_on_conversion(self.use_swap_tensors)

    def __exit__(self, *error):
        torch.__future__.set_swap_module_params_on_conversion(self.before)


def wrapSwapTensorsTest(swap=None):
    def decorate(fn):
        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            with SwapTensorsGuard(swap):
                fn(*args, **kwargs)
        return wrapper
    return decorate


class AlwaysWarnTypedStorageRemoval:
    def __init__(self, always_warn):
        assert isinstance(always_warn, bool)
        self.always_warn = always_warn

    def __enter__(self):
        self.before = torch.storage._get_always_warn_typed_storage_removal()
        torch.storage._set_always_warn_typed_storage_removal(self.always_warn)

    def __exit__(self, *error):
        torch.storage._set_always_warn_typed_storage_removal(self.before)


class CudaSyncGuard:
    def __init__(self, sync_debug_mode):
        self.mode = sync_debug_mode

    def __enter__(self):
        self.before = torch.cuda.get_sync_debug_mode()
        torch.cuda.set_sync_debug_mode(self.mode)

    def __exit__(self, *error):
        torch.cuda.set_sync_debug_mode(self.before)


@contextlib.contextmanager
def set_warn_always_context(new_val):
    before = torch.is_warn_always_enabled()
    torch.set_warn_always(new_val)
    try:
        yield
    finally:
        torch.set_warn_always(before)


@contextlib.contextmanager
def disable_gc():
    yield


@contextlib.contextmanager
def TemporaryFileName(*args, **kwargs):
    """The name of a file that is removed afterwards."""
    kwargs.pop('delete', None)
    file = tempfile.NamedTemporaryFile(*args, delete=False, **kwargs)
    try:
        file.close()
        yield file.name
    finally:
        with contextlib.suppress(OSError):
            os.unlink(file.name)


@contextlib.contextmanager
def TemporaryDirectoryName(suffix=None):
    with tempfile.TemporaryDirectory(suffix=suffix) as name:
        yield name


@contextlib.contextmanager
def set_cwd(path):
    before = os.getcwd()
    os.chdir(path)
    try:
        yield
    finally:
        os.chdir(before)


class BytesIOContext(io.BytesIO):
    """A file in memory that `with` leaves open."""

    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass


class CrossRefMode(torch.overrides.TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


class NoTest:
    __test__ = False


@contextlib.contextmanager
def skip_exception_type(exc_type):
    import unittest
    try:
        yield
    except exc_type as e:
        raise unittest.SkipTest(f'not implemented: {e}') from e
