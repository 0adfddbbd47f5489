"""Heaps: a list whose element k is not larger than its elements 2k + 1 and 2k + 2."""

__all__ = ['heappush', 'heappop', 'heapify', 'heapreplace', 'merge', 'nlargest', 'nsmallest', 'heappushpop']


def _down(heap, start, pos, less):
    # Moves an element towards the root until its parent is not larger.
    item = heap[pos]
    while pos > start:
        parent = (pos - 1) >> 1
        if not less(item, heap[parent]):
            break
        heap[pos] = heap[parent]
        pos = parent
    heap[pos] = item


def _up(heap, pos, less):
    # Moves the smaller children up to the leaves, then the element down to its place.
    end, start, item = len(heap), pos, heap[pos]
    child = 2 * pos + 1
    while child < end:
        right = child + 1
        if right < end and not less(heap[child], heap[right]):
            child = right
        heap[pos] = heap[child]
        pos = child
        child = 2 * pos + 1
    heap[pos] = item
    _down(heap, start, pos, less)


def _less(a, b):
    return a < b


def _more(a, b):
    return b < a


def heappush(heap, item):
    heap.append(item)
    _down(heap, 0, len(heap) - 1, _less)


def heappop(heap, _order=_less):
    last = heap.pop()
    if not heap:
        return last
    result, heap[0] = heap[0], last
    _up(heap, 0, _order)
    return result


def heapreplace(heap, item):
    result, heap[0] = heap[0], item
    _up(heap, 0, _less)
    return result


def heappushpop(heap, item):
    if heap and heap[0] < item:
        item, heap[0] = heap[0], item
        _up(heap, 0, _less)
    return item


def heapify(x, _order=_less):
    for i in reversed(range(len(x) // 2)):
        _up(x, i, _order)


def merge(*iterables, key=None, reverse=False):
    heap = []
    less = _more if reverse else _less

    def before(a, b):
        if less(a[0], b[0]):
            return True
        return not less(b[0], a[0]) and a[1] < b[1]

    for i, it in enumerate(map(iter, iterables)):
        for value in it:
            heap.append([value if key is None else key(value), i, value, it])
            break
    heapify(heap, before)
    while heap:
        entry = heap[0]
        yield entry[2]
        for value in entry[3]:
            entry[0], entry[2] = value if key is None else key(value), value
            _up(heap, 0, before)
            break
        else:
            heappop(heap, before)


def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[:max(n, 0)]


def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[:max(n, 0)]
