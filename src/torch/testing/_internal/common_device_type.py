"""Tests for a kind of device: `instantiate_device_type_tests(TestX, globals())` makes `TestXCPU` with `test_y_cpu_float32`.

The decorators say for which dtypes a test runs, with which tolerances, and on which devices.
"""

import copy
import enum
import functools
import inspect
import unittest
from collections import namedtuple
from collections.abc import Sequence

import torch

from .common_dtype import get_all_dtypes
from .common_utils import NATIVE_DEVICES, TEST_WITH_ROCM, TEST_WITH_ASAN, TestCase, _TestParametrizer, compose_parametrize_fns, dtype_name

PYTORCH_CUDA_MEMCHECK = False
tol = namedtuple('tol', ['atol', 'rtol'])


def _suffix(dtypes):
    many = dtypes if isinstance(dtypes, (list, tuple)) else [dtypes] if dtypes else []
    return ''.join('_' + dtype_name(it) for it in many)


def _set_argument(kwargs, name, value):
    # Several values go to the parameter in the plural.
    kwargs.pop(name, None)
    kwargs.pop(name + 's', None)
    if value is not None:
        kwargs[name + 's' if isinstance(value, (list, tuple)) else name] = value


class DeviceTypeTestBase(TestCase):
    device_type = 'generic_device_type'

    @classmethod
    def get_primary_device(cls):
        return cls.device_type

    @classmethod
    def get_all_devices(cls):
        return [cls.get_primary_device()]

    @classmethod
    def _get_dtypes(cls, test):
        if not hasattr(test, 'dtypes'):
            return None
        default = test.dtypes.get('all')
        assert default is not None, f"@dtypes is mandatory when using @dtypesIf however '{test.__name__}' didn't specify it"
        return test.dtypes.get(cls.device_type, default)

    def _apply_tolerances(self, test, kwargs):
        dtype = kwargs.get('dtypes', kwargs.get('dtype'))
        if not dtype:
            return
        dtype = tuple(dtype) if isinstance(dtype, list) else dtype
        self.precision = getattr(test, 'precision_overrides', {}).get(dtype, self.precision)
        self.precision, self.rel_tol = getattr(test, 'tolerance_overrides', {}).get(dtype, tol(self.precision, self.rel_tol))

    @classmethod
    def _instantiate(cls, name, test, kwargs, decorators):
        kwargs = dict(kwargs)
        parameters = inspect.signature(test).parameters
        if 'device' in parameters or 'devices' in parameters:
            _set_argument(kwargs, 'device', cls.get_all_devices() if hasattr(test, 'num_required_devices') else cls.get_primary_device())
        for decorator in decorators(kwargs):
            test = decorator(test)

        @functools.wraps(test)
        def instantiated_test(self, param_kwargs=kwargs):
            before = self.precision, self.rel_tol
            try:
                self._apply_tolerances(test, param_kwargs)
                return test(self, **param_kwargs)
            finally:
                self.precision, self.rel_tol = before

        assert name not in cls.__dict__, f'Redefinition of test {name}'
        setattr(cls, name, instantiated_test)

    @classmethod
    def instantiate_test(cls, name, test, *, generic_cls=None):
        dtypes = cls._get_dtypes(test)
        variants = getattr(test, 'parametrize_fn', None)
        if dtypes is not None:
            def over_dtypes(test, generic_cls, device_cls):
                for dtype in dtypes:
                    kwargs = {}
                    _set_argument(kwargs, 'dtype', dtype)
                    # Its suffix follows the device's, so it is added below.
                    yield test, '', kwargs, lambda _: []
            variants = over_dtypes if variants is None else compose_parametrize_fns(variants, over_dtypes)
        if variants is None:
            cls._instantiate(f'{name}_{cls.device_type}', test, {}, lambda _: [])
            return
        for variant, suffix, kwargs, decorators in variants(test, generic_cls, cls):
            of_dtype = _suffix(kwargs.get('dtypes', kwargs.get('dtype')))
            full_name = f"{name}{'_' if suffix else ''}{suffix}_{cls.device_type}{of_dtype}"
            cls._instantiate(full_name, variant, kwargs, decorators)

    @classmethod
    def setUpClass(cls):
        pass


