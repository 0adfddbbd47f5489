"""Tests: cases, suites, and a runner that prints as CPython's does."""

import contextlib
import functools
import re
import sys
import time
import traceback
import warnings
from difflib import ndiff
from pprint import pformat

__all__ = ['TestResult', 'TestCase', 'TestSuite', 'TextTestRunner', 'TestLoader', 'FunctionTestCase', 'main',
           'defaultTestLoader', 'SkipTest', 'skip', 'skipIf', 'skipUnless', 'expectedFailure', 'TextTestResult']


class SkipTest(Exception):
    __module__ = 'unittest.case'


class _ShouldStop(Exception):
    pass


def skip(reason):
    def decorator(item):
        if not isinstance(item, type):
            @functools.wraps(item)
            def wrapper(*args, **kwargs):
                raise SkipTest(reason)
            item = wrapper
        item.__unittest_skip__ = True
        item.__unittest_skip_why__ = reason
        return item
    if callable(reason) and not isinstance(reason, str):
        function, reason = reason, ''
        return decorator(function)
    return decorator


def skipIf(condition, reason):
    return skip(reason) if condition else lambda item: item


def skipUnless(condition, reason):
    return skipIf(not condition, reason)


def expectedFailure(item):
    item.__unittest_expecting_failure__ = True
    return item


def _name_of(cls):
    return f'{cls.__module__}.{cls.__qualname__}'


class TestResult:
    __module__ = 'unittest.result'
    def __init__(self, stream=None, descriptions=None, verbosity=None):
        self.failfast = self.shouldStop = False
        self.failures, self.errors, self.skipped = [], [], []
        self.expectedFailures, self.unexpectedSuccesses = [], []
        self.testsRun = 0

    def startTest(self, test):
        self.testsRun += 1

    def stopTest(self, test):
        pass

    def startTestRun(self):
        pass

    def stopTestRun(self):
        pass

    def addError(self, test, err):
        self.errors.append((test, self._text(err, test)))
        self.shouldStop = self.shouldStop or self.failfast

    def addFailure(self, test, err):
        self.failures.append((test, self._text(err, test)))
        self.shouldStop = self.shouldStop or self.failfast

    def addSubTest(self, test, subtest, err):
        if err is not None:
            where = self.failures if issubclass(err[0], test.failureException) else self.errors
            where.append((subtest, self._text(err, test)))
            self.shouldStop = self.shouldStop or self.failfast

    def addSuccess(self, test):
        pass

    def addSkip(self, test, reason):
        self.skipped.append((test, reason))

    def addExpectedFailure(self, test, err):
        self.expectedFailures.append((test, self._text(err, test)))

    def addUnexpectedSuccess(self, test):
        self.unexpectedSuccesses.append(test)

    def wasSuccessful(self):
        return not self.failures and not self.errors and not self.unexpectedSuccesses

    def stop(self):
        self.shouldStop = True

    def _text(self, err, test):
        # The frames of this module are left out, at both ends.
        error, tb = err[1], err[2]
        while tb is not None and '__unittest' in tb.tb_frame.f_globals:
            tb = tb.tb_next
        shown = []
        while tb is not None and not (issubclass(err[0], test.failureException) and '__unittest' in tb.tb_frame.f_globals):
            shown.append(tb)
            tb = tb.tb_next
        saved, end = error.__traceback__, None
        if shown:
            end = shown[-1].tb_next
            shown[-1].tb_next = None
        error.__traceback__ = shown[0] if shown else None
        try:
            return ''.join(traceback.format_exception(error))
        finally:
            error.__traceback__ = saved
            if shown:
                shown[-1].tb_next = end

    def __repr__(self):
        return (f'<{_name_of(self.__class__)} run={self.testsRun} errors={len(self.errors)} failures={len(self.failures)}>')


__unittest = True


