"""Questions about functions, classes and modules."""

import enum
import sys
import types
from _machine import signature_text
from linecache import getlines

CO_OPTIMIZED, CO_NEWLOCALS, CO_VARARGS, CO_VARKEYWORDS = 1, 2, 4, 8
CO_NESTED, CO_GENERATOR, CO_NOFREE, CO_COROUTINE = 16, 32, 64, 128


def ismodule(object):
    return isinstance(object, types.ModuleType)


def isclass(object):
    return isinstance(object, type)


def ismethod(object):
    return isinstance(object, types.MethodType)


def isfunction(object):
    return isinstance(object, types.FunctionType)


def isbuiltin(object):
    return isinstance(object, types.BuiltinFunctionType)


def ismethoddescriptor(object):
    return isinstance(object, types.MethodDescriptorType)


def isroutine(object):
    return isbuiltin(object) or isfunction(object) or ismethod(object) or ismethoddescriptor(object)


def isgeneratorfunction(object):
    object = unwrap(getattr(object, '__func__', object)) if isfunction(object) or ismethod(object) else object
    return isfunction(object) and bool(object.__code__.co_flags & CO_GENERATOR)


def iscoroutinefunction(object):
    return False


def isasyncgenfunction(object):
    return False


def isgenerator(object):
    return isinstance(object, types.GeneratorType)


def istraceback(object):
    return isinstance(object, types.TracebackType)


def isframe(object):
    return isinstance(object, types.FrameType)


def iscode(object):
    return isinstance(object, types.CodeType)


def isdatadescriptor(object):
    return not isclass(object) and not isfunction(object) and (hasattr(type(object), '__set__') or isinstance(object, property))


def isabstract(object):
    return isclass(object) and bool(getattr(object, '__abstractmethods__', ()))


def getmembers(object, predicate=None):
    results = []
    for key in dir(object):
        try:
            value = getattr(object, key)
        except AttributeError:
            continue
        if predicate is None or predicate(value):
            results.append((key, value))
    return sorted(results, key=lambda pair: pair[0])


def getmro(cls):
    return cls.__mro__


def unwrap(func, *, stop=None):
    seen = {id(func)}
    while hasattr(func, '__wrapped__') and not (stop is not None and stop(func)):
        func = func.__wrapped__
        if id(func) in seen:
            raise ValueError(f'wrapper loop when unwrapping {func!r}')
        seen.add(id(func))
    return func


def cleandoc(doc):
    lines = doc.expandtabs().split('\n')
    margin = min((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), default=0)
    lines = [lines[0].lstrip(), *(line[margin:] for line in lines[1:])]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return '\n'.join(lines)


def getdoc(object):
    doc = getattr(object, '__doc__', None)
    if doc is None and isclass(object):
        doc = next((base.__doc__ for base in object.__mro__[1:-1] if base.__doc__ is not None), None)
    return cleandoc(doc) if isinstance(doc, str) else None


def getmodule(object, _filename=None):
    if ismodule(object):
        return object
    return sys.modules.get(getattr(object, '__module__', None))


def getmodulename(path):
    name = path.rpartition('/')[2]
    return name[:-3] if name.endswith('.py') else None


def _code_of(object):
    if ismethod(object):
        object = object.__func__
    if isfunction(object):
        object = object.__code__
    if istraceback(object):
        object = object.tb_frame
    if isframe(object):
        object = object.f_code
    return object


def getfile(object):
    if ismodule(object):
        if getattr(object, '__file__', None):
            return object.__file__
        raise TypeError(f'{object!r} is a built-in module')
    if isclass(object):
        module = sys.modules.get(object.__module__)
        if getattr(module, '__file__', None):
            return module.__file__
        if object.__module__ == '__main__':
            raise OSError('source code not available')
        raise TypeError(f'{object!r} is a built-in class')
    code = _code_of(object)
    if iscode(code):
        return code.co_filename
    raise TypeError('module, class, method, function, traceback, frame, or code object was expected, got '
                    f'{type(object).__name__}')


getsourcefile = getfile


def getblock(lines):
    # The first statement with its decorators: lines up to the first one that is not indented more.
    indent = len(lines[0]) - len(lines[0].lstrip())
    depth, last, begun, text = 0, 0, False, None
    for i, line in enumerate(lines):
        stripped = line.strip()
        inside = depth > 0 or text is not None
        if stripped and not inside:
            own = len(line) - len(line.lstrip())
            if stripped.startswith('#') and i:
                if own <= indent:
                    continue
            elif begun and own <= indent:
                break
            elif not begun and not stripped.startswith('@'):
                begun = True
        if stripped:
            last = i
        depth, text = _balance(line, depth, text)
    return lines[:last + 1]


