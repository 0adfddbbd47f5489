"""Runs the test methods of one of PyTorch's test files and prints a line of JSON for each; ../pytorch_tests.ts starts it.

    python run.py TEST_FOLDER FILE [--after ID] [--names FILE] [--absent] [--collect]

The file is loaded as it stands. It runs the same way on PyTorch and on glasstorch's Python. With `--absent` a module or a name that an
import of the test file does not find becomes a stand-in: the file loads, and a method that touches the stand-in reports `needs NAME`.
`--collect` names the methods and runs none. `--after` skips the methods up to the one named, so that a run goes on behind a method that hung.
"""
import json
import os
import re
import sys
import traceback
import types
import unittest


class Needs(Exception):
    """A method touched something that this Python or this library does not have."""


LOADING = [True]

# How this library and its Python say that they lack something.
NOT_BUILT = re.compile(r"not built here|which is not implemented|is not implemented: |is not in this Python|To request support, file an issue"
                       r"|No module named|there are no sparse tensors|Could not infer dtype of complex|unsupported ScalarType (Half|BFloat16)"
                       r"|'(Float|Int|Uint|BigInt|BigUint)\d+Array' "
                       r"|(module 'torch[\w.]*'|object 'Tensor'|'Tensor' object|'_OpNamespace' \S+|type object 'Tensor').* has no attribute")


class Absent:
    """Stands for something that an import did not find."""

    def __init__(self, name):
        self.__dict__['_name'] = name

    def __getattr__(self, name):
        if name in ('__name__', '__qualname__', '__module__'):
            return self._name
        if name.startswith('__') and name.endswith('__'):
            raise AttributeError(name)
        if not LOADING[0]:
            raise Needs(self._name)
        return Absent(f'{self._name}.{name}')

    def __call__(self, *args, **kwargs):
        if not LOADING[0]:
            raise Needs(self._name)
        return Absent(self._name)

    def __getitem__(self, key):
        if not LOADING[0]:
            raise Needs(self._name)
        return Absent(self._name)

    def __setitem__(self, key, value):
        if not LOADING[0]:
            raise Needs(self._name)

    def __contains__(self, item):
        return False

    def __add__(self, other):
        if not LOADING[0]:
            raise Needs(self._name)
        return self

    __radd__ = __or__ = __ror__ = __add__

    def __mro_entries__(self, bases):
        return (AbsentBase,)

    def __iter__(self):
        if not LOADING[0]:
            raise Needs(self._name)
        return iter(())

    def __hash__(self):
        return hash(self._name)

    def __eq__(self, other):
        return self is other

    def __repr__(self):
        return f'<absent {self._name}>'


class AbsentBase:
    def __init__(self, *args, **kwargs):
        raise Needs('a base class that is not here')


def stand_in(name, top):
    """A module that is not there. It does not enter `sys.modules`: other files must still see that it is missing.

    `import a.b.c` gives `a`. If `a` is there, it stays, and the first part that is missing becomes an attribute of the part before it.
    """
    if not top:
        return Absent(name)
    parts = name.split('.')
    found = sys.modules.get(parts[0])
    if found is None:
        return Absent(parts[0])
    inner = found
    for n, part in enumerate(parts[1:], 2):
        if not hasattr(inner, part):
            setattr(inner, part, Absent('.'.join(parts[:n])))
            break
        inner = getattr(inner, part)
    return found


def lenient_import(folder):
    import builtins
    original = builtins.__import__

    def import_(name, globals=None, locals=None, fromlist=(), level=0):
        own = globals is not None and str(globals.get('__file__', '')).startswith(folder)
        if not own:
            return original(name, globals, locals, fromlist, level)
        try:
            module = original(name, globals, locals, fromlist, level)
        except ImportError as e:
            if level or os.path.exists(os.path.join(folder, name.split('.')[0] + '.py')):
                raise
            print(json.dumps({'absent': name, 'why': str(e)}), flush=True)
            return stand_in(name, not fromlist)
        for it in fromlist or ():
            if it != '*' and not hasattr(module, it):
                try:
                    original(f'{name}.{it}', globals, locals, (), level)
                except ImportError:
                    pass
                if not hasattr(module, it):
                    print(json.dumps({'absent': f'{name}.{it}'}), flush=True)
                    setattr(module, it, Absent(f'{name}.{it}'))
        return module

    builtins.__import__ = import_


def add_older_names():
    """Names of older releases that files of a checkout may still use when they are loaded."""
    import torch
    for name, value in (('has_mkldnn', torch.backends.mkldnn.is_available()), ('has_mkl', torch.backends.mkl.is_available()),
                        ('has_lapack', True), ('has_spectral', torch.backends.mkl.is_available())):
        if not hasattr(torch._C, name):
            setattr(torch._C, name, value)


