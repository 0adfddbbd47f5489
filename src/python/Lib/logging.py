"""Messages of a program: loggers make records, handlers write them."""

import sys
import time
import warnings

__all__ = ['BASIC_FORMAT', 'BufferingFormatter', 'CRITICAL', 'DEBUG', 'ERROR', 'FATAL', 'FileHandler', 'Filter', 'Formatter', 'Handler',
           'INFO', 'LogRecord', 'Logger', 'LoggerAdapter', 'NOTSET', 'NullHandler', 'StreamHandler', 'WARN', 'WARNING', 'addLevelName',
           'basicConfig', 'captureWarnings', 'critical', 'debug', 'disable', 'error', 'exception', 'fatal', 'getLevelName', 'getLogger',
           'getLoggerClass', 'info', 'log', 'makeLogRecord', 'setLoggerClass', 'shutdown', 'warn', 'warning', 'lastResort', 'raiseExceptions']

CRITICAL = FATAL = 50
ERROR, WARNING, INFO, DEBUG, NOTSET = 40, 30, 20, 10, 0
WARN = WARNING
BASIC_FORMAT = '%(levelname)s:%(name)s:%(message)s'
raiseExceptions = True

_level_to_name = {CRITICAL: 'CRITICAL', ERROR: 'ERROR', WARNING: 'WARNING', INFO: 'INFO', DEBUG: 'DEBUG', NOTSET: 'NOTSET'}
_name_to_level = {'CRITICAL': CRITICAL, 'FATAL': FATAL, 'ERROR': ERROR, 'WARN': WARNING, 'WARNING': WARNING, 'INFO': INFO, 'DEBUG': DEBUG,
                  'NOTSET': NOTSET}
_start = time.time()


def getLevelNamesMapping():
    return _name_to_level.copy()


def getLevelName(level):
    result = _level_to_name.get(level)
    if result is None:
        result = _name_to_level.get(level)
    return f'Level {level}' if result is None else result


def addLevelName(level, levelName):
    _level_to_name[level] = levelName
    _name_to_level[levelName] = level


def _checkLevel(level):
    if isinstance(level, int):
        return level
    if not isinstance(level, str):
        raise TypeError(f'Level not an integer or a valid string: {level!r}')
    if level not in _name_to_level:
        raise ValueError(f'Unknown level: {level!r}')
    return _name_to_level[level]


class LogRecord:
    def __init__(self, name, level, pathname, lineno, msg, args, exc_info, func=None, sinfo=None, **kwargs):
        now = time.time()
        self.name, self.msg = name, msg
        if args and len(args) == 1 and isinstance(args[0], dict) and args[0]:
            args = args[0]
        self.args = args
        self.levelname, self.levelno = getLevelName(level), level
        self.pathname = pathname
        self.filename = pathname.rpartition('/')[2]
        self.module = self.filename.rpartition('.')[0] or self.filename
        self.exc_info, self.exc_text, self.stack_info = exc_info, None, sinfo
        self.lineno, self.funcName = lineno, func
        self.created = now
        self.msecs = int((now - int(now)) * 1000) + 0.0
        self.relativeCreated = (now - _start) * 1000
        self.thread, self.threadName, self.processName, self.process, self.taskName = 1, 'MainThread', 'MainProcess', 1, None

    def __repr__(self):
        return f'<LogRecord: {self.name}, {self.levelno}, {self.pathname}, {self.lineno}, "{self.msg}">'

    def getMessage(self):
        msg = str(self.msg)
        return msg % self.args if self.args else msg


_record_factory = LogRecord


def setLogRecordFactory(factory):
    global _record_factory
    _record_factory = factory


def getLogRecordFactory():
    return _record_factory


def makeLogRecord(dict):
    record = _record_factory(None, None, '', 0, '', (), None, None)
    record.__dict__.update(dict)
    return record


class PercentStyle:
    default_format = '%(message)s'
    asctime_search = '%(asctime)'

    def __init__(self, fmt, *, defaults=None):
        self._fmt = fmt or self.default_format
        self._defaults = defaults

    def usesTime(self):
        return self.asctime_search in self._fmt

    def _values(self, record):
        return {**(self._defaults or {}), **record.__dict__}

    def format(self, record):
        try:
            return self._format(record)
        except KeyError as e:
            raise ValueError(f'Formatting field not found in record: {e}')

    def _format(self, record):
        return self._fmt % self._values(record)