def _balance(line, depth, quote):
    # Open brackets and an open text after a line.
    i = 0
    while i < len(line):
        c = line[i]
        if quote is not None:
            if c == '\\':
                i += 1
            elif line.startswith(quote, i):
                i += len(quote) - 1
                quote = None
        elif c == '#':
            break
        elif c in '\'"':
            quote = c * 3 if line.startswith(c * 3, i) else c
            i += len(quote) - 1
        elif c in '([{':
            depth += 1
        elif c in ')]}':
            depth -= 1
        i += 1
    if quote is not None and len(quote) == 1:
        quote = None
    return depth, quote


def findsource(object):
    lines = getlines(getfile(object))
    if not lines:
        raise OSError('could not get source code')
    if ismodule(object):
        return lines, 0
    if isclass(object):
        return lines, _find_class(lines, object.__qualname__.split('.'))
    return lines, _code_of(object).co_firstlineno - 1


def _find_class(lines, path):
    # The first class with this qualified name: the classes and functions around a line are those that are indented less.
    import re
    around, depth, quote = [], 0, None
    for i, line in enumerate(lines):
        found = None if depth or quote else re.match(r'(\s*)(class|def)\s+(\w+)', line)
        if found:
            indent = len(found[1])
            while around and around[-1][0] >= indent:
                around.pop()
            names = [name if kind == 'class' else f'{name}.<locals>' for _, name, kind in around]
            around.append((indent, found[3], found[2]))
            if found[2] == 'class' and '.'.join([*names, found[3]]) == '.'.join(path):
                while i > 0 and lines[i - 1].startswith(found[1] + '@'):
                    i -= 1
                return i
        depth, quote = _balance(line, depth, quote)
    raise OSError('could not find class definition')


def getsourcelines(object):
    object = unwrap(object) if callable(object) else object
    lines, lnum = findsource(object)
    if ismodule(object):
        return lines, 0
    return getblock(lines[lnum:]), lnum + 1


def getsource(object):
    return ''.join(getsourcelines(object)[0])


def getcomments(object):
    return None


def currentframe():
    return sys._getframe(1)


class FrameInfo:
    def __init__(self, frame):
        self.frame, self.lineno = frame, frame.f_lineno
        self.filename, self.function = frame.f_code.co_filename, frame.f_code.co_name
        lines = getlines(self.filename)
        self.code_context = [lines[self.lineno - 1]] if 1 <= self.lineno <= len(lines) else None
        self.index = 0

    def __iter__(self):
        return iter((self.frame, self.filename, self.lineno, self.function, self.code_context, self.index))

    def __getitem__(self, i):
        return tuple(self)[i]


def getouterframes(frame, context=1):
    result = []
    while frame:
        result.append(FrameInfo(frame))
        frame = frame.f_back
    return result


def stack(context=1):
    return getouterframes(sys._getframe(1), context)


def getframeinfo(frame, context=1):
    return FrameInfo(frame.tb_frame if istraceback(frame) else frame)


class _empty:
    pass


class _ParameterKind(enum.IntEnum):
    POSITIONAL_ONLY = 0
    POSITIONAL_OR_KEYWORD = 1
    VAR_POSITIONAL = 2
    KEYWORD_ONLY = 3
    VAR_KEYWORD = 4

    def __str__(self):
        return self._name_

    @property
    def description(self):
        return ('positional-only', 'positional or keyword', 'variadic positional', 'keyword-only', 'variadic keyword')[self._value_]


def formatannotation(annotation, base_module=None):
    if getattr(annotation, '__module__', None) == 'typing' and not isinstance(annotation, type):
        return repr(annotation).replace('typing.', '')
    if isinstance(annotation, types.GenericAlias):
        return str(annotation)
    if isinstance(annotation, type):
        if annotation.__module__ in ('builtins', base_module):
            return annotation.__qualname__
        return f'{annotation.__module__}.{annotation.__qualname__}'
    return repr(annotation)