class CPUTestBase(DeviceTypeTestBase):
    device_type = 'cpu'


device_type_test_bases = [CPUTestBase]


def get_device_type_test_bases():
    return device_type_test_bases


def get_desired_device_type_test_bases(except_for=None, only_for=None, *others, **more):
    def names(it):
        return [it] if isinstance(it, str) else it or []
    return [base for base in device_type_test_bases
            if base.device_type not in names(except_for) and (not only_for or base.device_type in names(only_for))]


def instantiate_device_type_tests(generic_test_class, scope, except_for=None, only_for=None, include_lazy=False, allow_mps=False,
                                  allow_xpu=False):
    del scope[generic_test_class.__name__]
    members = list(generic_test_class.__dict__)
    tests = [it for it in members if it.startswith('test')]
    for base in get_desired_device_type_test_bases(except_for, only_for):
        name = generic_test_class.__name__ + base.device_type.upper()
        made = type(name, (base, generic_test_class), {})

        def set_up(cls, base=base):
            base.setUpClass()
            generic_test_class.setUpClass.__func__(cls)

        def tear_down(cls, base=base):
            generic_test_class.tearDownClass.__func__(cls)
            base.tearDownClass()

        made.setUpClass, made.tearDownClass = classmethod(set_up), classmethod(tear_down)
        for member in members:
            if member in tests:
                made.instantiate_test(member, copy.deepcopy(getattr(generic_test_class, member)), generic_cls=generic_test_class)
            elif member not in made.__dict__:
                setattr(made, member, getattr(generic_test_class, member))
        made.__module__ = generic_test_class.__module__
        scope[name] = made
    for member in tests:
        delattr(generic_test_class, member)


class OpDTypes(enum.Enum):
    supported = 0
    unsupported = 1
    supported_backward = 2
    unsupported_backward = 3
    any_one = 4
    none = 5
    any_common_cpu_cuda_one = 6


ANY_DTYPE_ORDER = (torch.float32, torch.float64, torch.complex64, torch.complex128, torch.float16, torch.bfloat16, torch.long,
                   torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool)


class ops(_TestParametrizer):
    """A test for each operator of a list, and for its dtypes."""

    def __init__(self, op_list, *, dtypes=OpDTypes.supported, allowed_dtypes=None, skip_if_dynamo=True):
        self.op_list, self.opinfo_dtypes = list(op_list), dtypes
        self.allowed_dtypes = None if allowed_dtypes is None else set(allowed_dtypes)

    def _dtypes(self, op, device):
        wanted = self.opinfo_dtypes
        if isinstance(wanted, Sequence):
            return list(wanted)
        if wanted is OpDTypes.none:
            return [None]
        supported, backward = op.supported_dtypes(device), op.supported_backward_dtypes(device)
        if wanted is OpDTypes.any_one:
            among = set(supported) & set(backward) or set(supported)
            return [it for it in ANY_DTYPE_ORDER if it in among][:1]
        return {OpDTypes.supported: list(supported), OpDTypes.supported_backward: list(backward),
                OpDTypes.unsupported: [it for it in get_all_dtypes() if it not in supported],
                OpDTypes.unsupported_backward: [it for it in get_all_dtypes() if it not in backward]}[wanted]

    def _parametrize_test(self, test, generic_cls, device_cls):
        if device_cls is None:
            raise RuntimeError('The @ops decorator is only intended to be used in a device-specific context; use it with '
                               'instantiate_device_type_tests() instead of instantiate_parametrized_tests()')
        for op in self.op_list:
            for dtype in self._dtypes(op, device_cls.device_type):
                if self.allowed_dtypes is not None and dtype not in self.allowed_dtypes:
                    continue
                kwargs = {'op': op}
                _set_argument(kwargs, 'dtype', dtype)

                @functools.wraps(test)
                def test_wrapper(*args, **kwargs):
                    return test(*args, **kwargs)

                yield test_wrapper, op.formatted_name, kwargs, functools.partial(
                    op.get_decorators, generic_cls.__name__, test.__name__, device_cls.device_type, dtype)