class TextTestResult(TestResult):
    __module__ = 'unittest.runner'
    separator1 = '=' * 70
    separator2 = '-' * 70

    def __init__(self, stream, descriptions, verbosity):
        super().__init__()
        self.stream, self.descriptions = stream, descriptions
        self.showAll, self.dots = verbosity > 1, verbosity == 1
        self._newline = True

    def getDescription(self, test):
        doc = test.shortDescription()
        return f'{test}\n{doc}' if self.descriptions and doc else str(test)

    def startTest(self, test):
        super().startTest(test)
        if self.showAll:
            self.stream.write(f'{self.getDescription(test)} ... ')
            self._newline = False

    def _say(self, test, status, dot):
        if self.showAll:
            if self._newline:
                if isinstance(test, _SubTest):
                    self.stream.write('  ')
                self.stream.write(f'{self.getDescription(test)} ... ')
            self.stream.write(status + '\n')
            self._newline = True
        elif self.dots:
            self.stream.write(dot)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            failed = issubclass(err[0], test.failureException)
            if self.showAll and not self._newline:
                self.stream.write('\n')
                self._newline = True
            self._say(subtest, 'FAIL' if failed else 'ERROR', 'F' if failed else 'E')

    def addSuccess(self, test):
        self._say(test, 'ok', '.')

    def addError(self, test, err):
        super().addError(test, err)
        self._say(test, 'ERROR', 'E')

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._say(test, 'FAIL', 'F')

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._say(test, f'skipped {reason!r}', 's')

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self._say(test, 'expected failure', 'x')

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self._say(test, 'unexpected success', 'u')

    def printErrors(self):
        if self.dots or self.showAll:
            self.stream.write('\n')
        for flavour, errors in (('ERROR', self.errors), ('FAIL', self.failures)):
            for test, text in errors:
                self.stream.write(f'{self.separator1}\n{flavour}: {self.getDescription(test)}\n{self.separator2}\n{text}\n')
        if self.unexpectedSuccesses:
            self.stream.write(self.separator1 + '\n')
            for test in self.unexpectedSuccesses:
                self.stream.write(f'UNEXPECTED SUCCESS: {self.getDescription(test)}\n')


class _Raises:
    # `with self.assertRaises(...)` and its like.
    def __init__(self, case, expected, pattern=None, kind='raise'):
        self.case, self.expected = case, expected
        self.pattern = re.compile(pattern) if isinstance(pattern, (str, bytes)) else pattern
        self.kind, self.msg, self.obj_name = kind, None, None

    def _fail(self, message):
        raise self.case.failureException(self.case._formatMessage(self.msg, message))

    def _names(self):
        return ' or '.join(it.__name__ for it in self.expected) if isinstance(self.expected, tuple) else self.expected.__name__

    def handle(self, args, kwargs):
        base = BaseException if self.kind == 'raise' else Warning
        kinds = self.expected if isinstance(self.expected, tuple) else (self.expected,)
        if not all(isinstance(it, type) and issubclass(it, base) for it in kinds):
            name = {'raise': 'assertRaises', 'warn': 'assertWarns'}[self.kind] + ('Regex' if self.pattern else '')
            kind = 'exception' if self.kind == 'raise' else 'warning'
            raise TypeError(f'{name}() arg 1 must be {"an" if kind == "exception" else "a"} {kind} type or tuple of {kind} types')
        if not args:
            self.msg = kwargs.pop('msg', None)
            return self
        function, *args = args
        self.obj_name = getattr(function, '__name__', str(function))
        with self:
            function(*args, **kwargs)


class _AssertRaises(_Raises):
    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, tb):
        if exc_type is None:
            by = f' by {self.obj_name}' if self.obj_name else ''
            self._fail(f'{self._names()} not raised{by}')
        if not issubclass(exc_type, self.expected):
            return False
        self.exception = exc_value.with_traceback(None)
        if self.pattern is not None and not self.pattern.search(str(exc_value)):
            self._fail(f'"{self.pattern.pattern}" does not match "{exc_value}"')
        return True


class _AssertWarns(_Raises):
    def __enter__(self):
        self._manager = warnings.catch_warnings(record=True)
        self.warnings = self._manager.__enter__()
        warnings.simplefilter('always', self.expected)
        return self

    def __exit__(self, exc_type, exc_value, tb):
        self._manager.__exit__(exc_type, exc_value, tb)
        if exc_type is not None:
            return
        first = None
        for it in self.warnings:
            if not isinstance(it.message, self.expected):
                continue
            first = first or it.message
            if self.pattern is None or self.pattern.search(str(it.message)):
                self.warning, self.filename, self.lineno = it.message, it.filename, it.lineno
                return
        if first is not None:
            self._fail(f'"{self.pattern.pattern}" does not match "{first}"')
        by = f' by {self.obj_name}' if self.obj_name else ''
        self._fail(f'{self._names()} not triggered{by}')