class Parameter:
    POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD, VAR_POSITIONAL, KEYWORD_ONLY, VAR_KEYWORD = _ParameterKind
    empty = _empty

    def __init__(self, name, kind, *, default=_empty, annotation=_empty):
        self._kind = _ParameterKind(kind)
        if default is not _empty and self._kind in (self.VAR_POSITIONAL, self.VAR_KEYWORD):
            raise ValueError(f'{self._kind.description} parameters cannot have default values')
        if not isinstance(name, str):
            raise TypeError(f'name must be a str, not a {type(name).__name__}')
        if not name.isidentifier():
            raise ValueError(f'{name!r} is not a valid parameter name')
        self._name, self._default, self._annotation = name, default, annotation

    name = property(lambda self: self._name)
    default = property(lambda self: self._default)
    annotation = property(lambda self: self._annotation)
    kind = property(lambda self: self._kind)

    def replace(self, *, name=_empty, kind=_empty, annotation=_empty, default=_empty):
        def pick(new, old):
            return old if new is _empty else new
        return type(self)(pick(name, self._name), pick(kind, self._kind), default=pick(default, self._default),
                          annotation=pick(annotation, self._annotation))

    def __str__(self):
        text = self._name
        if self._annotation is not _empty:
            text += f': {formatannotation(self._annotation)}'
        if self._default is not _empty:
            text += f' = {self._default!r}' if self._annotation is not _empty else f'={self._default!r}'
        return {self.VAR_POSITIONAL: '*', self.VAR_KEYWORD: '**'}.get(self._kind, '') + text

    def __repr__(self):
        return f'<{self.__class__.__name__} "{self}">'

    def __hash__(self):
        return hash((self._name, self._kind._value_))

    def __eq__(self, other):
        if not isinstance(other, Parameter):
            return NotImplemented
        return (self._name == other._name and self._kind == other._kind and self._default == other._default
                and self._annotation == other._annotation)


class BoundArguments:
    def __init__(self, signature, arguments):
        self.signature, self.arguments = signature, arguments

    @property
    def args(self):
        args = []
        for name, param in self.signature.parameters.items():
            if param.kind in (Parameter.VAR_KEYWORD, Parameter.KEYWORD_ONLY) or name not in self.arguments:
                break
            if param.kind == Parameter.VAR_POSITIONAL:
                args.extend(self.arguments[name])
            else:
                args.append(self.arguments[name])
        return tuple(args)

    @property
    def kwargs(self):
        kwargs, started = {}, False
        for name, param in self.signature.parameters.items():
            if not started:
                if param.kind in (Parameter.VAR_KEYWORD, Parameter.KEYWORD_ONLY):
                    started = True
                elif name not in self.arguments:
                    started = True
                    continue
            if started and name in self.arguments:
                if param.kind == Parameter.VAR_KEYWORD:
                    kwargs.update(self.arguments[name])
                else:
                    kwargs[name] = self.arguments[name]
        return kwargs

    def apply_defaults(self):
        arguments = {}
        for name, param in self.signature.parameters.items():
            if name in self.arguments:
                arguments[name] = self.arguments[name]
            elif param.default is not _empty:
                arguments[name] = param.default
            elif param.kind == Parameter.VAR_POSITIONAL:
                arguments[name] = ()
            elif param.kind == Parameter.VAR_KEYWORD:
                arguments[name] = {}
        self.arguments = arguments

    def __repr__(self):
        return f'<BoundArguments ({", ".join(f"{name}={value!r}" for name, value in self.arguments.items())})>'

    def __eq__(self, other):
        return isinstance(other, BoundArguments) and self.signature == other.signature and self.arguments == other.arguments