class StrFormatStyle(PercentStyle):
    default_format = '{message}'
    asctime_search = '{asctime'

    def _format(self, record):
        return self._fmt.format(**self._values(record))


class StringTemplateStyle(PercentStyle):
    default_format = '${message}'

    def usesTime(self):
        return '$asctime' in self._fmt or '${asctime' in self._fmt

    def _format(self, record):
        from string import Template
        return Template(self._fmt).substitute(**self._values(record))


_STYLES = {'%': (PercentStyle, BASIC_FORMAT), '{': (StrFormatStyle, '{levelname}:{name}:{message}'),
           '$': (StringTemplateStyle, '${levelname}:${name}:${message}')}


class Formatter:
    converter = time.localtime
    default_time_format = '%Y-%m-%d %H:%M:%S'
    default_msec_format = '%s,%03d'

    def __init__(self, fmt=None, datefmt=None, style='%', validate=True, *, defaults=None):
        if style not in _STYLES:
            raise ValueError(f'Style must be one of: {",".join(_STYLES)}')
        self._style = _STYLES[style][0](fmt, defaults=defaults)
        self._fmt = self._style._fmt
        self.datefmt = datefmt

    def formatTime(self, record, datefmt=None):
        moment = time.localtime(record.created)
        if datefmt:
            return time.strftime(datefmt, moment)
        text = time.strftime(self.default_time_format, moment)
        return self.default_msec_format % (text, record.msecs) if self.default_msec_format else text

    def formatException(self, ei):
        import traceback
        return ''.join(traceback.format_exception(*ei)).rstrip('\n')

    def formatStack(self, stack_info):
        return stack_info

    def usesTime(self):
        return self._style.usesTime()

    def formatMessage(self, record):
        return self._style.format(record)

    def format(self, record):
        record.message = record.getMessage()
        if self.usesTime():
            record.asctime = self.formatTime(record, self.datefmt)
        s = self.formatMessage(record)
        if record.exc_info and not record.exc_text:
            record.exc_text = self.formatException(record.exc_info)
        for more in (record.exc_text, record.stack_info and self.formatStack(record.stack_info)):
            if more:
                s = f'{s}{"" if s.endswith(chr(10)) else chr(10)}{more}'
        return s


class BufferingFormatter:
    def __init__(self, linefmt=None):
        self.linefmt = linefmt or _default_formatter

    def formatHeader(self, records):
        return ''

    def formatFooter(self, records):
        return ''

    def format(self, records):
        if not records:
            return ''
        return self.formatHeader(records) + ''.join(map(self.linefmt.format, records)) + self.formatFooter(records)


_default_formatter = Formatter()


class Filter:
    def __init__(self, name=''):
        self.name, self.nlen = name, len(name)

    def filter(self, record):
        return not self.name or self.name == record.name or record.name.startswith(self.name + '.')


class Filterer:
    def __init__(self):
        self.filters = []

    def addFilter(self, filter):
        if filter not in self.filters:
            self.filters.append(filter)

    def removeFilter(self, filter):
        if filter in self.filters:
            self.filters.remove(filter)

    def filter(self, record):
        return all(f.filter(record) if hasattr(f, 'filter') else f(record) for f in self.filters)


_handlers = {}
_handler_list = []


class Handler(Filterer):
    def __init__(self, level=NOTSET):
        super().__init__()
        self._name = None
        self.level = _checkLevel(level)
        self.formatter = None
        _handler_list.append(self)

    def get_name(self):
        return self._name

    def set_name(self, name):
        self._name = name
        if name:
            _handlers[name] = self

    name = property(get_name, set_name)

    def createLock(self):
        self.lock = None

    def acquire(self):
        pass

    release = acquire

    def setLevel(self, level):
        self.level = _checkLevel(level)

    def format(self, record):
        return (self.formatter or _default_formatter).format(record)

    def emit(self, record):
        raise NotImplementedError('emit must be implemented by Handler subclasses')

    def handle(self, record):
        passed = self.filter(record)
        if passed:
            self.emit(record)
        return passed

    def setFormatter(self, fmt):
        self.formatter = fmt

    def flush(self):
        pass

    def close(self):
        if self in _handler_list:
            _handler_list.remove(self)

    def handleError(self, record):
        if raiseExceptions:
            import traceback
            sys.stderr.write('--- Logging error ---\n')
            traceback.print_exc()
            sys.stderr.write(f'Message: {record.msg!r}\nArguments: {record.args}\n')

    def __repr__(self):
        return f'<{type(self).__name__} ({getLevelName(self.level)})>'