class TestCase:
    __module__ = 'unittest.case'
    failureException = AssertionError
    longMessage = True
    maxDiff = 80 * 8
    _subtest = None

    def __init__(self, methodName='runTest'):
        self._testMethodName = methodName
        try:
            self._testMethodDoc = getattr(self, methodName).__doc__
        except AttributeError:
            if methodName != 'runTest':
                raise ValueError(f'no such test method in {self.__class__}: {methodName}')
            self._testMethodDoc = None
        self._cleanups = []

    def setUp(self):
        pass

    def tearDown(self):
        pass

    @classmethod
    def setUpClass(cls):
        pass

    @classmethod
    def tearDownClass(cls):
        pass

    def addCleanup(self, function, /, *args, **kwargs):
        self._cleanups.append((function, args, kwargs))

    def enterContext(self, cm):
        result = cm.__enter__()
        self.addCleanup(cm.__exit__, None, None, None)
        return result

    def doCleanups(self):
        while self._cleanups:
            function, args, kwargs = self._cleanups.pop()
            function(*args, **kwargs)

    def countTestCases(self):
        return 1

    def id(self):
        return f'{_name_of(self.__class__)}.{self._testMethodName}'

    def shortDescription(self):
        doc = self._testMethodDoc
        return doc.strip().split('\n')[0].strip() if doc else None

    def __eq__(self, other):
        return type(self) is type(other) and self._testMethodName == other._testMethodName

    def __hash__(self):
        return hash((type(self), self._testMethodName))

    def __str__(self):
        return f'{self._testMethodName} ({_name_of(self.__class__)}.{self._testMethodName})'

    def __repr__(self):
        return f'<{_name_of(self.__class__)} testMethod={self._testMethodName}>'

    def __call__(self, *args, **kwds):
        return self.run(*args, **kwds)

    def _attempt(self, run, result, report):
        # Runs one part of a test; tells whether it passed.
        try:
            run()
            return True
        except KeyboardInterrupt:
            raise
        except SkipTest as e:
            self._passed = False
            result.addSkip(self, str(e))
        except _ShouldStop:
            self._passed = False
        except BaseException as e:
            self._passed = False
            report((type(e), e, e.__traceback__))
        return False

    def run(self, result=None):
        if result is None:
            result = TestResult()
        result.startTest(self)
        try:
            method = getattr(self, self._testMethodName)
            if getattr(self.__class__, '__unittest_skip__', False) or getattr(method, '__unittest_skip__', False):
                result.addSkip(self, getattr(self.__class__, '__unittest_skip_why__', '')
                               or getattr(method, '__unittest_skip_why__', ''))
                return result
            expecting = (getattr(self, '__unittest_expecting_failure__', False)
                         or getattr(method, '__unittest_expecting_failure__', False))
            self._passed, self._result, failed = True, result, []

            def report(err):
                if expecting:
                    failed.append(err)
                elif issubclass(err[0], self.failureException):
                    result.addFailure(self, err)
                else:
                    result.addError(self, err)

            if self._attempt(self.setUp, result, report):
                self._attempt(method, result, report)
                self._attempt(self.tearDown, result, report)
            self._attempt(self.doCleanups, result, report)
            if failed:
                result.addExpectedFailure(self, failed[0])
            elif self._passed and expecting:
                result.addUnexpectedSuccess(self)
            elif self._passed:
                result.addSuccess(self)
        finally:
            result.stopTest(self)
        return result

    def debug(self):
        self.setUp()
        getattr(self, self._testMethodName)()
        self.tearDown()
        self.doCleanups()

    @contextlib.contextmanager
    def subTest(self, msg=None, **params):
        parent = self._subtest
        if parent is not None:
            params = {**parent.params, **params}
        self._subtest = subtest = _SubTest(self, msg, params)
        try:
            yield
        except (SkipTest, KeyboardInterrupt) as e:
            if isinstance(e, KeyboardInterrupt):
                raise
            self._passed = False
            self._result.addSkip(subtest, str(e))
        except Exception as e:
            self._passed = False
            self._result.addSubTest(self, subtest, (type(e), e, e.__traceback__))
            if self._result.failfast:
                raise _ShouldStop
        else:
            self._result.addSubTest(self, subtest, None)
        finally:
            self._subtest = parent

    def skipTest(self, reason):
        raise SkipTest(reason)

    def fail(self, msg=None):
        raise self.failureException(msg)

    def _formatMessage(self, msg, standard):
        if not self.longMessage:
            return msg or standard
        return standard if msg is None else f'{standard} : {msg}'

    def _unless(self, passed, msg, standard):
        if not passed:
            raise self.failureException(self._formatMessage(msg, standard() if callable(standard) else standard))

    def assertTrue(self, expr, msg=None):
        self._unless(expr, msg, lambda: f'{expr!r} is not true')

    def assertFalse(self, expr, msg=None):
        self._unless(not expr, msg, lambda: f'{expr!r} is not false')

    def assertEqual(self, first, second, msg=None):
        if type(first) is type(second):
            own = self._equality.get(type(first))
            if own is not None:
                return getattr(self, own)(first, second, msg=msg) if isinstance(own, str) else own(first, second, msg=msg)
        self._unless(first == second, msg, lambda: f'{first!r} != {second!r}')

    def addTypeEqualityFunc(self, typeobj, function):
        self._equality = {**self._equality, typeobj: function}

    def assertNotEqual(self, first, second, msg=None):
        self._unless(first != second, msg, lambda: f'{first!r} == {second!r}')

    def assertIs(self, expr1, expr2, msg=None):
        self._unless(expr1 is expr2, msg, lambda: f'{expr1!r} is not {expr2!r}')

    def assertIsNot(self, expr1, expr2, msg=None):
        self._unless(expr1 is not expr2, msg, lambda: f'unexpectedly identical: {expr1!r}')

    def assertIsNone(self, obj, msg=None):
        self._unless(obj is None, msg, lambda: f'{obj!r} is not None')

    def assertIsNotNone(self, obj, msg=None):
        self._unless(obj is not None, msg, 'unexpectedly None')

    def assertIn(self, member, container, msg=None):
        self._unless(member in container, msg, lambda: f'{member!r} not found in {container!r}')

    def assertNotIn(self, member, container, msg=None):
        self._unless(member not in container, msg, lambda: f'{member!r} unexpectedly found in {container!r}')

    def assertIsInstance(self, obj, cls, msg=None):
        self._unless(isinstance(obj, cls), msg, lambda: f'{obj!r} is not an instance of {cls!r}')

    def assertNotIsInstance(self, obj, cls, msg=None):
        self._unless(not isinstance(obj, cls), msg, lambda: f'{obj!r} is an instance of {cls!r}')

    def assertLess(self, a, b, msg=None):
        self._unless(a < b, msg, lambda: f'{a!r} not less than {b!r}')

    def assertLessEqual(self, a, b, msg=None):
        self._unless(a <= b, msg, lambda: f'{a!r} not less than or equal to {b!r}')

    def assertGreater(self, a, b, msg=None):
        self._unless(a > b, msg, lambda: f'{a!r} not greater than {b!r}')

    def assertGreaterEqual(self, a, b, msg=None):
        self._unless(a >= b, msg, lambda: f'{a!r} not greater than or equal to {b!r}')

    def assertAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        if first == second:
            return
        if delta is not None and places is not None:
            raise TypeError('specify delta or places not both')
        diff = abs(first - second)
        if delta is not None:
            self._unless(diff <= delta, msg, lambda: f'{first!r} != {second!r} within {delta!r} delta ({diff!r} difference)')
        else:
            places = 7 if places is None else places
            self._unless(round(diff, places) == 0, msg,
                         lambda: f'{first!r} != {second!r} within {places!r} places ({diff!r} difference)')

    def assertNotAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        if delta is not None and places is not None:
            raise TypeError('specify delta or places not both')
        diff = abs(first - second)
        if delta is not None:
            self._unless(first != second and diff > delta, msg,
                         lambda: f'{first!r} == {second!r} within {delta!r} delta ({diff!r} difference)')
        else:
            places = 7 if places is None else places
            self._unless(first != second and round(diff, places) != 0, msg,
                         lambda: f'{first!r} == {second!r} within {places!r} places')

    def _differ(self, standard, diff, msg):
        if self.maxDiff is None or len(diff) <= self.maxDiff:
            standard += diff
        else:
            standard += (f'\nDiff is {len(diff)} characters long. Set self.maxDiff to None to see it.')
        raise self.failureException(self._formatMessage(msg, standard))

    def assertSequenceEqual(self, seq1, seq2, msg=None, seq_type=None):
        name = seq_type.__name__ if seq_type is not None else 'sequence'
        if seq_type is not None:
            for which, seq in (('First', seq1), ('Second', seq2)):
                if not isinstance(seq, seq_type):
                    raise self.failureException(f'{which} sequence is not a {name}: {seq!r}')
        if seq1 == seq2:
            return
        standard = f'{name.capitalize()}s differ: {_compared(seq1, seq2)}\n'
        len1, len2 = len(seq1), len(seq2)
        for i in range(min(len1, len2)):
            if seq1[i] != seq2[i]:
                standard += f'\nFirst differing element {i}:\n{repr(seq1[i])}\n{repr(seq2[i])}\n'
                break
        else:
            if len1 == len2 and seq_type is None and type(seq1) != type(seq2):
                return
        if len1 > len2:
            standard += f'\nFirst {name} contains {len1 - len2} additional elements.\nFirst extra element {len2}:\n{repr(seq1[len2])}\n'
        elif len1 < len2:
            standard += f'\nSecond {name} contains {len2 - len1} additional elements.\nFirst extra element {len1}:\n{repr(seq2[len1])}\n'
        self._differ(standard, '\n' + '\n'.join(ndiff(pformat(seq1).splitlines(), pformat(seq2).splitlines())), msg)

    def assertListEqual(self, list1, list2, msg=None):
        self.assertSequenceEqual(list1, list2, msg, seq_type=list)

    def assertTupleEqual(self, tuple1, tuple2, msg=None):
        self.assertSequenceEqual(tuple1, tuple2, msg, seq_type=tuple)

    def assertSetEqual(self, set1, set2, msg=None):
        lines = []
        for items, which in ((set1 - set2, 'first'), (set2 - set1, 'second')):
            if items:
                lines.append(f'Items in the {which} set but not the {"second" if which == "first" else "first"}:')
                lines += map(repr, items)
        self._unless(not lines, msg, lambda: '\n'.join(lines))

    def assertDictEqual(self, d1, d2, msg=None):
        self.assertIsInstance(d1, dict, 'First argument is not a dictionary')
        self.assertIsInstance(d2, dict, 'Second argument is not a dictionary')
        if d1 != d2:
            diff = '\n' + '\n'.join(ndiff(pformat(d1).splitlines(), pformat(d2).splitlines()))
            self._differ(_compared(d1, d2), diff, msg)

    def assertMultiLineEqual(self, first, second, msg=None):
        self.assertIsInstance(first, str, 'First argument is not a string')
        self.assertIsInstance(second, str, 'Second argument is not a string')
        if first != second:
            a, b = first.splitlines(True), second.splitlines(True)
            if len(a) == 1 and first.strip('\r\n') == first:
                a, b = [first + '\n'], [second + '\n']
            diff = '\n' + ''.join(ndiff(a, b))
            self._differ(_compared(first, second), diff, msg)

    def assertCountEqual(self, first, second, msg=None):
        first, second = list(first), list(second)
        rows = []
        for value in [*first, *second]:
            a = sum(value == it for it in first)
            b = sum(value == it for it in second)
            if a != b and not any(value == row[2] for row in rows):
                rows.append((a, b, value))
        if rows:
            lines = '\n'.join(f'First has {a}, Second has {b}:  {value!r}' for a, b, value in rows)
            self._differ('Element counts were not equal:\n', lines, msg)

    def assertRaises(self, expected_exception, *args, **kwargs):
        return _AssertRaises(self, expected_exception).handle(args, kwargs)

    def assertRaisesRegex(self, expected_exception, expected_regex, *args, **kwargs):
        return _AssertRaises(self, expected_exception, expected_regex).handle(args, kwargs)

    def assertWarns(self, expected_warning, *args, **kwargs):
        return _AssertWarns(self, expected_warning, kind='warn').handle(args, kwargs)

    def assertWarnsRegex(self, expected_warning, expected_regex, *args, **kwargs):
        return _AssertWarns(self, expected_warning, expected_regex, kind='warn').handle(args, kwargs)

    def assertRegex(self, text, expected_regex, msg=None):
        pattern = re.compile(expected_regex)
        self._unless(pattern.search(text), msg, lambda: f"Regex didn't match: {pattern.pattern!r} not found in {text!r}")

    def assertNotRegex(self, text, unexpected_regex, msg=None):
        pattern = re.compile(unexpected_regex)
        match = pattern.search(text)
        self._unless(not match, msg, lambda: f'Regex matched: {match.group()!r} matches {pattern.pattern!r} in {text!r}')

    _equality = {list: 'assertListEqual', tuple: 'assertTupleEqual', dict: 'assertDictEqual', set: 'assertSetEqual',
                 frozenset: 'assertSetEqual', str: 'assertMultiLineEqual'}