class skipIf:
    """Skips a test on a kind of device if `dep` is True, or if it names a member of the class that is."""

    def __init__(self, dep, reason, device_type=None):
        self.dep, self.reason, self.device_type = dep, reason, device_type

    def __call__(self, fn):
        @functools.wraps(fn)
        def dep_fn(slf, *args, **kwargs):
            here = self.device_type is None or slf.device_type in (
                [self.device_type] if isinstance(self.device_type, str) else self.device_type)
            if here and (getattr(slf, self.dep, True) if isinstance(self.dep, str) else self.dep):
                raise unittest.SkipTest(self.reason)
            return fn(slf, *args, **kwargs)
        return dep_fn


def _skip_on(device_type):
    class skip_on_device(skipIf):
        def __init__(self, dep, reason):
            super().__init__(dep, reason, device_type=device_type)
    return skip_on_device


skipCPUIf, skipCUDAIf, skipXPUIf, skipMetaIf, skipMPSIf = map(_skip_on, ('cpu', 'cuda', 'xpu', 'meta', 'mps'))
skipLazyIf, skipXLAIf, skipHPUIf, skipPRIVATEUSE1If = map(_skip_on, ('lazy', 'xla', 'hpu', 'privateuse1'))
skipGPUIf = skipCUDAIf


def _only_elsewhere(*args, **kwargs):
    # A condition about a device that is not here.
    if len(args) == 1 and not kwargs and inspect.isfunction(args[0]):
        return args[0]
    return lambda fn: fn


skipCUDAIfRocm = skipCUDAIfNotRocm = skipCUDAIfRocmVersionLessThan = skipCUDAVersionIn = skipCUDAIfVersionLessThan = _only_elsewhere
skipCUDAIfCudnnVersionLessThan = skipCUDAIfNoMagma = skipCUDAIfNoCusolver = skipCUDAIfNoMagmaAndNoCusolver = _only_elsewhere
skipCUDAIfNoMagmaAndNoLinalgsolver = skipCUDAIfNoCusolverROCMIfNoMagma = skipCUDAIfNoCusparseGeneric = _only_elsewhere
skipCUDAIfNoHipsparseGeneric = skipCUDAIfNoSparseGeneric = skipCUDAIfNoCudnn = skipCUDAIfMiopen = skipCUDAIfNoMiopen = _only_elsewhere
skipCUDAIfNotMiopenSuggestNHWC = skipLazy = skipMeta = skipXLA = skipMPS = skipHPU = skipXPU = skipPRIVATEUSE1 = _only_elsewhere
skipCPUIfNoLapack = skipCPUIfNoFFT = disablecuDNN = disableMkldnn = _only_elsewhere


def skipCPUIfNoMkl(fn):
    return skipCPUIf(not torch.backends.mkl.is_available(), 'PyTorch is built without MKL support')(fn)


skipCPUIfNoMklSparse = skipCPUIfNoMkl


def skipCPUIfNoMkldnn(fn):
    return skipCPUIf(not (torch.backends.mkldnn.enabled and torch.backends.mkldnn.is_available()),
                     'PyTorch is built without mkldnn support')(fn)


def has_cusolver():
    return False


has_hipsolver = has_cusolver


def largeTensorTest(size, device=None, inductor=False):
    """Skips a test that needs this much memory (bytes, or a text such as '4GB') when it is over a gigabyte."""
    if isinstance(size, str):
        assert size.endswith(('GB', 'gb')), 'only bytes or GB supported'
        size = 1024 ** 3 * int(size[:-2])

    def decorate(fn):
        @functools.wraps(fn)
        def wrapper(self, *args, **kwargs):
            if size > 1024 ** 3:
                raise unittest.SkipTest(f'Insufficient {device or self.get_primary_device()} memory')
            return fn(self, *args, **kwargs)
        return wrapper
    return decorate


class expectedFailure:
    def __init__(self, device_type, dtype=None):
        self.device_type, self.dtype = device_type, dtype

    def __call__(self, fn):
        @functools.wraps(fn)
        def efail_fn(slf, *args, **kwargs):
            dtype = kwargs.get('dtype', getattr(slf, 'dtype', None))
            if self.device_type in (None, slf.device_type) and self.dtype in (None, dtype):
                try:
                    fn(slf, *args, **kwargs)
                except Exception:
                    return
                slf.fail('expected test to fail, but it passed')
            return fn(slf, *args, **kwargs)
        return efail_fn


