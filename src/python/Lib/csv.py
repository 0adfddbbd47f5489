"""Tables as text: fields between commas, quoted where they must be."""

__all__ = ['QUOTE_MINIMAL', 'QUOTE_ALL', 'QUOTE_NONNUMERIC', 'QUOTE_NONE', 'Error', 'Dialect', 'excel', 'excel_tab', 'unix_dialect',
           'reader', 'writer', 'register_dialect', 'get_dialect', 'list_dialects', 'unregister_dialect', 'field_size_limit', 'DictReader',
           'DictWriter']

QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE = range(4)


class Error(Exception):
    pass


class Dialect:
    delimiter = ','
    quotechar = '"'
    escapechar = None
    doublequote = True
    skipinitialspace = False
    lineterminator = '\r\n'
    quoting = QUOTE_MINIMAL
    strict = False


class excel(Dialect):
    pass


class excel_tab(excel):
    delimiter = '\t'


class unix_dialect(Dialect):
    lineterminator = '\n'
    quoting = QUOTE_ALL


_dialects = {'excel': excel, 'excel-tab': excel_tab, 'unix': unix_dialect}
_OPTIONS = [name for name in vars(Dialect) if not name.startswith('_')]


def register_dialect(name, dialect=excel, **fmtparams):
    if not isinstance(name, str):
        raise TypeError('dialect name must be a string')
    _dialects[name] = _dialect(dialect, fmtparams)


def unregister_dialect(name):
    if _dialects.pop(name, None) is None:
        raise Error('unknown dialect')


def get_dialect(name):
    try:
        return _dialects[name]
    except KeyError:
        raise Error('unknown dialect') from None


def list_dialects():
    return list(_dialects)


_limit = 131072


def field_size_limit(limit=None):
    global _limit
    before = _limit
    if limit is not None:
        _limit = limit
    return before


def _dialect(dialect, options):
    result = Dialect()
    base = get_dialect(dialect) if isinstance(dialect, str) else dialect
    for name in _OPTIONS:
        setattr(result, name, options.pop(name) if name in options else getattr(base, name))
    if options:
        raise TypeError(f"{next(iter(options))!r} is an invalid keyword argument for this function")
    if not isinstance(result.delimiter, str):
        raise TypeError(f'"delimiter" must be string, not {type(result.delimiter).__name__}')
    if len(result.delimiter) != 1:
        raise TypeError('"delimiter" must be a 1-character string')
    if result.quoting != QUOTE_NONE and not result.quotechar:
        raise TypeError('quotechar must be set if quoting enabled')
    return result


class _reader:
    def __init__(self, iterable, dialect):
        self._lines = iter(iterable)
        self.dialect = dialect
        self.line_num = 0

    def __iter__(self):
        return self

    def __next__(self):
        # States: at the begin of a field, in it, in quotes, behind a quote.
        d = self.dialect
        row, field, state, number = [], [], 'begin', False

        def save():
            nonlocal field, number
            text = ''.join(field)
            row.append(float(text) if number else text)
            field, number = [], False
        while True:
            try:
                line = next(self._lines)
            except StopIteration:
                if state in ('quoted', 'escaped in quotes'):
                    if d.strict:
                        raise Error('unexpected end of data') from None
                    save()
                    return row
                raise
            if not isinstance(line, str):
                raise Error(f'iterator should return strings, not {type(line).__name__} (the file should be opened in text mode)')
            self.line_num += 1
            started = state != 'begin' or bool(row)
            for c in line:
                if state in ('quoted', 'escaped in quotes'):
                    if state == 'escaped in quotes':
                        field.append(c)
                        state = 'quoted'
                    elif c == d.escapechar:
                        state = 'escaped in quotes'
                    elif c == d.quotechar and d.quoting != QUOTE_NONE:
                        state = 'quote' if d.doublequote else 'field'
                    else:
                        field.append(c)
                    continue
                if state == 'escaped':
                    field.append(c)
                    state = 'field'
                    continue
                if c in '\r\n':
                    if state == 'end':
                        continue
                    if state != 'begin' or started or row:
                        save()
                    state = 'end'
                    continue
                if state == 'end':
                    raise Error('new-line character seen in unquoted field - do you need to open the file in universal-newline mode?')
                started = True
                if state == 'begin':
                    if c == d.quotechar and d.quoting != QUOTE_NONE:
                        state = 'quoted'
                        continue
                    if c == ' ' and d.skipinitialspace:
                        continue
                    if d.quoting == QUOTE_NONNUMERIC and c != d.delimiter:
                        number = True
                elif state == 'quote':
                    if c == d.quotechar:
                        field.append(c)
                        state = 'quoted'
                        continue
                    if c != d.delimiter:
                        if d.strict:
                            raise Error(f"'{d.delimiter}' expected after '{d.quotechar}'")
                        field.append(c)
                        state = 'field'
                        continue
                if c == d.escapechar:
                    state = 'escaped'
                elif c == d.delimiter:
                    save()
                    state = 'begin'
                else:
                    field.append(c)
                    state = 'field'
            if state in ('quoted', 'escaped in quotes'):
                continue
            if state == 'escaped':
                field.append('\n')
                state = 'field'
                continue
            if state != 'end' and (started or row):
                save()
            return row