def _compared(first, second):
    # Long texts lose what both have at the beginning.
    a, b = repr(first), repr(second)
    if max(len(a), len(b)) <= 80:
        return f'{a} != {b}'
    n = 0
    while n < min(len(a), len(b)) and a[n] == b[n]:
        n += 1

    def shorten(s, before, after):
        hidden = len(s) - before - after
        return f'{s[:before]}[{hidden} chars]{s[len(s) - after:]}' if hidden > 12 else s

    common = 80 - (max(len(a), len(b)) - n + 5 + 12)
    if common > 5:
        begin = shorten(a[:n], 5, common)
        a, b = begin + a[n:], begin + b[n:]
    else:
        begin = shorten(a[:n], 5, 5)
        a, b = begin + shorten(a[n:], 41, 5), begin + shorten(b[n:], 41, 5)
    return f'{a} != {b}'


class _SubTest(TestCase):
    def __init__(self, case, message, params):
        super().__init__()
        self.case, self.message, self.params = case, message, params
        self.failureException = case.failureException

    def runTest(self):
        raise NotImplementedError('subtests cannot be run directly')

    def _description(self):
        parts = [] if self.message is None else [f'[{self.message}]']
        if self.params:
            parts.append(f'({", ".join(f"{k}={v!r}" for k, v in self.params.items())})')
        return ' '.join(parts) or '(<subtest>)'

    def id(self):
        return f'{self.case.id()} {self._description()}'

    def shortDescription(self):
        return self.case.shortDescription()

    def __str__(self):
        return f'{self.case} {self._description()}'


