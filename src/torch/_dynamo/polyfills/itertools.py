"""Functions of `itertools` as Python texts. Mirrors torch/_dynamo/polyfills/itertools.py."""

_missing = object()


def accumulate(iterable, func=None, *, initial=None):
    iterator = iter(iterable)
    if initial is not None:
        acc = initial
    else:
        acc = next(iterator, _missing)
        if acc is _missing:
            return
    yield acc
    for item in iterator:
        acc = acc + item if func is None else func(acc, item)
        yield acc


def chain(*iterables):
    for iterable in iterables:
        for item in iterable:
            yield item


def chain_from_iterable(iterable, /):
    for inner in iterable:
        for item in inner:
            yield item


def compress(data, selectors):
    for item, selector in zip(data, selectors):
        if selector:
            yield item


def count(start=0, step=1):
    n = start
    while True:
        yield n
        n = n + step


def cycle(iterable, /):
    saved = list(iterable)
    while saved:
        for item in saved:
            yield item


def dropwhile(predicate, iterable, /):
    dropping = True
    for item in iterable:
        if dropping and predicate(item):
            continue
        dropping = False
        yield item


def filterfalse(function, iterable, /):
    for item in iterable:
        if not (item if function is None else function(item)):
            yield item


def islice(iterable, /, *args):
    wanted = slice(*args)
    start = 0 if wanted.start is None else wanted.start
    step = 1 if wanted.step is None else wanted.step
    stop = wanted.stop
    if start < 0 or step < 1 or (stop is not None and stop < 0):
        raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    iterator = iter(iterable)
    at = 0
    following = start
    while stop is None or at < stop:
        item = next(iterator, _missing)
        if item is _missing:
            return
        if at == following:
            yield item
            following = following + step
        at = at + 1


def pairwise(iterable, /):
    before = _missing
    for item in iterable:
        if before is not _missing:
            yield before, item
        before = item


def repeat(object, times=None):
    if times is None:
        while True:
            yield object
    for _ in range(times):
        yield object


def starmap(function, iterable, /):
    for args in iterable:
        yield function(*args)


def takewhile(predicate, iterable, /):
    for item in iterable:
        if not predicate(item):
            return
        yield item


def tee(iterable, n=2, /):
    saved = list(iterable)
    return tuple(iter(saved) for _ in range(n))


def zip_longest(*iterables, fillvalue=None):
    columns = [list(iterable) for iterable in iterables]
    longest = max([len(column) for column in columns]) if columns else 0
    for i in range(longest):
        yield tuple(column[i] if i < len(column) else fillvalue for column in columns)


def product(*iterables, repeat=1):
    result = [()]
    for pool in [tuple(iterable) for iterable in iterables] * repeat:
        result = [before + (item,) for before in result for item in pool]
    return iter(result)


def _choices(n, r, repeated, ordered):
    made = [()]
    for _ in range(r):
        longer = []
        for chosen in made:
            for i in range(n):
                if ordered:
                    if not repeated and i in chosen:
                        continue
                elif chosen and (i < chosen[-1] or (i == chosen[-1] and not repeated)):
                    continue
                longer.append(chosen + (i,))
        made = longer
    return made


def permutations(iterable, r=None):
    pool = tuple(iterable)
    chosen = _choices(len(pool), len(pool) if r is None else r, False, True)
    return iter([tuple(pool[i] for i in places) for places in chosen])


def combinations(iterable, r):
    pool = tuple(iterable)
    return iter([tuple(pool[i] for i in places) for places in _choices(len(pool), r, False, False)])


def combinations_with_replacement(iterable, r):
    pool = tuple(iterable)
    return iter([tuple(pool[i] for i in places) for places in _choices(len(pool), r, True, False)])


def groupby(iterable, key=None):
    groups = []
    for item in iterable:
        value = item if key is None else key(item)
        if groups and groups[-1][0] == value:
            groups[-1][1].append(item)
        else:
            groups.append((value, [item]))
    for value, items in groups:
        yield value, iter(items)