def reader(csvfile, dialect='excel', **fmtparams):
    return _reader(csvfile, _dialect(dialect, fmtparams))


class _writer:
    def __init__(self, file, dialect):
        self._write = file.write
        self.dialect = dialect

    def _field(self, value, alone):
        d = self.dialect
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        text = '' if value is None else repr(value) if isinstance(value, float) else str(value)
        special = {d.delimiter, d.escapechar, d.quotechar, '\r', '\n', *d.lineterminator} - {None}
        quoted = d.quoting == QUOTE_ALL or d.quoting == QUOTE_NONNUMERIC and not number
        if d.quoting == QUOTE_MINIMAL:
            quoted = any(c in special and c != d.escapechar for c in text) and (
                d.doublequote or any(c in special and c not in (d.quotechar, d.escapechar) for c in text))
            quoted = quoted or text == '' and alone
        if d.quoting == QUOTE_NONE and text == '' and alone:
            raise Error('single empty field record must be quoted')
        out = []
        for c in text:
            if c == d.quotechar and quoted and d.doublequote:
                out.append(c)
            elif c == d.escapechar or (c == d.quotechar and (quoted or d.quoting == QUOTE_NONE or not d.doublequote)) or (
                    c in special and not quoted):
                if not d.escapechar:
                    raise Error('need to escape, but no escapechar set')
                out.append(d.escapechar)
            out.append(c)
        text = ''.join(out)
        return f'{d.quotechar}{text}{d.quotechar}' if quoted else text

    def writerow(self, row):
        try:
            row = list(row)
        except TypeError:
            raise Error(f'iterable expected, not {type(row).__name__}') from None
        fields = [self._field(value, len(row) == 1) for value in row]
        return self._write(self.dialect.delimiter.join(fields) + self.dialect.lineterminator)

    def writerows(self, rows):
        for row in rows:
            self.writerow(row)


def writer(csvfile, dialect='excel', **fmtparams):
    if not hasattr(csvfile, 'write'):
        raise TypeError('argument 1 must have a "write" method')
    return _writer(csvfile, _dialect(dialect, fmtparams))


class DictReader:
    def __init__(self, f, fieldnames=None, restkey=None, restval=None, dialect='excel', *args, **kwds):
        self._fieldnames = None if fieldnames is None else list(fieldnames)
        self.restkey, self.restval = restkey, restval
        self.reader = reader(f, dialect, *args, **kwds)
        self.dialect = dialect
        self.line_num = 0

    def __iter__(self):
        return self

    @property
    def fieldnames(self):
        if self._fieldnames is None:
            self._fieldnames = next(self.reader, None)
        self.line_num = self.reader.line_num
        return self._fieldnames

    @fieldnames.setter
    def fieldnames(self, value):
        self._fieldnames = value

    def __next__(self):
        if self.line_num == 0:
            self.fieldnames
        row = next(self.reader)
        self.line_num = self.reader.line_num
        while row == []:
            row = next(self.reader)
        names = self.fieldnames
        result = dict(zip(names, row))
        if len(row) > len(names):
            result[self.restkey] = row[len(names):]
        for name in names[len(row):]:
            result[name] = self.restval
        return result


class DictWriter:
    def __init__(self, f, fieldnames, restval='', extrasaction='raise', dialect='excel', *args, **kwds):
        self.fieldnames, self.restval = fieldnames, restval
        if extrasaction.lower() not in ('raise', 'ignore'):
            raise ValueError(f"extrasaction ({extrasaction}) must be 'raise' or 'ignore'")
        self.extrasaction = extrasaction
        self.writer = writer(f, dialect, *args, **kwds)

    def writeheader(self):
        return self.writerow(dict(zip(self.fieldnames, self.fieldnames)))

    def _row(self, rowdict):
        if self.extrasaction == 'raise':
            wrong = rowdict.keys() - self.fieldnames
            if wrong:
                raise ValueError(f'dict contains fields not in fieldnames: {", ".join(map(repr, wrong))}')
        return (rowdict.get(key, self.restval) for key in self.fieldnames)

    def writerow(self, rowdict):
        return self.writer.writerow(self._row(rowdict))

    def writerows(self, rowdicts):
        return self.writer.writerows(map(self._row, rowdicts))