class FunctionTestCase(TestCase):
    def __init__(self, testFunc, setUp=None, tearDown=None, description=None):
        super().__init__()
        self._function, self._set_up, self._tear_down, self._description = testFunc, setUp, tearDown, description

    def setUp(self):
        if self._set_up is not None:
            self._set_up()

    def tearDown(self):
        if self._tear_down is not None:
            self._tear_down()

    def runTest(self):
        self._function()

    def id(self):
        return self._function.__name__


class TestSuite:
    __module__ = 'unittest.suite'
    def __init__(self, tests=()):
        self._tests = list(tests)

    def __iter__(self):
        return iter(self._tests)

    def __repr__(self):
        return f'<{_name_of(self.__class__)} tests={self._tests}>'

    def addTest(self, test):
        self._tests.append(test)

    def addTests(self, tests):
        self._tests += tests

    def countTestCases(self):
        return sum(test.countTestCases() for test in self)

    def __call__(self, *args, **kwds):
        return self.run(*args, **kwds)

    def _class_part(self, name, cls, result):
        try:
            getattr(cls, name)()
            return True
        except SkipTest as e:
            result.addSkip(_ErrorHolder(f'{name} ({_name_of(cls)})'), str(e))
        except Exception as e:
            result.addError(_ErrorHolder(f'{name} ({_name_of(cls)})'), (type(e), e, e.__traceback__))
        return False

    def run(self, result):
        current, ready = None, True
        for test in self:
            if result.shouldStop:
                break
            if isinstance(test, TestSuite):
                test.run(result)
                continue
            cls = test.__class__
            if cls is not current:
                if current is not None and ready:
                    self._class_part('tearDownClass', current, result)
                current = cls
                ready = getattr(cls, '__unittest_skip__', False) or self._class_part('setUpClass', cls, result)
            if ready:
                test(result)
        if current is not None and ready and not getattr(current, '__unittest_skip__', False):
            self._class_part('tearDownClass', current, result)
        return result


