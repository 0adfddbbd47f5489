"""Warnings: shown once for a place, unless a filter says otherwise."""

import sys

__all__ = ['warn', 'warn_explicit', 'showwarning', 'formatwarning', 'filterwarnings', 'simplefilter', 'resetwarnings',
           'catch_warnings']

filters = [('default', None, DeprecationWarning, '__main__', 0), ('ignore', None, DeprecationWarning, None, 0),
           ('ignore', None, PendingDeprecationWarning, None, 0), ('ignore', None, ImportWarning, None, 0),
           ('ignore', None, ResourceWarning, None, 0)]
defaultaction = 'default'
onceregistry = {}
_version = 0


class WarningMessage:
    def __init__(self, message, category, filename, lineno, file=None, line=None, source=None):
        self.message, self.category, self.filename, self.lineno = message, category, filename, lineno
        self.file, self.line, self.source = file, line, source
        self._category_name = category.__name__ if category else None

    def __str__(self):
        return (f'{{message : {self.message!r}, category : {self._category_name!r}, filename : {self.filename!r}, '
                f'lineno : {self.lineno}, line : {self.line!r}}}')


def formatwarning(message, category, filename, lineno, line=None):
    text = f'{filename}:{lineno}: {category.__name__}: {message}\n'
    if line is None:
        from linecache import getline
        line = getline(filename, lineno)
    return text + f'  {line.strip()}\n' if line and line.strip() else text


def showwarning(message, category, filename, lineno, file=None, line=None):
    file = file or sys.stderr
    if file is not None:
        file.write(formatwarning(message, category, filename, lineno, line))


_showwarning = showwarning


def _show(msg):
    # A program may replace showwarning.
    if showwarning is not _showwarning:
        showwarning(msg.message, msg.category, msg.filename, msg.lineno, msg.file, msg.line)
    elif _log is not None:
        _log.append(msg)
    else:
        _showwarning(msg.message, msg.category, msg.filename, msg.lineno, msg.file, msg.line)


_log = None


def _changed():
    global _version
    _version += 1


def _insert(item, append):
    if item in filters:
        if append:
            return
        filters.remove(item)
    filters.append(item) if append else filters.insert(0, item)
    _changed()


def filterwarnings(action, message='', category=Warning, module='', lineno=0, append=False):
    assert action in ('error', 'ignore', 'always', 'default', 'module', 'once'), f'invalid action: {action!r}'
    import re
    message = re.compile(message, re.I) if message else None
    module = re.compile(module) if module else None
    _insert((action, message, category, module, lineno), append)


def simplefilter(action, category=Warning, lineno=0, append=False):
    assert action in ('error', 'ignore', 'always', 'default', 'module', 'once'), f'invalid action: {action!r}'
    _insert((action, None, category, None, lineno), append)


def resetwarnings():
    filters.clear()
    _changed()


def warn(message, category=None, stacklevel=1, source=None):
    if isinstance(message, Warning):
        category = message.__class__
    if category is None:
        category = UserWarning
    if not (isinstance(category, type) and issubclass(category, Warning)):
        raise TypeError(f"category must be a Warning subclass, not '{type(category).__name__}'")
    try:
        frame = sys._getframe(stacklevel)
    except ValueError:
        names, filename, lineno = sys.__dict__, 'sys', 1
    else:
        names, filename, lineno = frame.f_globals, frame.f_code.co_filename, frame.f_lineno
    module = names.get('__name__', '<string>')
    warn_explicit(message, category, filename, lineno, module, names.setdefault('__warningregistry__', {}), names, source)


def _matches(pattern, text):
    return pattern is None or (pattern == text if isinstance(pattern, str) else pattern.match(text) is not None)


def warn_explicit(message, category, filename, lineno, module=None, registry=None, module_globals=None, source=None):
    if module is None:
        module = filename[:-3] if filename.endswith('.py') else filename or '<unknown>'
    if registry is None:
        registry = {}
    if registry.get('version', 0) != _version:
        registry.clear()
        registry['version'] = _version
    if isinstance(message, Warning):
        text, category = str(message), message.__class__
    else:
        text, message = message, category(message)
    key = text, category, lineno
    if registry.get(key):
        return
    action = defaultaction
    for action_, msg, cat, mod, line in filters:
        if (_matches(msg, text) and issubclass(category, cat) and _matches(mod, module) and line in (0, lineno)):
            action = action_
            break
    if action == 'ignore':
        return
    if action == 'error':
        raise message
    if action == 'once':
        registry[key] = 1
        if onceregistry.get((text, category)):
            return
        onceregistry[text, category] = 1
    elif action == 'module':
        registry[key] = 1
        if registry.get((text, category, 0)):
            return
        registry[text, category, 0] = 1
    elif action == 'default':
        registry[key] = 1
    elif action != 'always':
        raise RuntimeError(f'Unrecognized action ({action!r}) in warnings.filters:\n {action}')
    _show(WarningMessage(message, category, filename, lineno, source=source))


class catch_warnings:
    def __init__(self, *, record=False, module=None, action=None, category=Warning, lineno=0, append=False):
        self._record = record
        self._entered = False
        self._filter = None if action is None else (action, category, lineno, append)

    def __repr__(self):
        return f'catch_warnings({"record=True" if self._record else ""})'

    def __enter__(self):
        global filters, _log, showwarning
        if self._entered:
            raise RuntimeError(f'Cannot enter {self!r} twice')
        self._entered = True
        self._saved = filters, _log, showwarning
        filters = filters[:]
        _changed()
        if self._filter is not None:
            simplefilter(*self._filter)
        if self._record:
            _log = []
            showwarning = _showwarning
            return _log
        return None

    def __exit__(self, *exc_info):
        global filters, _log, showwarning
        if not self._entered:
            raise RuntimeError(f'Cannot exit {self!r} without entering first')
        filters, _log, showwarning = self._saved
        _changed()