class Signature:
    empty = _empty

    def __init__(self, parameters=None, *, return_annotation=_empty, __validate_parameters__=True):
        params, last, default_seen = {}, Parameter.POSITIONAL_ONLY, False
        for param in parameters or ():
            if param.kind < last:
                raise ValueError(f'wrong parameter order: {last.description} parameter before {param.kind.description} parameter')
            if param.kind > last:
                last = param.kind
                default_seen = default_seen and last <= Parameter.POSITIONAL_OR_KEYWORD
            if param.kind <= Parameter.POSITIONAL_OR_KEYWORD:
                if param.default is _empty and default_seen:
                    raise ValueError('non-default argument follows default argument')
                default_seen = default_seen or param.default is not _empty
            if param.name in params:
                raise ValueError(f'duplicate parameter name: {param.name!r}')
            params[param.name] = param
        self.parameters = types.MappingProxyType(params)
        self.return_annotation = return_annotation

    @classmethod
    def from_callable(cls, obj, *, follow_wrapped=True, globals=None, locals=None, eval_str=False):
        return signature(obj, follow_wrapped=follow_wrapped)

    def replace(self, *, parameters=_empty, return_annotation=_empty):
        return type(self)(self.parameters.values() if parameters is _empty else parameters,
                          return_annotation=self.return_annotation if return_annotation is _empty else return_annotation)

    def __eq__(self, other):
        if not isinstance(other, Signature):
            return NotImplemented
        return (list(self.parameters.values()) == list(other.parameters.values())
                and self.return_annotation == other.return_annotation)

    def __hash__(self):
        return hash(tuple(self.parameters))

    def _bind(self, args, kwargs, partial):
        arguments, args, kwargs = {}, list(args), dict(kwargs)
        for name, param in self.parameters.items():
            kind = param.kind
            if kind == Parameter.VAR_POSITIONAL:
                if args:
                    arguments[name] = tuple(args)
                    args = []
            elif kind == Parameter.VAR_KEYWORD:
                if kwargs:
                    arguments[name] = kwargs
                    kwargs = {}
            elif args and kind != Parameter.KEYWORD_ONLY:
                if name in kwargs and kind == Parameter.POSITIONAL_OR_KEYWORD:
                    raise TypeError(f'multiple values for argument {name!r}')
                arguments[name] = args.pop(0)
            elif args:
                raise TypeError('too many positional arguments')
            elif name in kwargs:
                if kind == Parameter.POSITIONAL_ONLY:
                    raise TypeError(f'{name!r} parameter is positional only, but was passed as a keyword')
                arguments[name] = kwargs.pop(name)
            elif param.default is _empty and not partial:
                raise TypeError(f'missing a required argument: {name!r}')
        if args:
            raise TypeError('too many positional arguments')
        if kwargs:
            raise TypeError(f'got an unexpected keyword argument {next(iter(kwargs))!r}')
        return BoundArguments(self, arguments)

    def bind(self, /, *args, **kwargs):
        return self._bind(args, kwargs, False)

    def bind_partial(self, /, *args, **kwargs):
        return self._bind(args, kwargs, True)

    def __str__(self):
        result, positional_only, star = [], False, True
        for param in self.parameters.values():
            if param.kind == Parameter.POSITIONAL_ONLY:
                positional_only = True
            elif positional_only:
                result.append('/')
                positional_only = False
            if param.kind == Parameter.VAR_POSITIONAL:
                star = False
            elif param.kind == Parameter.KEYWORD_ONLY and star:
                result.append('*')
                star = False
            result.append(str(param))
        if positional_only:
            result.append('/')
        text = f'({", ".join(result)})'
        if self.return_annotation is not _empty:
            text += f' -> {formatannotation(self.return_annotation)}'
        return text

    def __repr__(self):
        return f'<{self.__class__.__name__} {self}>'


def _of_function(func):
    code = func.__code__
    names = code.co_varnames
    count, only, keyword = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount
    defaults = func.__defaults__ or ()
    annotations = func.__annotations__
    parameters = []

    def add(name, kind, default=_empty):
        parameters.append(Parameter(name if name.isidentifier() else f'implicit{name[1:]}', kind, default=default,
                                    annotation=annotations.get(name, _empty)))

    for i, name in enumerate(names[:count]):
        at = i - (count - len(defaults))
        add(name, Parameter.POSITIONAL_ONLY if i < only else Parameter.POSITIONAL_OR_KEYWORD, defaults[at] if at >= 0 else _empty)
    at = count + keyword
    if code.co_flags & CO_VARARGS:
        add(names[at], Parameter.VAR_POSITIONAL)
        at += 1
    for name in names[count:count + keyword]:
        add(name, Parameter.KEYWORD_ONLY, (func.__kwdefaults__ or {}).get(name, _empty))
    if code.co_flags & CO_VARKEYWORDS:
        add(names[at], Parameter.VAR_KEYWORD)
    return Signature(parameters, return_annotation=annotations.get('return', _empty))


def _of_text(text, is_bound):
    import re
    # The signature of a built-in function, from its text.
    # The library's texts annotate a parameter by one word, which is not Python's annotation.
    text = re.sub(r'(\w): \w+(?=[=,)])', r'\1', text.replace('<unset>', "'<unset>'"))
    inner = text[1:-1].removeprefix("self, /, ").removeprefix("self, ").removeprefix("self") if is_bound else text[1:-1]
    return _of_function(eval(f'lambda {inner}: None'))


def _without_first(sig):
    parameters = list(sig.parameters.values())
    if not parameters or parameters[0].kind in (Parameter.KEYWORD_ONLY, Parameter.VAR_KEYWORD):
        raise ValueError('invalid method signature')
    return sig if parameters[0].kind == Parameter.VAR_POSITIONAL else sig.replace(parameters=parameters[1:])