class _ErrorHolder:
    failureException = AssertionError

    def __init__(self, description):
        self.description = description

    def id(self):
        return self.description

    def shortDescription(self):
        return None

    def __str__(self):
        return self.description


class TestLoader:
    testMethodPrefix = 'test'

    def getTestCaseNames(self, cls):
        return sorted(name for name in dir(cls) if name.startswith(self.testMethodPrefix) and callable(getattr(cls, name)))

    def loadTestsFromTestCase(self, cls):
        names = self.getTestCaseNames(cls)
        if not names and hasattr(cls, 'runTest'):
            names = ['runTest']
        return TestSuite(map(cls, names))

    def loadTestsFromModule(self, module):
        tests = []
        for name in dir(module):
            obj = getattr(module, name)
            if isinstance(obj, type) and issubclass(obj, TestCase) and obj not in (TestCase, FunctionTestCase):
                tests.append(self.loadTestsFromTestCase(obj))
        return TestSuite(tests)

    def loadTestsFromName(self, name, module=None):
        parts, obj = name.split('.'), module
        for part in parts:
            parent, obj = obj, getattr(obj, part)
        if isinstance(obj, type) and issubclass(obj, TestCase):
            return self.loadTestsFromTestCase(obj)
        return TestSuite([parent(parts[-1])])

    def loadTestsFromNames(self, names, module=None):
        return TestSuite([self.loadTestsFromName(name, module) for name in names])


