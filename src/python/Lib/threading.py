"""Locks and thread-local data for a program with one thread. A second thread cannot be started."""

__all__ = ['Barrier', 'BoundedSemaphore', 'Condition', 'Event', 'Lock', 'RLock', 'Semaphore', 'Thread', 'Timer', 'active_count',
           'current_thread', 'enumerate', 'get_ident', 'get_native_id', 'local', 'main_thread', 'settrace', 'setprofile', 'stack_size']

TIMEOUT_MAX = 9223372036.0
ThreadError = RuntimeError


def _never(what):
    return RuntimeError(f'{what} would wait forever: there is one thread in this Python')


class _Lock:
    def __init__(self):
        self._locked = False

    def acquire(self, blocking=True, timeout=-1):
        if not blocking and timeout != -1:
            raise ValueError("can't specify a timeout for a non-blocking call")
        if self._locked:
            if blocking and timeout < 0:
                raise _never('acquire()')
            return False
        self._locked = True
        return True

    def release(self):
        if not self._locked:
            raise RuntimeError('release unlocked lock')
        self._locked = False

    def locked(self):
        return self._locked

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *args):
        self.release()

    def __repr__(self):
        return f'<{"locked" if self._locked else "unlocked"} _thread.lock object at {id(self):#x}>'


def Lock():
    return _Lock()


class _RLock:
    def __init__(self):
        self._count = 0

    def acquire(self, blocking=True, timeout=-1):
        self._count += 1
        return True

    def release(self):
        if self._count == 0:
            raise RuntimeError('cannot release un-acquired lock')
        self._count -= 1

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *args):
        self.release()

    def __repr__(self):
        return f'<{"locked" if self._count else "unlocked"} _thread.RLock object owner={get_ident() if self._count else 0} count={self._count} at {id(self):#x}>'


def RLock():
    return _RLock()


class Condition:
    def __init__(self, lock=None):
        self._lock = RLock() if lock is None else lock
        self.acquire, self.release = self._lock.acquire, self._lock.release

    def __enter__(self):
        return self._lock.__enter__()

    def __exit__(self, *args):
        return self._lock.__exit__(*args)

    def wait(self, timeout=None):
        if timeout is None:
            raise _never('wait()')
        return False

    def wait_for(self, predicate, timeout=None):
        result = predicate()
        if not result and timeout is None:
            raise _never('wait_for()')
        return result

    def notify(self, n=1):
        pass

    def notify_all(self):
        pass


class Semaphore:
    def __init__(self, value=1):
        if value < 0:
            raise ValueError('semaphore initial value must be >= 0')
        self._value = value

    def acquire(self, blocking=True, timeout=None):
        if self._value == 0:
            if blocking and timeout is None:
                raise _never('acquire()')
            return False
        self._value -= 1
        return True

    __enter__ = acquire

    def release(self, n=1):
        self._value += n

    def __exit__(self, *args):
        self.release()


class BoundedSemaphore(Semaphore):
    def __init__(self, value=1):
        super().__init__(value)
        self._initial_value = value

    def release(self, n=1):
        if self._value + n > self._initial_value:
            raise ValueError('Semaphore released too many times')
        super().release(n)


class Event:
    def __init__(self):
        self._flag = False

    def is_set(self):
        return self._flag

    isSet = is_set

    def set(self):
        self._flag = True

    def clear(self):
        self._flag = False

    def wait(self, timeout=None):
        if not self._flag and timeout is None:
            raise _never('wait()')
        return self._flag

    def __repr__(self):
        return f'<{type(self).__module__}.{type(self).__qualname__} at {id(self):#x}: {"set" if self._flag else "unset"}>'


class Barrier:
    def __init__(self, parties, action=None, timeout=None):
        self.parties, self._action = parties, action

    def wait(self, timeout=None):
        if self.parties > 1:
            raise _never('wait()')
        if self._action is not None:
            self._action()
        return 0


class local:
    # One thread: its data are ordinary attributes.
    pass


_count = 0


class Thread:
    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        global _count
        _count += 1
        self.name = name or f'Thread-{_count}' + (f' ({target.__name__})' if hasattr(target, '__name__') else '')
        self._target, self._args, self._kwargs = target, args, kwargs or {}
        self.daemon = bool(daemon)
        self.ident = self.native_id = None
        self._started = False

    def start(self):
        raise NotImplementedError('threading.Thread.start is not in this Python')

    def run(self):
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    def join(self, timeout=None):
        if not self._started:
            raise RuntimeError('cannot join thread before it is started')
        raise RuntimeError('cannot join current thread')

    def is_alive(self):
        return self._started

    def getName(self):
        return self.name

    def __repr__(self):
        status = f'started {self.ident}' if self._started else 'initial'
        return f'<{type(self).__name__}({self.name}, {status})>'


class _MainThread(Thread):
    def __init__(self):
        super().__init__(name='MainThread')
        self._started = True
        self.ident = self.native_id = 1


_main = _MainThread()
_count = 0


class Timer(Thread):
    def __init__(self, interval, function, args=None, kwargs=None):
        super().__init__(target=function, args=args or (), kwargs=kwargs)
        self.interval = interval

    def cancel(self):
        pass


def current_thread():
    return _main


currentThread = main_thread = current_thread


def get_ident():
    return _main.ident


get_native_id = get_ident


def active_count():
    return 1


activeCount = active_count


def enumerate():
    return [_main]


def stack_size(size=0):
    return 0


def settrace(func):
    raise NotImplementedError('threading.settrace is not in this Python')


def setprofile(func):
    raise NotImplementedError('threading.setprofile is not in this Python')
