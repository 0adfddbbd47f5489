"""Facts about CUDA devices, of which there are none here, and decorators that then have nothing to do."""

import contextlib
import functools

from .common_utils import LazyVal

TEST_CUDA = False
TEST_MULTIGPU = False
CUDA_DEVICE = None
TEST_CUDNN = False
TEST_CUDNN_VERSION = 0
TEST_MAGMA = False
TEST_NUMBA = TEST_NUMBA_CUDA = False
SM53OrLater = SM60OrLater = SM70OrLater = SM75OrLater = SM80OrLater = SM90OrLater = SM100OrLater = LazyVal(lambda: False)
PLATFORM_SUPPORTS_FLASH_ATTENTION = PLATFORM_SUPPORTS_MEM_EFF_ATTENTION = LazyVal(lambda: False)
PLATFORM_SUPPORTS_FUSED_ATTENTION = PLATFORM_SUPPORTS_BF16 = LazyVal(lambda: False)


@contextlib.contextmanager
def tf32_off():
    yield


@contextlib.contextmanager
def tf32_on(self, tf32_precision=1e-5):
    yield


def tf32_on_and_off(tf32_precision=1e-5, only_if=True):
    """Runs a test with the short float format and without; without such a device it runs once."""
    def decorate(f):
        @functools.wraps(f)
        def wrapped(*args, **kwargs):
            f(*args, **kwargs)
        return wrapped
    return decorate


def with_tf32_off(f):
    return f


def tf32_is_not_fp32():
    return False


def tf32_enabled():
    return contextlib.nullcontext()


def _get_torch_cuda_version():
    return (0, 0)


def _get_magma_version():
    return (0, 0)


def _get_torch_rocm_version():
    return (0, 0)


def initialize_cuda_context_rng():
    pass
