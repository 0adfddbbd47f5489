"""Decorators that skip a test where something is missing, or run it in another state."""

import functools
import unittest
import warnings

import torch

from ._flags import TEST_SCIPY, TEST_WITH_SLOW

__all__ = ['lazy_skip_if', 'skipIfNoLapack', 'skipIfNoSciPy', 'skipIfNotRegistered', 'skipIfCompiledWithoutNumpy', 'skipIfNoXNNPACK',
           'slowTest', 'slowTestIf', 'skipIfTorchDynamo', 'skipIfTorchInductor', 'skipIfRocm', 'skipIfMps', 'skipIfMPS', 'skipIfCrossRef',
           'skipIfRocmVersionLessThan', 'skipIfWindows', 'skipIfXpu', 'skipIfHpu', 'skipIfLegacyJitExecutor', 'skipIfFreeThreaded',
           'skipIfSlowGradcheckEnv', 'skip_if_pytest', 'skipCUDAMemoryLeakCheckIf', 'skipCUDANonDefaultStreamIf', 'suppress_warnings',
           'gcIfJetson', 'serialTest', 'markDynamoStrictTest', 'unMarkDynamoStrictTest', 'xfailIfTorchDynamo', 'xpassIfTorchDynamo_np',
           'xfailIfS390X', 'xfailIfACL', 'xfailIf', 'xfailIfLinux', 'xfailIfWindows', 'xfailIfPy312Plus', 'runWithoutCompiledAutograd',
           'setBlasBackendsToDefaultFinally', 'setLinalgBackendsToDefaultFinally', 'setSdpaBackendsToDefaultFinally',
           'skipIfNNModuleInlined', 'make_dynamo_test', 'recover_orig_fp32_precision', 'with_ieee_matmul_precision', 'skipRocmIfTorchInductor',
           'skipIfRocmArch', 'runOnRocm', 'runOnRocmArch', 'skipIfCachingAllocatorDisabled', 'skipIfPythonVersionMismatch', 'skipIfNoXPU']


def lazy_skip_if(condition_fn, reason):
    """Skips a test if a condition holds when it runs."""
    def decorate(fn):
        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            if condition_fn():
                raise unittest.SkipTest(reason)
            return fn(*args, **kwargs)
        return wrapper
    return decorate


def skipIfNoLapack(fn):
    return fn


def skipIfNoSciPy(fn):
    return lazy_skip_if(lambda: not TEST_SCIPY, 'test require SciPy, but SciPy not found')(fn)


def skipIfNotRegistered(op_name, message):
    return unittest.skip('Pytorch is compiled without Caffe2')


def skipIfCompiledWithoutNumpy(fn):
    return unittest.skip('PyTorch was compiled without numpy support')(fn)


def skipIfNoXNNPACK(fn):
    return unittest.skip('XNNPACK must be enabled for these tests. Please build with USE_XNNPACK=1.')(fn)


def skipIfNoXPU(fn):
    return unittest.skip('test required PyTorched compiled with XPU')(fn)


def slowTest(fn):
    wrapper = lazy_skip_if(lambda: not TEST_WITH_SLOW, 'test is slow; run with PYTORCH_TEST_WITH_SLOW to enable test')(fn)
    wrapper.slow_test = True
    return wrapper


def slowTestIf(condition):
    return slowTest if condition else _same


def _same(fn):
    return fn


def _nothing(*args, **kwargs):
    # A decorator with or without arguments whose condition never holds here.
    if len(args) == 1 and not kwargs and (callable(args[0]) and not isinstance(args[0], str)):
        return args[0]
    return _same


skipIfTorchDynamo = skipIfTorchInductor = skipIfRocm = skipIfMps = skipIfMPS = skipIfCrossRef = _nothing
skipIfWindows = skipIfXpu = skipIfHpu = skipIfLegacyJitExecutor = skipIfFreeThreaded = skip_if_pytest = _nothing
skipIfSlowGradcheckEnv = serialTest = markDynamoStrictTest = unMarkDynamoStrictTest = xfailIfTorchDynamo = _nothing
xpassIfTorchDynamo_np = xfailIfS390X = xfailIfACL = xfailIfWindows = xfailIfPy312Plus = runWithoutCompiledAutograd = _nothing
skipIfNNModuleInlined = make_dynamo_test = skipRocmIfTorchInductor = skipIfCachingAllocatorDisabled = _nothing
setBlasBackendsToDefaultFinally = setLinalgBackendsToDefaultFinally = setSdpaBackendsToDefaultFinally = _nothing
recover_orig_fp32_precision = with_ieee_matmul_precision = gcIfJetson = _nothing


def skipIfRocmVersionLessThan(version=None):
    return _same


def skipIfRocmArch(arch):
    return _same


def runOnRocm(fn):
    return unittest.skip('test currently only works on the ROCm stack')(fn)


def runOnRocmArch(arch):
    return runOnRocm


def skipIfPythonVersionMismatch(predicate):
    import sys
    return _same if predicate(sys.version_info.major, sys.version_info.minor, sys.version_info.micro) else unittest.skip(
        'Python version mismatch')


def xfailIf(condition):
    return unittest.expectedFailure if condition else _same


def xfailIfLinux(fn):
    import sys
    return unittest.expectedFailure(fn) if sys.platform == 'linux' else fn


def skipCUDAMemoryLeakCheckIf(condition):
    def decorate(fn):
        if getattr(fn, '_do_cuda_memory_leak_check', True):
            fn._do_cuda_memory_leak_check = not condition
        return fn
    return decorate


def skipCUDANonDefaultStreamIf(condition):
    def decorate(fn):
        if getattr(fn, '_do_cuda_non_default_stream', True):
            fn._do_cuda_non_default_stream = not condition
        return fn
    return decorate


def suppress_warnings(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            fn(*args, **kwargs)
    return wrapper