def add_missing_packages():
    """Packages that `import torch` loads in PyTorch, which decorators of a test file name without an import of their own."""
    import torch
    for name in ('_dynamo', '_inductor', 'distributed', 'onnx', 'ao', 'quantization', 'package', 'profiler', 'export', 'compiler', 'jit'):
        if not hasattr(torch, name):
            setattr(torch, name, Absent(f'torch.{name}'))


class Result(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.outcome = None

    def set(self, outcome, reason=''):
        if self.outcome is None or self.outcome[0] in ('pass', 'skip'):
            self.outcome = (outcome, reason)

    def failed(self, kind, err):
        name, text = err[0].__name__, str(err[1])
        cause = err[1]
        while cause is not None:
            if isinstance(cause, Needs):
                return self.set('needs', str(cause))
            if NOT_BUILT.search(str(cause)):
                return self.set('needs', str(cause)[:200])
            cause = cause.__cause__ or cause.__context__
        where = ''
        for entry in traceback.extract_tb(err[2]):
            if '/test/' in entry.filename or entry.filename.endswith('.py'):
                if 'unittest' not in entry.filename:
                    last = entry
                    if TEST_FOLDER in entry.filename:
                        where = f'{os.path.basename(entry.filename)}:{entry.lineno}'
        self.set(kind, f'{name}: {text[:600]} [{where}]')
        if VERBOSE:
            traceback.print_exception(*err)

    def addSuccess(self, test):
        self.set('pass')

    def addError(self, test, err):
        self.failed('error', err)

    def addFailure(self, test, err):
        self.failed('fail', err)

    def addSkip(self, test, reason):
        self.set('skip', str(reason))

    def addExpectedFailure(self, test, err):
        self.set('pass', 'expected failure')

    def addUnexpectedSuccess(self, test):
        self.set('fail', 'unexpected success')

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.failed('fail' if issubclass(err[0], test.failureException) else 'error', err)


def cases(module):
    """Every test method of the module's classes, in the order of the classes, then by name."""
    for cls in list(module.__dict__.values()):
        if isinstance(cls, type) and issubclass(cls, unittest.TestCase):
            if cls.__module__ != module.__name__ and not cls.__module__.startswith(('autograd.', 'fx.')):
                if getattr(cls, '__name__', '') in ('TestCase', 'NNTestCase') or not is_device_class(cls, module):
                    continue
            for name in sorted(dir(cls)):
                if name.startswith('test') and callable(getattr(cls, name, None)):
                    yield cls, name


def is_device_class(cls, module):
    return any(getattr(base, '__module__', None) == module.__name__ for base in cls.__mro__)


def main(args):
    folder, file, rest = os.path.abspath(args[0]), args[1], args[2:]
    after = rest[rest.index('--after') + 1] if '--after' in rest else None
    names = None
    if '--names' in rest:
        with open(rest[rest.index('--names') + 1]) as f:
            names = {line.strip() for line in f if line.strip()}
    global TEST_FOLDER, VERBOSE
    TEST_FOLDER, VERBOSE = folder, '--verbose' in rest
    path = os.path.join(folder, file)
    sys.argv = [path]
    sys.path.insert(0, folder)
    sys.path.insert(1, os.path.dirname(path))
    if '--absent' in rest:
        lenient_import(folder)
        add_older_names()
        add_missing_packages()
    module = types.ModuleType(os.path.basename(file)[:-3])
    module.__file__ = path
    sys.modules[module.__name__] = module
    with open(path, encoding='utf-8') as f:
        text = f.read()
    try:
        exec(compile(text, path, 'exec'), module.__dict__)
    except BaseException as e:
        traceback.print_exc()
        print(json.dumps({'file': file, 'error': f'{type(e).__name__}: {e}'}), flush=True)
        return
    LOADING[0] = False
    waiting = after is not None
    for cls, name in cases(module):
        id = f'{cls.__name__}.{name}'
        if waiting:
            waiting = id != after
            continue
        if '--collect' in rest:
            print(json.dumps({'collected': id}), flush=True)
            continue
        if names is not None and id not in names and name not in names:
            continue
        print(json.dumps({'start': id}), flush=True)
        result = Result()
        try:
            cls(name).run(result)
        except BaseException as e:
            result.failed('error', (type(e), e, e.__traceback__))
        outcome, reason = result.outcome or ('error', 'no outcome')
        print(json.dumps({'test': id, 'outcome': outcome, 'reason': reason}), flush=True)
    print(json.dumps({'end': file}), flush=True)


main(sys.argv[1:])