class StreamHandler(Handler):
    terminator = '\n'

    def __init__(self, stream=None):
        super().__init__()
        self.stream = sys.stderr if stream is None else stream

    def flush(self):
        if self.stream is not None and hasattr(self.stream, 'flush'):
            self.stream.flush()

    def emit(self, record):
        try:
            self.stream.write(self.format(record) + self.terminator)
            self.flush()
        except RecursionError:
            raise
        except Exception:
            self.handleError(record)

    def setStream(self, stream):
        before = None
        if stream is not self.stream:
            before = self.stream
            self.flush()
            self.stream = stream
        return before

    def __repr__(self):
        name = getattr(self.stream, 'name', '')
        return f'<{type(self).__name__} {f"{name} " if name else ""}({getLevelName(self.level)})>'


class FileHandler(StreamHandler):
    def __init__(self, filename, mode='a', encoding=None, delay=False, errors=None):
        import os
        self.baseFilename = os.path.abspath(os.fspath(filename))
        self.mode, self.encoding, self.errors, self.delay = mode, encoding, errors, delay
        Handler.__init__(self)
        self.stream = None if delay else self._open()

    def _open(self):
        return open(self.baseFilename, self.mode, encoding=self.encoding, errors=self.errors)

    def close(self):
        if self.stream is not None:
            self.flush()
            self.stream.close()
            self.stream = None
        super().close()

    def emit(self, record):
        if self.stream is None:
            self.stream = self._open()
        super().emit(record)

    def __repr__(self):
        return f'<{type(self).__name__} {self.baseFilename} ({getLevelName(self.level)})>'


class NullHandler(Handler):
    def handle(self, record):
        pass

    def emit(self, record):
        pass


class _StderrHandler(StreamHandler):
    def __init__(self, level=NOTSET):
        Handler.__init__(self, level)

    @property
    def stream(self):
        return sys.stderr


lastResort = _StderrHandler(WARNING)
_handler_list.clear()


class PlaceHolder:
    # Stands for a logger that nobody asked for, above some that were.
    def __init__(self, alogger):
        self.loggerMap = {alogger: None}


class Manager:
    def __init__(self, rootnode):
        self.root = rootnode
        self.disable = 0
        self.emittedNoHandlerWarning = False
        self.loggerDict = {}
        self.loggerClass = None

    def getLogger(self, name):
        if not isinstance(name, str):
            raise TypeError('A logger name must be a string')
        found = self.loggerDict.get(name)
        if isinstance(found, Logger):
            return found
        result = (self.loggerClass or _logger_class)(name)
        result.manager = self
        self.loggerDict[name] = result
        if found is not None:
            for child in found.loggerMap:
                if not child.parent.name.startswith(name):
                    result.parent = child.parent
                    child.parent = result
        self._set_parent(result)
        return result

    def _set_parent(self, logger):
        above = logger.name
        while '.' in above:
            above = above.rpartition('.')[0]
            found = self.loggerDict.get(above)
            if found is None:
                self.loggerDict[above] = PlaceHolder(logger)
            elif isinstance(found, Logger):
                logger.parent = found
                return
            else:
                found.loggerMap[logger] = None
        logger.parent = self.root

    def _clear_cache(self):
        pass


