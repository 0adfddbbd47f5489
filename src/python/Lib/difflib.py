"""Differences between texts, line by line. Only what unittest prints with: `ndiff`, and the matcher behind it."""


class SequenceMatcher:
    def __init__(self, isjunk=None, a='', b='', autojunk=True):
        if isjunk is not None and any(map(isjunk, b)):
            self._junk = {x for x in b if isjunk(x)}
        else:
            self._junk = set()
        self.a, self.b = a, b
        self._places = {}
        for j, value in enumerate(b):
            self._places.setdefault(value, []).append(j)
        if autojunk and len(b) >= 200:
            most = len(b) // 100 + 1
            for value in [value for value, places in self._places.items() if len(places) > most]:
                del self._places[value]
        for value in self._junk:
            self._places.pop(value, None)

    def find_longest_match(self, alo=0, ahi=None, blo=0, bhi=None):
        a, b = self.a, self.b
        ahi, bhi = len(a) if ahi is None else ahi, len(b) if bhi is None else bhi
        besti, bestj, size, lengths = alo, blo, 0, {}
        for i in range(alo, ahi):
            now = {}
            for j in self._places.get(a[i], ()):
                if blo <= j < bhi:
                    k = now[j] = lengths.get(j - 1, 0) + 1
                    if k > size:
                        besti, bestj, size = i - k + 1, j - k + 1, k
            lengths = now
        # Values that were left out may still lie beside the match: first all that is no junk, then junk.
        for junk in (False, True):
            while besti > alo and bestj > blo and (b[bestj - 1] in self._junk) == junk and a[besti - 1] == b[bestj - 1]:
                besti, bestj, size = besti - 1, bestj - 1, size + 1
            while besti + size < ahi and bestj + size < bhi and (b[bestj + size] in self._junk) == junk and a[besti + size] == b[bestj + size]:
                size += 1
        return besti, bestj, size

    def get_matching_blocks(self):
        queue, found = [(0, len(self.a), 0, len(self.b))], []
        while queue:
            alo, ahi, blo, bhi = queue.pop()
            i, j, k = self.find_longest_match(alo, ahi, blo, bhi)
            if k:
                found.append((i, j, k))
                if alo < i and blo < j:
                    queue.append((alo, i, blo, j))
                if i + k < ahi and j + k < bhi:
                    queue.append((i + k, ahi, j + k, bhi))
        return [*sorted(found), (len(self.a), len(self.b), 0)]

    def get_opcodes(self):
        i = j = 0
        result = []
        for ai, bj, size in self.get_matching_blocks():
            tag = 'replace' if i < ai and j < bj else 'delete' if i < ai else 'insert' if j < bj else ''
            if tag:
                result.append((tag, i, ai, j, bj))
            i, j = ai + size, bj + size
            if size:
                result.append(('equal', ai, i, bj, j))
        return result

    def ratio(self):
        length = len(self.a) + len(self.b)
        return 2.0 * sum(block[2] for block in self.get_matching_blocks()) / length if length else 1.0


def _blank(c):
    return c in ' \t'


def _kept(line, marks):
    return ''.join(c if mark == ' ' and c.isspace() else mark
                   for c, mark in zip(line, marks)).rstrip()


def _pair(a, b):
    # Two similar lines, and marks below what differs.
    amarks = bmarks = ''
    for tag, i1, i2, j1, j2 in SequenceMatcher(_blank, a, b).get_opcodes():
        mark = {'replace': '^^', 'delete': '- ', 'insert': ' +', 'equal': '  '}[tag]
        amarks += mark[0] * (i2 - i1)
        bmarks += mark[1] * (j2 - j1)
    for sign, line, marks in (('-', a, amarks), ('+', b, bmarks)):
        yield f'{sign} {line}'
        marks = _kept(line, marks)
        if marks:
            yield f'? {marks}\n'


def _plain(a, b):
    return [f'{sign} {line}' for sign, lines in ((('-', a), ('+', b)) if len(b) >= len(a) else (('+', b), ('-', a))) for line in lines]


def _replaced(a, b):
    best, cutoff, equal = 0.74, 0.75, None
    for j, y in enumerate(b):
        for i, x in enumerate(a):
            if x == y:
                equal = equal or (i, j)
                continue
            ratio = SequenceMatcher(_blank, x, y).ratio()
            if ratio > best:
                best, besti, bestj = ratio, i, j
    if best < cutoff:
        if equal is None:
            yield from _plain(a, b)
            return
        besti, bestj = equal
        best = 1.0
    else:
        equal = None
    yield from _around(a[:besti], b[:bestj])
    if equal is None:
        yield from _pair(a[besti], b[bestj])
    else:
        yield f'  {a[besti]}'
    yield from _around(a[besti + 1:], b[bestj + 1:])


def _around(a, b):
    if a and b:
        yield from _replaced(a, b)
    else:
        yield from _plain(a, b) if a or b else ()


def ndiff(a, b, linejunk=None, charjunk=None):
    a, b = list(a), list(b)
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b).get_opcodes():
        if tag == 'replace':
            yield from _replaced(a[i1:i2], b[j1:j2])
        elif tag == 'equal':
            yield from (f'  {line}' for line in a[i1:i2])
        else:
            sign, lines = ('-', a[i1:i2]) if tag == 'delete' else ('+', b[j1:j2])
            yield from (f'{sign} {line}' for line in lines)