def _expected_failure_on(device_type):
    return lambda fn: expectedFailure(device_type)(fn)


(expectedFailureCPU, expectedFailureCUDA, expectedFailureXPU, expectedFailureMeta, expectedFailureXLA, expectedFailureHPU,
 expectedFailureMPS) = map(_expected_failure_on, ('cpu', 'cuda', 'xpu', 'meta', 'xla', 'hpu', 'mps'))


class onlyOn:
    def __init__(self, device_type):
        self.device_type = device_type

    def __call__(self, fn):
        @functools.wraps(fn)
        def only_fn(slf, *args, **kwargs):
            if slf.device_type not in self.device_type:
                raise unittest.SkipTest(f'Only runs on {self.device_type}')
            return fn(slf, *args, **kwargs)
        return only_fn


def _only_on(device_type):
    return lambda fn: onlyOn(device_type)(fn)


onlyCPU, onlyCUDA, onlyMPS, onlyXPU, onlyHPU, onlyPRIVATEUSE1 = map(_only_on, ('cpu', 'cuda', 'mps', 'xpu', 'hpu', 'privateuse1'))
onlyCUDAAndPRIVATEUSE1 = onlyOn(['cuda', 'privateuse1'])
onlyAccelerator = onlyOn(['cuda', 'xpu', 'mps', 'privateuse1'])


def onlyNativeDeviceTypes(fn):
    return onlyNativeDeviceTypesAnd()(fn)


def onlyNativeDeviceTypesAnd(devices=None):
    def decorate(fn):
        @functools.wraps(fn)
        def only_fn(self, *args, **kwargs):
            if self.device_type not in NATIVE_DEVICES and self.device_type not in (devices or ()):
                raise unittest.SkipTest(f"onlyNativeDeviceTypes: doesn't run on {self.device_type}")
            return fn(self, *args, **kwargs)
        return only_fn
    return decorate


class deviceCountAtLeast:
    def __init__(self, num_required_devices):
        self.num_required_devices = num_required_devices

    def __call__(self, fn):
        assert not hasattr(fn, 'num_required_devices'), f'deviceCountAtLeast redefinition for {fn.__name__}'
        fn.num_required_devices = self.num_required_devices

        @functools.wraps(fn)
        def multi_fn(slf, devices, *args, **kwargs):
            if len(devices) < self.num_required_devices:
                raise unittest.SkipTest(f'fewer than {self.num_required_devices} devices detected')
            return fn(slf, devices, *args, **kwargs)
        return multi_fn


class precisionOverride:
    """The absolute tolerance of a test, by dtype."""

    def __init__(self, d):
        assert isinstance(d, dict), 'precisionOverride not given a dtype : precision dict!'
        self.d = d

    def __call__(self, fn):
        fn.precision_overrides = self.d
        return fn


class toleranceOverride:
    """Both tolerances of a test, by dtype; they go before `precisionOverride`."""

    def __init__(self, d):
        assert isinstance(d, dict), 'toleranceOverride not given a dtype : tol dict!'
        self.d = d

    def __call__(self, fn):
        fn.tolerance_overrides = self.d
        return fn


class dtypes:
    """A test for each dtype, or for each tuple of dtypes."""

    def __init__(self, *args, device_type='all'):
        for arg in args:
            for dtype in arg if isinstance(arg, (list, tuple)) else (arg,):
                assert isinstance(dtype, torch.dtype), f'Unknown dtype in {args}'
        self.args, self.device_type = args, device_type

    def __call__(self, fn):
        by_device = getattr(fn, 'dtypes', {})
        assert self.device_type not in by_device, f'dtypes redefinition for {self.device_type}'
        by_device[self.device_type] = self.args
        fn.dtypes = by_device
        return fn


def _dtypes_on(device_type):
    class dtypes_on_device(dtypes):
        def __init__(self, *args):
            super().__init__(*args, device_type=device_type)
    return dtypes_on_device


dtypesIfCPU, dtypesIfCUDA, dtypesIfXPU, dtypesIfMPS, dtypesIfHPU, dtypesIfPRIVATEUSE1 = map(
    _dtypes_on, ('cpu', 'cuda', 'xpu', 'mps', 'hpu', 'privateuse1'))


def get_all_device_types():
    return ['cpu']