def signature(obj, *, follow_wrapped=True, globals=None, locals=None, eval_str=False):
    import functools
    if not callable(obj):
        raise TypeError(f'{obj!r} is not a callable object')
    if isinstance(obj, types.MethodType):
        return _without_first(signature(obj.__func__, follow_wrapped=follow_wrapped))
    if follow_wrapped:
        obj = unwrap(obj, stop=lambda f: hasattr(f, '__signature__') or isinstance(f, types.MethodType))
        if isinstance(obj, types.MethodType):
            return signature(obj)
    own = getattr(obj, '__signature__', None)
    if own is not None:
        return own
    if isfunction(obj) and hasattr(obj, '__code__'):
        return _of_function(obj)
    if isinstance(obj, functools.partial):
        sig = signature(obj.func)
        try:
            bound = sig.bind_partial(*obj.args, **obj.keywords).arguments
        except TypeError as ex:
            raise ValueError(f'partial object {obj!r} has incorrect arguments') from ex
        parameters, only_keywords = [], False
        for name, param in sig.parameters.items():
            if name in obj.keywords:
                only_keywords = only_keywords or param.kind == Parameter.POSITIONAL_OR_KEYWORD
                param = param.replace(default=obj.keywords[name])
            elif name in bound and param.kind <= Parameter.POSITIONAL_OR_KEYWORD:
                continue
            if only_keywords and param.kind == Parameter.POSITIONAL_OR_KEYWORD:
                param = param.replace(kind=Parameter.KEYWORD_ONLY)
            elif only_keywords and param.kind == Parameter.VAR_POSITIONAL:
                continue
            parameters.append(param)
        return sig.replace(parameters=parameters)
    text = signature_text(obj)
    if text is not None:
        return _of_text(text, not ismethoddescriptor(obj))
    if isinstance(obj, type):
        call = getattr(type(obj), '__call__', None)
        if isfunction(call):
            return _without_first(signature(call))
        for base in obj.__mro__:
            for name in ('__new__', '__init__'):
                method = base.__dict__.get(name)
                method = getattr(method, '__func__', method)
                if isfunction(method):
                    return _without_first(signature(method))
        if any(base.__module__ not in ('builtins', obj.__module__) or base is not object and base.__module__ == 'builtins'
               for base in obj.__mro__[:-1]) and type not in obj.__mro__:
            raise ValueError(f'no signature found for builtin type {obj!r}')
        return Signature()
    call = getattr(type(obj), '__call__', None)
    if isfunction(call):
        return _without_first(signature(call))
    raise ValueError(f'no signature found for builtin {obj!r}')


class FullArgSpec:
    _fields = ('args', 'varargs', 'varkw', 'defaults', 'kwonlyargs', 'kwonlydefaults', 'annotations')

    def __init__(self, *values):
        for name, value in zip(self._fields, values):
            setattr(self, name, value)
        self._values = values

    def __iter__(self):
        return iter(self._values)

    def __getitem__(self, i):
        return self._values[i]

    def __repr__(self):
        return f'FullArgSpec({", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self._values))})'


def getfullargspec(func):
    func = unwrap(func) if not ismethod(func) else func
    try:
        sig = _of_function(getattr(func, '__func__', func)) if isfunction(func) or ismethod(func) else signature(func)
    except Exception as ex:
        raise TypeError('unsupported callable') from ex
    args, varargs, varkw, defaults, kwonly, kwdefaults, annotations = [], None, None, (), [], {}, {}
    if sig.return_annotation is not _empty:
        annotations['return'] = sig.return_annotation
    for name, param in sig.parameters.items():
        if param.kind <= Parameter.POSITIONAL_OR_KEYWORD:
            args.append(name)
            if param.default is not _empty:
                defaults += (param.default,)
        elif param.kind == Parameter.VAR_POSITIONAL:
            varargs = name
        elif param.kind == Parameter.KEYWORD_ONLY:
            kwonly.append(name)
            if param.default is not _empty:
                kwdefaults[name] = param.default
        else:
            varkw = name
        if param.annotation is not _empty:
            annotations[name] = param.annotation
    return FullArgSpec(args, varargs, varkw, defaults or None, kwonly, kwdefaults or None, annotations)


def getattr_static(obj, attr, default=_empty):
    sources = obj.__mro__ if isclass(obj) else (obj, *type(obj).__mro__)
    for source in sources:
        if attr in getattr(source, '__dict__', {}):
            return source.__dict__[attr]
    if default is not _empty:
        return default
    raise AttributeError(attr)