class Logger(Filterer):
    def __init__(self, name, level=NOTSET):
        super().__init__()
        self.name, self.level = name, _checkLevel(level)
        self.parent, self.propagate, self.handlers, self.disabled = None, True, [], False

    def setLevel(self, level):
        self.level = _checkLevel(level)

    def debug(self, msg, *args, **kwargs):
        if self.isEnabledFor(DEBUG):
            self._log(DEBUG, msg, args, **kwargs)

    def info(self, msg, *args, **kwargs):
        if self.isEnabledFor(INFO):
            self._log(INFO, msg, args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        if self.isEnabledFor(WARNING):
            self._log(WARNING, msg, args, **kwargs)

    def warn(self, msg, *args, **kwargs):
        warnings.warn("The 'warn' method is deprecated, use 'warning' instead", DeprecationWarning, 2)
        self.warning(msg, *args, **kwargs)

    def error(self, msg, *args, **kwargs):
        if self.isEnabledFor(ERROR):
            self._log(ERROR, msg, args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        if self.isEnabledFor(ERROR):
            self._log(ERROR, msg, args, exc_info=exc_info, **kwargs)

    def critical(self, msg, *args, **kwargs):
        if self.isEnabledFor(CRITICAL):
            self._log(CRITICAL, msg, args, **kwargs)

    fatal = critical

    def log(self, level, msg, *args, **kwargs):
        if not isinstance(level, int):
            if raiseExceptions:
                raise TypeError('level must be an integer')
            return
        if self.isEnabledFor(level):
            self._log(level, msg, args, **kwargs)

    def findCaller(self, stack_info=False, stacklevel=1):
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename == _this_file:
            frame = frame.f_back
        while stacklevel > 1 and frame is not None and frame.f_back is not None:
            frame = frame.f_back
            stacklevel -= 1
        if frame is None:
            return '(unknown file)', 0, '(unknown function)', None
        text = None
        if stack_info:
            import traceback
            text = 'Stack (most recent call last):\n' + ''.join(traceback.format_stack(frame)).rstrip('\n')
        return frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name, text

    def makeRecord(self, name, level, fn, lno, msg, args, exc_info, func=None, extra=None, sinfo=None):
        record = _record_factory(name, level, fn, lno, msg, args, exc_info, func, sinfo)
        for key in extra or ():
            if key in ('message', 'asctime') or key in record.__dict__:
                raise KeyError(f'Attempt to overwrite {key!r} in LogRecord')
            record.__dict__[key] = extra[key]
        return record

    def _log(self, level, msg, args, exc_info=None, extra=None, stack_info=False, stacklevel=1):
        filename, line, function, text = self.findCaller(stack_info, stacklevel)
        if exc_info:
            if isinstance(exc_info, BaseException):
                exc_info = type(exc_info), exc_info, exc_info.__traceback__
            elif not isinstance(exc_info, tuple):
                exc_info = sys.exc_info()
        self.handle(self.makeRecord(self.name, level, filename, line, msg, args, exc_info, function, extra, text))

    def handle(self, record):
        if not self.disabled and self.filter(record):
            self.callHandlers(record)

    def addHandler(self, hdlr):
        if hdlr not in self.handlers:
            self.handlers.append(hdlr)

    def removeHandler(self, hdlr):
        if hdlr in self.handlers:
            self.handlers.remove(hdlr)

    def hasHandlers(self):
        logger = self
        while logger:
            if logger.handlers:
                return True
            logger = logger.parent if logger.propagate else None
        return False

    def callHandlers(self, record):
        logger, found = self, 0
        while logger:
            for handler in logger.handlers:
                found += 1
                if record.levelno >= handler.level:
                    handler.handle(record)
            logger = logger.parent if logger.propagate else None
        if found == 0 and lastResort is not None and record.levelno >= lastResort.level:
            lastResort.handle(record)

    def getEffectiveLevel(self):
        logger = self
        while logger:
            if logger.level:
                return logger.level
            logger = logger.parent
        return NOTSET

    def isEnabledFor(self, level):
        return not self.disabled and self.manager.disable < level and level >= self.getEffectiveLevel()

    def getChild(self, suffix):
        return self.manager.getLogger(suffix if self.root is self else f'{self.name}.{suffix}')

    def __repr__(self):
        return f'<{type(self).__name__} {self.name} ({getLevelName(self.getEffectiveLevel())})>'


class RootLogger(Logger):
    def __init__(self, level):
        super().__init__('root', level)


_logger_class = Logger
_this_file = Logger.findCaller.__code__.co_filename
root = RootLogger(WARNING)
Logger.root = root
Logger.manager = Manager(root)


def setLoggerClass(klass):
    global _logger_class
    if not issubclass(klass, Logger):
        raise TypeError(f'logger not derived from logging.Logger: {klass.__name__}')
    _logger_class = klass


def getLoggerClass():
    return _logger_class


class LoggerAdapter:
    def __init__(self, logger, extra=None):
        self.logger, self.extra = logger, extra

    def process(self, msg, kwargs):
        kwargs['extra'] = self.extra
        return msg, kwargs

    def log(self, level, msg, *args, **kwargs):
        if self.isEnabledFor(level):
            msg, kwargs = self.process(msg, kwargs)
            self.logger.log(level, msg, *args, **kwargs)

    def debug(self, msg, *args, **kwargs):
        self.log(DEBUG, msg, *args, **kwargs)

    def info(self, msg, *args, **kwargs):
        self.log(INFO, msg, *args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        self.log(WARNING, msg, *args, **kwargs)

    def error(self, msg, *args, **kwargs):
        self.log(ERROR, msg, *args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        self.log(ERROR, msg, *args, exc_info=exc_info, **kwargs)

    def critical(self, msg, *args, **kwargs):
        self.log(CRITICAL, msg, *args, **kwargs)

    def isEnabledFor(self, level):
        return self.logger.isEnabledFor(level)

    def setLevel(self, level):
        self.logger.setLevel(level)

    def getEffectiveLevel(self):
        return self.logger.getEffectiveLevel()

    def hasHandlers(self):
        return self.logger.hasHandlers()

    @property
    def name(self):
        return self.logger.name

    def __repr__(self):
        return f'<{type(self).__name__} {self.logger.name} ({getLevelName(self.getEffectiveLevel())})>'


def getLogger(name=None):
    return root if not name or name == root.name else Logger.manager.getLogger(name)


def basicConfig(**kwargs):
    force = kwargs.pop('force', False)
    encoding, errors = kwargs.pop('encoding', None), kwargs.pop('errors', 'backslashreplace')
    if force:
        for handler in root.handlers[:]:
            root.removeHandler(handler)
            handler.close()
    if root.handlers:
        return
    handlers = kwargs.pop('handlers', None)
    if handlers is None:
        if 'stream' in kwargs and 'filename' in kwargs:
            raise ValueError("'stream' and 'filename' should not be specified together")
        filename, mode = kwargs.pop('filename', None), kwargs.pop('filemode', 'a')
        stream = kwargs.pop('stream', None)
        handlers = [FileHandler(filename, mode, encoding=encoding, errors=errors) if filename else StreamHandler(stream)]
    elif 'stream' in kwargs or 'filename' in kwargs:
        raise ValueError("'stream' or 'filename' should not be specified together with 'handlers'")
    datefmt, style = kwargs.pop('datefmt', None), kwargs.pop('style', '%')
    if style not in _STYLES:
        raise ValueError(f'Style must be one of: {",".join(_STYLES)}')
    formatter = Formatter(kwargs.pop('format', _STYLES[style][1]), datefmt, style)
    for handler in handlers:
        if handler.formatter is None:
            handler.setFormatter(formatter)
        root.addHandler(handler)
    level = kwargs.pop('level', None)
    if level is not None:
        root.setLevel(level)
    if kwargs:
        raise ValueError(f'Unrecognised argument(s): {", ".join(kwargs)}')


def _with_handler(method):
    def function(msg, *args, **kwargs):
        if not root.handlers:
            basicConfig()
        getattr(root, method)(msg, *args, **kwargs)
    function.__name__ = function.__qualname__ = method
    return function


debug, info, warning, error, critical = map(_with_handler, ('debug', 'info', 'warning', 'error', 'critical'))
exception, log = _with_handler('exception'), _with_handler('log')
fatal = critical


def warn(msg, *args, **kwargs):
    warnings.warn("The 'warn' function is deprecated, use 'warning' instead", DeprecationWarning, 2)
    warning(msg, *args, **kwargs)


def disable(level=CRITICAL):
    root.manager.disable = _checkLevel(level)


def shutdown(handlerList=_handler_list):
    for handler in list(handlerList):
        handler.flush()
        handler.close()


_warnings_showwarning = None


def _showwarning(message, category, filename, lineno, file=None, line=None):
    if file is not None:
        _warnings_showwarning(message, category, filename, lineno, file, line)
        return
    getLogger('py.warnings').warning('%s', warnings.formatwarning(message, category, filename, lineno, line))


def captureWarnings(capture):
    global _warnings_showwarning
    if capture and _warnings_showwarning is None:
        _warnings_showwarning, warnings.showwarning = warnings.showwarning, _showwarning
    elif not capture and _warnings_showwarning is not None:
        warnings.showwarning, _warnings_showwarning = _warnings_showwarning, None