defaultTestLoader = TestLoader()


class TextTestRunner:
    __module__ = 'unittest.runner'
    resultclass = TextTestResult

    def __init__(self, stream=None, descriptions=True, verbosity=1, failfast=False, buffer=False, resultclass=None, warnings=None,
                 *, tb_locals=False):
        self.stream, self.descriptions, self.verbosity, self.failfast = stream or sys.stderr, descriptions, verbosity, failfast
        if resultclass is not None:
            self.resultclass = resultclass

    def run(self, test):
        result = self.resultclass(self.stream, self.descriptions, self.verbosity)
        result.failfast = self.failfast
        started = time.perf_counter()
        with warnings.catch_warnings():
            if not sys.warnoptions:
                warnings.simplefilter('default')
            result.startTestRun()
            test(result)
            result.stopTestRun()
        taken = time.perf_counter() - started
        result.printErrors()
        run = result.testsRun
        self.stream.write(f'{result.separator2}\nRan {run} test{"" if run == 1 else "s"} in {taken:.3f}s\n\n')
        infos = [f'{name}={len(found)}' for name, found in (
            ('failures', result.failures), ('errors', result.errors), ('skipped', result.skipped),
            ('expected failures', result.expectedFailures), ('unexpected successes', result.unexpectedSuccesses)) if found]
        status = 'OK' if result.wasSuccessful() else 'FAILED'
        self.stream.write(f'{status} ({", ".join(infos)})\n' if infos else f'{status}\n')
        return result


class TestProgram:
    def __init__(self, module='__main__', defaultTest=None, argv=None, testRunner=None, testLoader=defaultTestLoader, exit=True,
                 verbosity=1, failfast=None, **kwargs):
        if isinstance(module, str):
            module = sys.modules[module]
        names = []
        for arg in (sys.argv if argv is None else argv)[1:]:
            if arg in ('-v', '--verbose'):
                verbosity = 2
            elif arg in ('-q', '--quiet'):
                verbosity = 0
            elif arg in ('-f', '--failfast'):
                failfast = True
            else:
                names.append(arg)
        if not names and defaultTest is not None:
            names = [defaultTest] if isinstance(defaultTest, str) else list(defaultTest)
        tests = testLoader.loadTestsFromNames(names, module) if names else testLoader.loadTestsFromModule(module)
        runner = testRunner or TextTestRunner
        if isinstance(runner, type):
            runner = runner(verbosity=verbosity, failfast=bool(failfast))
        self.result = runner.run(tests)
        if exit:
            sys.exit(not self.result.wasSuccessful())


main = TestProgram
