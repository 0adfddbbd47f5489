"""What the machine and this build have: `IS_...`, `TEST_...`. A test that asks for what is not there is skipped."""

import os
import sys

import torch

SEED = 1234
FILE_SCHEMA = 'file://'
NATIVE_DEVICES = ('cpu', 'cuda', 'xpu', 'meta', 'mps', 'mtia', 'privateuseone')


class LazyVal:
    """A value that is computed when it is first asked for its truth."""

    def __init__(self, compute):
        self._compute = compute

    def __bool__(self):
        return bool(self._compute())

    def __eq__(self, other):
        return bool(self) == other

    def __hash__(self):
        return hash(bool(self))


def _check_module_exists(name):
    try:
        __import__(name)
        return True
    except ImportError:
        return False


def _flag(variable):
    return os.environ.get(variable, '0') == '1'


IS_LINUX = sys.platform == 'linux'
IS_WINDOWS = sys.platform == 'win32'
IS_MACOS = sys.platform == 'darwin'
IS_PPC = IS_ARM64 = IS_X86 = IS_S390X = IS_JETSON = IS_FBCODE = IS_SANDCASTLE = IS_REMOTE_GPU = IS_AVX512_VNNI_SUPPORTED = False
IS_CI = _flag('CI')
IS_FILESYSTEM_UTF8_ENCODING = True
NO_MULTIPROCESSING_SPAWN = True

TEST_NUMPY = _check_module_exists('numpy')
TEST_SCIPY = _check_module_exists('scipy')
TEST_DILL = TEST_FAIRSEQ = TEST_NUMBA = TEST_LIBROSA = TEST_OPT_EINSUM = TEST_TRANSFORMERS = False
TEST_MKL = TEST_ACL = TEST_ONEDNN = TEST_MPS = TEST_XPU = TEST_HPU = TEST_CUDA = TEST_CUDA_GRAPH = TEST_ACCELERATOR = False
TEST_Z3 = TEST_MULTIACCELERATOR = TEST_PRIVATEUSE1 = TEST_PRIVATEUSE1_DEVICE_TYPE = False
TEST_WITH_ASAN = TEST_WITH_TSAN = TEST_WITH_UBSAN = TEST_WITH_DEV_DBG_ASAN = TEST_WITH_ROCM = TEST_WITH_MTIA = False
TEST_WITH_TORCHDYNAMO = TEST_WITH_TORCHINDUCTOR = TEST_WITH_AOT_EAGER = TEST_WITHOUT_COMPILED_AUTOGRAD = False
TEST_WITH_CROSSREF = TEST_WITH_TV = TEST_CUDA_MEM_LEAK_CHECK = TEST_SKIP_CUDAGRAPH = False
TEST_WITH_SLOW = _flag('PYTORCH_TEST_WITH_SLOW')
TEST_SKIP_FAST = False
TEST_WITH_SLOW_GRADCHECK = _flag('PYTORCH_TEST_WITH_SLOW_GRADCHECK')
NOTEST_CPU = False
TEST_CUDA_MEM_LEAK_CHECK = False
GRADCHECK_NONDET_TOL = 1e-12

dtype2prec_DONTUSE = {torch.float: 1e-5, torch.double: 1e-5, torch.half: 1e-2, torch.bfloat16: 1e-1}

# A dtype of numpy by its name; there is no numpy, so the values are names as well.
numpy_to_torch_dtype_dict = {name: getattr(torch, name) for name in (
    'bool', 'uint8', 'uint16', 'uint32', 'uint64', 'int8', 'int16', 'int32', 'int64', 'float16', 'float32', 'float64', 'complex64',
    'complex128')}
torch_to_numpy_dtype_dict = {value: key for key, value in numpy_to_torch_dtype_dict.items()}
torch_to_numpy_dtype_dict.update({torch.bfloat16: 'float32', torch.complex32: 'complex64'})
