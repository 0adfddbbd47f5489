"""`TestCase`: unittest's with comparisons of tensors, and with the library's global state put back after each test."""

import contextlib
import functools
import re
import unittest
import unittest.mock
import warnings
from collections.abc import Iterable

import torch

from ._comparison import compare
from ._guards import DeterministicGuard, set_rng_seed, set_warn_always_context, skip_exception_type

__all__ = ['TestCase', 'TestCaseBase', 'NestedTensorTestCase']


class TestCase(unittest.TestCase):
    _precision = 0
    _rel_tol = 0
    _default_dtype_check_enabled = False
    _ignore_not_implemented_error = False
    _do_cuda_memory_leak_check = False
    _do_cuda_non_default_stream = False
    maxDiff = None

    def __init__(self, method_name='runTest', methodName='runTest'):
        super().__init__(methodName if methodName != 'runTest' else method_name)
        if self._ignore_not_implemented_error:
            self.wrap_with_policy(self._testMethodName, lambda: skip_exception_type(NotImplementedError))

    @property
    def precision(self):
        return self._precision

    @precision.setter
    def precision(self, value):
        self._precision = value

    @property
    def rel_tol(self):
        return self._rel_tol

    @rel_tol.setter
    def rel_tol(self, value):
        self._rel_tol = value

    def wrap_with_policy(self, method_name, policy):
        method = getattr(self, method_name)

        @functools.wraps(method)
        def wrapper(*args, **kwargs):
            with policy():
                method(*args, **kwargs)
        setattr(self, method_name, wrapper)

    def setUp(self):
        set_rng_seed()
        if self._default_dtype_check_enabled:
            assert torch.get_default_dtype() == torch.float
        self._grad_before = torch.is_grad_enabled()

    def tearDown(self):
        if self._default_dtype_check_enabled:
            assert torch.get_default_dtype() == torch.float
        if hasattr(self, '_grad_before'):
            torch.set_grad_enabled(self._grad_before)

    def assertEqual(self, x, y, msg=None, *, atol=None, rtol=None, equal_nan=True, exact_dtype=True, exact_device=False,
                    exact_layout=False, exact_stride=False, exact_is_coalesced=False):
        try:
            compare(x, y, rtol=rtol, atol=atol, rtol_override=self.rel_tol, atol_override=self.precision, equal_nan=equal_nan,
                    check_device=exact_device, check_dtype=exact_dtype, check_layout=exact_layout, check_stride=exact_stride)
        except AssertionError as error:
            if msg is None:
                raise
            text = f'{error}\n{msg}' if isinstance(msg, str) and self.longMessage else msg(str(error)) if callable(msg) else msg
            raise AssertionError(text) from None

    def assertNotEqual(self, x, y, msg=None, *, atol=None, rtol=None, **kwargs):
        with self.assertRaises(AssertionError, msg=msg):
            self.assertEqual(x, y, msg, atol=atol, rtol=rtol, **kwargs)

    def assertEqualIgnoreType(self, *args, **kwargs):
        return self.assertEqual(*args, exact_dtype=False, **kwargs)

    def assertEqualBroadcasting(self, x, y, *args, **kwargs):
        if not isinstance(y, Iterable):
            y = torch.ones_like(x) * y
        elif not isinstance(y, torch.Tensor):
            y = torch.ones_like(x) * torch.tensor(y)
        return self.assertEqual(x, y, *args, **kwargs)

    def assertEqualTypeString(self, x, y):
        self.assertEqual(x.device, y.device)
        self.assertEqual(x.dtype, y.dtype)
        self.assertEqual(x.is_sparse, y.is_sparse)

    def assertObjectIn(self, obj, iterable):
        if not any(obj is it for it in iterable):
            raise AssertionError('object not found in iterable')

    def assertNotWarn(self, callable, msg=''):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter('always')
            with set_warn_always_context(True):
                callable()
            self.assertTrue(len(seen) == 0, msg)

    @contextlib.contextmanager
    def assertWarnsOnceRegex(self, category, regex=''):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter('always')
            with set_warn_always_context(True):
                yield
            if len(seen) == 0:
                self.fail('no warning caught')
            self.assertTrue(any(type(it.message) is category for it in seen))
            self.assertTrue(any(re.match(regex, str(it.message)) for it in seen), f'{regex}, {[it.message for it in seen]}')

    def assertExpectedInline(self, actual, expect, skip=0, ignore_comments=False, ignore_empty_lines=False):
        def lines(text):
            kept = str(text).split('\n')
            if ignore_comments:
                kept = [it for it in kept if not it.strip().startswith('#')]
            if ignore_empty_lines:
                kept = [it for it in kept if it.strip() != '']
            return '\n'.join(kept)

        self.longMessage, before = True, self.longMessage
        try:
            self.assertMultiLineEqual(lines(expect), lines(actual))
        finally:
            self.longMessage = before

    def assertExpectedRaisesInline(self, exc_type, callable, expect, *args, **kwargs):
        try:
            callable(*args, **kwargs)
        except exc_type as e:
            self.assertExpectedInline(str(e), expect)
            return
        self.fail('Did not raise when expected to')

    def assertAtenOp(self, *args, **kwargs):
        self.skipTest('no ONNX')

    def assertGreaterAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        if not (first >= second or abs(first - second) <= (delta if delta is not None else 10 ** -(places or 7))):
            self.fail(self._formatMessage(msg, f'{first!r} not greater than or almost equal to {second!r}'))

    def check_nondeterministic_alert(self, fn, caller_name, should_alert=True):
        alert = caller_name + ' does not have a deterministic implementation, but you set'
        with DeterministicGuard(True):
            if should_alert:
                with self.assertRaisesRegex(RuntimeError, alert, msg='expected a non-deterministic error, but it was not raised'):
                    fn()
            else:
                fn()
        with DeterministicGuard(True, warn_only=True):
            if should_alert:
                with self.assertWarnsRegex(UserWarning, alert):
                    fn()
            else:
                with warnings.catch_warnings(record=True) as seen:
                    warnings.simplefilter('always')
                    fn()
                self.assertFalse(any(re.search(alert, str(it.message)) for it in seen))

    def compare_with_numpy(self, torch_fn, np_fn, tensor_like, device=None, dtype=None, **kwargs):
        import numpy  # there is none: the error names it


TestCaseBase = TestCase


class NestedTensorTestCase(TestCase):
    pass
