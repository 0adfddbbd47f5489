"""The collector of the host cannot be asked or told: `collect` finds nothing, and what it would free is freed later."""

DEBUG_STATS, DEBUG_COLLECTABLE, DEBUG_UNCOLLECTABLE, DEBUG_SAVEALL, DEBUG_LEAK = 1, 2, 4, 32, 38
garbage = []
callbacks = []
_enabled = True
_threshold = (700, 10, 10)


def collect(generation=2):
    if not 0 <= generation <= 2:
        raise ValueError('invalid generation')
    return 0


def enable():
    global _enabled
    _enabled = True


def disable():
    global _enabled
    _enabled = False


def isenabled():
    return _enabled


def get_threshold():
    return _threshold


def set_threshold(*values):
    global _threshold
    _threshold = values + _threshold[len(values):]


def get_count():
    return 0, 0, 0


def is_tracked(obj):
    return not isinstance(obj, (int, float, str, bytes, bool, complex, type(None)))


def freeze():
    pass


def unfreeze():
    pass


def get_objects(generation=None):
    raise NotImplementedError('gc.get_objects is not in this Python')


def get_referrers(*objs):
    raise NotImplementedError('gc.get_referrers is not in this Python')


def get_referents(*objs):
    raise NotImplementedError('gc.get_referents is not in this Python')
