"""Dates and times of the Gregorian calendar."""

import math
import re
import time as _time

__all__ = ['date', 'datetime', 'time', 'timedelta', 'timezone', 'tzinfo', 'MINYEAR', 'MAXYEAR', 'UTC']

MINYEAR, MAXYEAR = 1, 9999
_DAYS_BEFORE = [0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
_MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split()
_WEEKDAYS = 'Mon Tue Wed Thu Fri Sat Sun'.split()
_LONG_MONTHS = ('January February March April May June July August September October November December').split()
_LONG_WEEKDAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split()


def _is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_in(year, month):
    if month == 2:
        return 28 + _is_leap(year)
    return 30 if month in (4, 6, 9, 11) else 31


def _before_month(year, month):
    return _DAYS_BEFORE[month] + (month > 2 and _is_leap(year))


def _to_ordinal(year, month, day):
    y = year - 1
    return y * 365 + y // 4 - y // 100 + y // 400 + _before_month(year, month) + day


def _from_ordinal(n):
    # Cycles of 400, 100, 4 and 1 years, then the month.
    n -= 1
    n400, n = divmod(n, 146097)
    n100, n = divmod(n, 36524)
    n4, n = divmod(n, 1461)
    n1, n = divmod(n, 365)
    year = n400 * 400 + n100 * 100 + n4 * 4 + n1 + 1
    if n1 == 4 or n100 == 4:
        return year - 1, 12, 31
    month = 1
    while month < 12 and _before_month(year, month + 1) <= n:
        month += 1
    return year, month, n - _before_month(year, month) + 1


def _check_date(year, month, day):
    if not MINYEAR <= year <= MAXYEAR:
        raise ValueError(f'year {year} is out of range')
    if not 1 <= month <= 12:
        raise ValueError('month must be in 1..12')
    if not 1 <= day <= _days_in(year, month):
        raise ValueError('day is out of range for month')


def _check_time(hour, minute, second, microsecond, fold):
    if not 0 <= hour <= 23:
        raise ValueError('hour must be in 0..23')
    if not 0 <= minute <= 59:
        raise ValueError('minute must be in 0..59')
    if not 0 <= second <= 59:
        raise ValueError('second must be in 0..59')
    if not 0 <= microsecond <= 999999:
        raise ValueError('microsecond must be in 0..999999')
    if fold not in (0, 1):
        raise ValueError('fold must be either 0 or 1')


def _offset_text(offset, sep=':'):
    if offset is None:
        return ''
    sign, offset = ('-', -offset) if offset.days < 0 else ('+', offset)
    minutes, seconds = divmod(offset.seconds, 60)
    text = f'{sign}{minutes // 60:02d}{sep}{minutes % 60:02d}'
    if seconds or offset.microseconds:
        text += f'{sep}{seconds:02d}'
        if offset.microseconds:
            text += f'.{offset.microseconds:06d}'
    return text


def _time_text(hour, minute, second, microsecond, timespec):
    forms = {'hours': f'{hour:02d}', 'minutes': f'{hour:02d}:{minute:02d}', 'seconds': f'{hour:02d}:{minute:02d}:{second:02d}',
             'milliseconds': f'{hour:02d}:{minute:02d}:{second:02d}.{microsecond // 1000:03d}',
             'microseconds': f'{hour:02d}:{minute:02d}:{second:02d}.{microsecond:06d}'}
    if timespec == 'auto':
        timespec = 'microseconds' if microsecond else 'seconds'
    if timespec not in forms:
        raise ValueError('Unknown timespec value')
    return forms[timespec]


def _strftime(self, format, timetuple):
    def own(match):
        letter = match[1]
        if letter == 'f':
            return f'{getattr(self, "microsecond", 0):06d}'
        if letter == 'z':
            return _offset_text(self.utcoffset(), '') if hasattr(self, 'utcoffset') else ''
        if letter == 'Z':
            return (self.tzname() or '').replace('%', '%%') if hasattr(self, 'tzname') else ''
        return match[0]
    return _time.strftime(re.sub('%(.)', own, format, flags=re.S), timetuple)


class timedelta:
    def __new__(cls, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        # Everything becomes whole microseconds; of floats, the sum of their parts is rounded once.
        total, rest = 0, 0.0
        for name, value, unit in (('days', days, 86400000000), ('seconds', seconds, 1000000), ('microseconds', microseconds, 1),
                                  ('milliseconds', milliseconds, 1000), ('minutes', minutes, 60000000), ('hours', hours, 3600000000),
                                  ('weeks', weeks, 604800000000)):
            if isinstance(value, float):
                whole = int(value)
                total += whole * unit
                fraction = (value - whole) * unit
                total += int(fraction)
                rest += fraction - int(fraction)
            elif isinstance(value, int):
                total += value * unit
            else:
                raise TypeError(f'unsupported type for timedelta {name} component: {type(value).__name__}')
        return cls._of(total + round(rest))

    @classmethod
    def _of(cls, total):
        self = object.__new__(cls)
        seconds, self._microseconds = divmod(total, 1000000)
        self._days, self._seconds = divmod(seconds, 86400)
        if abs(self._days) > 999999999:
            raise OverflowError(f'days={self._days}; must have magnitude <= 999999999')
        return self

    days = property(lambda self: self._days)
    seconds = property(lambda self: self._seconds)
    microseconds = property(lambda self: self._microseconds)

    def _total(self):
        return (self._days * 86400 + self._seconds) * 1000000 + self._microseconds

    def total_seconds(self):
        return self._total() / 10 ** 6

    def __repr__(self):
        parts = [f'{name}={getattr(self, name)}' for name in ('days', 'seconds', 'microseconds') if getattr(self, name)]
        return f'{type(self).__module__}.{type(self).__qualname__}({", ".join(parts) or 0})'

    def __str__(self):
        minutes, seconds = divmod(self._seconds, 60)
        text = f'{minutes // 60}:{minutes % 60:02d}:{seconds:02d}'
        if self._days:
            text = f'{self._days} day{"" if abs(self._days) == 1 else "s"}, {text}'
        return text + (f'.{self._microseconds:06d}' if self._microseconds else '')

    def __add__(self, other):
        return timedelta._of(self._total() + other._total()) if isinstance(other, timedelta) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other):
        return timedelta._of(self._total() - other._total()) if isinstance(other, timedelta) else NotImplemented

    def __rsub__(self, other):
        return timedelta._of(other._total() - self._total()) if isinstance(other, timedelta) else NotImplemented

    def __neg__(self):
        return timedelta._of(-self._total())

    def __pos__(self):
        return self

    def __abs__(self):
        return -self if self._days < 0 else self

    def __mul__(self, other):
        if isinstance(other, int):
            return timedelta._of(self._total() * other)
        if isinstance(other, float):
            a, b = other.as_integer_ratio()
            return timedelta._of(_divided(self._total() * a, b))
        return NotImplemented

    __rmul__ = __mul__

    def __floordiv__(self, other):
        if isinstance(other, timedelta):
            return self._total() // other._total()
        return timedelta._of(self._total() // other) if isinstance(other, int) else NotImplemented

    def __truediv__(self, other):
        if isinstance(other, timedelta):
            return self._total() / other._total()
        if isinstance(other, int):
            return timedelta._of(_divided(self._total(), other))
        if isinstance(other, float):
            a, b = other.as_integer_ratio()
            return timedelta._of(_divided(b * self._total(), a))
        return NotImplemented

    def __mod__(self, other):
        return timedelta._of(self._total() % other._total()) if isinstance(other, timedelta) else NotImplemented

    def __divmod__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        quotient, rest = divmod(self._total(), other._total())
        return quotient, timedelta._of(rest)

    def _compared(self, other, compare):
        return compare(self._total(), other._total()) if isinstance(other, timedelta) else NotImplemented

    def __eq__(self, other):
        return self._compared(other, lambda a, b: a == b)

    def __lt__(self, other):
        return self._compared(other, lambda a, b: a < b)

    def __le__(self, other):
        return self._compared(other, lambda a, b: a <= b)

    def __gt__(self, other):
        return self._compared(other, lambda a, b: a > b)

    def __ge__(self, other):
        return self._compared(other, lambda a, b: a >= b)

    def __hash__(self):
        return hash((self._days, self._seconds, self._microseconds))

    def __bool__(self):
        return self._total() != 0

    def __reduce__(self):
        return type(self), (self._days, self._seconds, self._microseconds)


def _divided(a, b):
    # a / b, a half to the even side.
    quotient, rest = divmod(a, b)
    rest *= 2
    more = rest > b if b > 0 else rest < b
    return quotient + 1 if more or rest == b and quotient % 2 == 1 else quotient


timedelta.min = timedelta(-999999999)
timedelta.max = timedelta(days=999999999, hours=23, minutes=59, seconds=59, microseconds=999999)
timedelta.resolution = timedelta(microseconds=1)


class tzinfo:
    def tzname(self, dt):
        raise NotImplementedError('a tzinfo subclass must implement tzname()')

    def utcoffset(self, dt):
        raise NotImplementedError('a tzinfo subclass must implement utcoffset()')

    def dst(self, dt):
        raise NotImplementedError('a tzinfo subclass must implement dst()')

    def fromutc(self, dt):
        if dt.tzinfo is not self:
            raise ValueError('fromutc: dt.tzinfo is not self')
        offset, dst = dt.utcoffset(), dt.dst()
        if offset is None:
            raise ValueError('fromutc: non-None utcoffset() result required')
        if dst is None:
            raise ValueError('fromutc: non-None dst() result required')
        standard = offset - dst
        if standard:
            dt += standard
            dst = dt.dst()
        return dt + dst


_tzinfo = tzinfo


def _check_zone(zone):
    if zone is not None and not isinstance(zone, _tzinfo):
        raise TypeError(f'tzinfo argument must be None or of a tzinfo subclass, not type {type(zone).__name__!r}')


class timezone(tzinfo):
    def __new__(cls, offset, name=None):
        if not isinstance(offset, timedelta):
            raise TypeError(f'timezone() argument 1 must be datetime.timedelta, not {type(offset).__name__}')
        if not timedelta(-1) < offset < timedelta(1):
            raise ValueError('offset must be a timedelta strictly between -timedelta(hours=24) and timedelta(hours=24), '
                             f'not {offset!r}.')
        self = super().__new__(cls)
        self._offset, self._name = offset, name
        return self

    def utcoffset(self, dt):
        return self._offset

    def tzname(self, dt):
        if self._name is not None:
            return self._name
        return 'UTC' + _offset_text(self._offset) if self._offset else 'UTC'

    def dst(self, dt):
        return None

    def fromutc(self, dt):
        return dt + self._offset

    def __eq__(self, other):
        return self._offset == other._offset if isinstance(other, timezone) else NotImplemented

    def __hash__(self):
        return hash(self._offset)

    def __str__(self):
        return self.tzname(None)

    def __repr__(self):
        if self is timezone.utc:
            return 'datetime.timezone.utc'
        more = '' if self._name is None else f', {self._name!r}'
        return f'{type(self).__module__}.{type(self).__qualname__}({self._offset!r}{more})'

    def __reduce__(self):
        return type(self), (self._offset,) if self._name is None else (self._offset, self._name)


UTC = timezone.utc = timezone(timedelta(0))
timezone.min, timezone.max = timezone(-timedelta(hours=23, minutes=59)), timezone(timedelta(hours=23, minutes=59))


class IsoCalendarDate(tuple):
    year = property(lambda self: self[0])
    week = property(lambda self: self[1])
    weekday = property(lambda self: self[2])

    def __repr__(self):
        return f'datetime.IsoCalendarDate(year={self[0]}, week={self[1]}, weekday={self[2]})'


class date:
    def __new__(cls, year, month, day):
        _check_date(year, month, day)
        self = object.__new__(cls)
        self._year, self._month, self._day = year, month, day
        return self

    year = property(lambda self: self._year)
    month = property(lambda self: self._month)
    day = property(lambda self: self._day)

    @classmethod
    def fromtimestamp(cls, t):
        return cls(*_time.localtime(t)[:3])

    @classmethod
    def today(cls):
        return cls.fromtimestamp(_time.time())

    @classmethod
    def fromordinal(cls, n):
        return cls(*_from_ordinal(n))

    @classmethod
    def fromisoformat(cls, date_string):
        if not isinstance(date_string, str):
            raise TypeError('fromisoformat: argument must be str')
        try:
            return cls(*_iso_date(date_string))
        except (ValueError, AttributeError):
            raise ValueError(f'Invalid isoformat string: {date_string!r}') from None

    @classmethod
    def fromisocalendar(cls, year, week, day):
        if not MINYEAR <= year <= MAXYEAR:
            raise ValueError(f'Year is out of range: {year}')
        if not 0 < week < 54 or week == 53 and date(year, 12, 28).isocalendar()[1] != 53:
            raise ValueError(f'Invalid week: {week}')
        if not 0 < day < 8:
            raise ValueError(f'Invalid weekday: {day} (range is [1, 7])')
        return cls.fromordinal(_first_week(year) + (week - 1) * 7 + day - 1)

    def __repr__(self):
        return f'{type(self).__module__}.{type(self).__qualname__}({self._year}, {self._month}, {self._day})'

    def isoformat(self):
        return f'{self._year:04d}-{self._month:02d}-{self._day:02d}'

    def __str__(self):
        return self.isoformat()

    def ctime(self):
        return f'{_WEEKDAYS[self.weekday()]} {_MONTHS[self._month - 1]} {self._day:2d} 00:00:00 {self._year:04d}'

    def strftime(self, format):
        return _strftime(self, format, self.timetuple())

    def __format__(self, fmt):
        return self.strftime(fmt) if fmt else str(self)

    def timetuple(self):
        return _time.struct_time((self._year, self._month, self._day, 0, 0, 0, self.weekday(),
                                  _before_month(self._year, self._month) + self._day, -1))

    def toordinal(self):
        return _to_ordinal(self._year, self._month, self._day)

    def weekday(self):
        return (self.toordinal() + 6) % 7

    def isoweekday(self):
        return self.toordinal() % 7 or 7

    def isocalendar(self):
        year, today = self._year, _to_ordinal(self._year, self._month, self._day)
        if today < _first_week(year):
            year -= 1
        elif year < MAXYEAR and today >= _first_week(year + 1):
            year += 1
        week, day = divmod(today - _first_week(year), 7)
        return IsoCalendarDate((year, week + 1, day + 1))

    def replace(self, year=None, month=None, day=None):
        return type(self)(self._year if year is None else year, self._month if month is None else month,
                          self._day if day is None else day)

    def _key(self):
        return self._year, self._month, self._day

    def _compared(self, other, compare):
        if isinstance(other, date) and not isinstance(other, datetime):
            return compare(self._key(), other._key())
        return NotImplemented

    def __eq__(self, other):
        return self._compared(other, lambda a, b: a == b)

    def __lt__(self, other):
        return self._compared(other, lambda a, b: a < b)

    def __le__(self, other):
        return self._compared(other, lambda a, b: a <= b)

    def __gt__(self, other):
        return self._compared(other, lambda a, b: a > b)

    def __ge__(self, other):
        return self._compared(other, lambda a, b: a >= b)

    def __hash__(self):
        return hash(self._key())

    def __add__(self, other):
        if isinstance(other, timedelta):
            n = self.toordinal() + other.days
            if not 0 < n <= 3652059:
                raise OverflowError('date value out of range')
            return type(self).fromordinal(n)
        return NotImplemented

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self + timedelta(-other.days)
        if isinstance(other, date):
            return timedelta(self.toordinal() - other.toordinal())
        return NotImplemented

    def __reduce__(self):
        return type(self), self._key()


def _first_week(year):
    # The Monday of the week that holds the year's first Thursday.
    first = _to_ordinal(year, 1, 1)
    weekday = (first + 6) % 7
    return first - weekday + (7 if weekday > 3 else 0)


def _iso_date(text):
    found = re.fullmatch(r'(\d{4})-?W(\d\d)(?:-?(\d))?', text)
    if found:
        day = date.fromisocalendar(int(found[1]), int(found[2]), int(found[3] or 1))
        return day.year, day.month, day.day
    found = re.fullmatch(r'(\d{4})-(\d\d)-(\d\d)|(\d{4})(\d\d)(\d\d)', text)
    return tuple(int(it) for it in found.groups() if it is not None)


def _iso_time(text):
    found = re.fullmatch(r'T?(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?)?(Z|[+-]\d\d(?::?\d\d(?::?\d\d(?:\.\d+)?)?)?)?', text)
    hour, minute, second, fraction, zone = found.groups()
    tz = None
    if zone == 'Z':
        tz = timezone.utc
    elif zone:
        digits = zone[1:].replace(':', '')
        seconds, _, micros = digits[4:].partition('.')
        offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:4] or 0), seconds=int(seconds or 0),
                           microseconds=int((micros + '000000')[:6]))
        offset = -offset if zone[0] == '-' else offset
        tz = timezone(offset) if offset else timezone.utc
    return int(hour), int(minute or 0), int(second or 0), int(((fraction or '') + '000000')[:6]), tz


date.min, date.max, date.resolution = date(1, 1, 1), date(9999, 12, 31), timedelta(days=1)


class time:
    def __new__(cls, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        _check_time(hour, minute, second, microsecond, fold)
        _check_zone(tzinfo)
        self = object.__new__(cls)
        self._hour, self._minute, self._second, self._microsecond = hour, minute, second, microsecond
        self._tzinfo, self._fold = tzinfo, fold
        return self

    hour = property(lambda self: self._hour)
    minute = property(lambda self: self._minute)
    second = property(lambda self: self._second)
    microsecond = property(lambda self: self._microsecond)
    tzinfo = property(lambda self: self._tzinfo)
    fold = property(lambda self: self._fold)

    @classmethod
    def fromisoformat(cls, time_string):
        if not isinstance(time_string, str):
            raise TypeError('fromisoformat: argument must be str')
        try:
            return cls(*_iso_time(time_string))
        except (ValueError, AttributeError):
            raise ValueError(f'Invalid isoformat string: {time_string!r}') from None

    def utcoffset(self):
        return None if self._tzinfo is None else self._tzinfo.utcoffset(None)

    def tzname(self):
        return None if self._tzinfo is None else self._tzinfo.tzname(None)

    def dst(self):
        return None if self._tzinfo is None else self._tzinfo.dst(None)

    def isoformat(self, timespec='auto'):
        return _time_text(self._hour, self._minute, self._second, self._microsecond, timespec) + _offset_text(self.utcoffset())

    def __str__(self):
        return self.isoformat()

    def strftime(self, format):
        return _strftime(self, format, _time.struct_time((1900, 1, 1, self._hour, self._minute, self._second, 0, 1, -1)))

    def __format__(self, fmt):
        return self.strftime(fmt) if fmt else str(self)

    def __repr__(self):
        parts = [str(self._hour), str(self._minute)]
        if self._second or self._microsecond:
            parts.append(str(self._second))
        if self._microsecond:
            parts.append(str(self._microsecond))
        if self._tzinfo is not None:
            parts.append(f'tzinfo={self._tzinfo!r}')
        if self._fold:
            parts.append(f'fold={self._fold}')
        return f'{type(self).__module__}.{type(self).__qualname__}({", ".join(parts)})'

    def replace(self, hour=None, minute=None, second=None, microsecond=None, tzinfo=True, *, fold=None):
        return type(self)(self._hour if hour is None else hour, self._minute if minute is None else minute,
                          self._second if second is None else second, self._microsecond if microsecond is None else microsecond,
                          self._tzinfo if tzinfo is True else tzinfo, fold=self._fold if fold is None else fold)

    def _key(self):
        offset = self.utcoffset() or timedelta()
        return (self._hour * 60 + self._minute) * 60 + self._second - offset.total_seconds(), self._microsecond

    def _compared(self, other, compare, is_order=True):
        if not isinstance(other, time):
            return NotImplemented
        if (self.utcoffset() is None) != (other.utcoffset() is None):
            if is_order:
                raise TypeError("can't compare offset-naive and offset-aware times")
            return False
        return compare(self._key(), other._key())

    def __eq__(self, other):
        return self._compared(other, lambda a, b: a == b, False)

    def __lt__(self, other):
        return self._compared(other, lambda a, b: a < b)

    def __le__(self, other):
        return self._compared(other, lambda a, b: a <= b)

    def __gt__(self, other):
        return self._compared(other, lambda a, b: a > b)

    def __ge__(self, other):
        return self._compared(other, lambda a, b: a >= b)

    def __hash__(self):
        return hash(self._key())

    def __reduce__(self):
        return type(self), (self._hour, self._minute, self._second, self._microsecond, self._tzinfo)


time.min, time.max, time.resolution = time(0, 0), time(23, 59, 59, 999999), timedelta(microseconds=1)

class datetime(date):
    def __new__(cls, year, month, day, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        _check_date(year, month, day)
        _check_time(hour, minute, second, microsecond, fold)
        _check_zone(tzinfo)
        self = object.__new__(cls)
        self._year, self._month, self._day = year, month, day
        self._hour, self._minute, self._second, self._microsecond = hour, minute, second, microsecond
        self._tzinfo, self._fold = tzinfo, fold
        return self

    hour = property(lambda self: self._hour)
    minute = property(lambda self: self._minute)
    second = property(lambda self: self._second)
    microsecond = property(lambda self: self._microsecond)
    tzinfo = property(lambda self: self._tzinfo)
    fold = property(lambda self: self._fold)

    @classmethod
    def _from_timestamp(cls, t, utc, tz):
        seconds = math.floor(t)
        micros = round((t - seconds) * 1e6)
        if micros >= 1000000:
            seconds, micros = seconds + 1, micros - 1000000
        parts = (_time.gmtime if utc else _time.localtime)(seconds)
        return cls(*parts[:5], min(parts[5], 59), micros, tz)

    @classmethod
    def fromtimestamp(cls, timestamp, tz=None):
        _check_zone(tz)
        result = cls._from_timestamp(timestamp, tz is not None, tz)
        return result if tz is None else tz.fromutc(result)

    @classmethod
    def utcfromtimestamp(cls, t):
        return cls._from_timestamp(t, True, None)

    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(_time.time(), tz)

    @classmethod
    def utcnow(cls):
        return cls.utcfromtimestamp(_time.time())

    @classmethod
    def combine(cls, date, time, tzinfo=True):
        return cls(date.year, date.month, date.day, time.hour, time.minute, time.second, time.microsecond,
                   time.tzinfo if tzinfo is True else tzinfo, fold=time.fold)

    @classmethod
    def fromisoformat(cls, date_string):
        if not isinstance(date_string, str):
            raise TypeError('fromisoformat: argument must be str')
        try:
            for at in (10, 8, 7):
                try:
                    day = _iso_date(date_string[:at])
                except (ValueError, AttributeError):
                    continue
                rest = date_string[at + 1:]
                return cls(*day, *(_iso_time(rest) if rest or len(date_string) > at else ()))
            raise ValueError
        except (ValueError, AttributeError):
            raise ValueError(f'Invalid isoformat string: {date_string!r}') from None

    @classmethod
    def strptime(cls, date_string, format):
        return _strptime(cls, date_string, format)

    def timetuple(self):
        dst = self.dst()
        return _time.struct_time((self._year, self._month, self._day, self._hour, self._minute, self._second, self.weekday(),
                                  _before_month(self._year, self._month) + self._day, -1 if dst is None else int(bool(dst))))

    def utctimetuple(self):
        offset = self.utcoffset()
        return (self - offset if offset else self).replace(tzinfo=timezone.utc).timetuple()

    def timestamp(self):
        if self._tzinfo is None:
            return _time.mktime(self.timetuple()) + self._microsecond / 1e6
        return (self - datetime(1970, 1, 1, tzinfo=timezone.utc)).total_seconds()

    def date(self):
        return date(self._year, self._month, self._day)

    def time(self):
        return time(self._hour, self._minute, self._second, self._microsecond, fold=self._fold)

    def timetz(self):
        return time(self._hour, self._minute, self._second, self._microsecond, self._tzinfo, fold=self._fold)

    def replace(self, year=None, month=None, day=None, hour=None, minute=None, second=None, microsecond=None, tzinfo=True, *, fold=None):
        values = zip((year, month, day, hour, minute, second, microsecond),
                     (self._year, self._month, self._day, self._hour, self._minute, self._second, self._microsecond))
        return type(self)(*(own if given is None else given for given, own in values), self._tzinfo if tzinfo is True else tzinfo,
                          fold=self._fold if fold is None else fold)

    def astimezone(self, tz=None):
        offset = self.utcoffset()
        if offset is None:
            utc = datetime.fromtimestamp(self.timestamp(), timezone.utc)
        else:
            utc = (self - offset).replace(tzinfo=timezone.utc)
        if tz is None:
            local = _time.localtime(utc.timestamp())
            tz = timezone(timedelta(seconds=local.tm_gmtoff), local.tm_zone)
        return self if tz is self._tzinfo else tz.fromutc(utc.replace(tzinfo=tz))

    def ctime(self):
        return (f'{_WEEKDAYS[self.weekday()]} {_MONTHS[self._month - 1]} {self._day:2d} '
                f'{self._hour:02d}:{self._minute:02d}:{self._second:02d} {self._year:04d}')

    def isoformat(self, sep='T', timespec='auto'):
        return (f'{self._year:04d}-{self._month:02d}-{self._day:02d}{sep}'
                f'{_time_text(self._hour, self._minute, self._second, self._microsecond, timespec)}{_offset_text(self.utcoffset())}')

    def __repr__(self):
        parts = [self._year, self._month, self._day, self._hour, self._minute, self._second, self._microsecond]
        while len(parts) > 5 and parts[-1] == 0:
            parts.pop()
        parts = list(map(str, parts))
        if self._tzinfo is not None:
            parts.append(f'tzinfo={self._tzinfo!r}')
        if self._fold:
            parts.append(f'fold={self._fold}')
        return f'{type(self).__module__}.{type(self).__qualname__}({", ".join(parts)})'

    def __str__(self):
        return self.isoformat(' ')

    def utcoffset(self):
        return None if self._tzinfo is None else self._tzinfo.utcoffset(self)

    def tzname(self):
        return None if self._tzinfo is None else self._tzinfo.tzname(self)

    def dst(self):
        return None if self._tzinfo is None else self._tzinfo.dst(self)

    def _micros(self):
        seconds = (self.toordinal() * 24 + self._hour) * 3600 + self._minute * 60 + self._second
        offset = self.utcoffset()
        return seconds * 1000000 + self._microsecond - (0 if offset is None else offset._total())

    def _compared(self, other, compare, is_order=True):
        if not isinstance(other, datetime):
            if isinstance(other, date) and is_order:
                raise TypeError(f"can't compare {type(self).__module__}.{type(self).__qualname__} to "
                                f'{type(other).__module__}.{type(other).__qualname__}')
            return False if isinstance(other, date) else NotImplemented
        if (self.utcoffset() is None) != (other.utcoffset() is None):
            if is_order:
                raise TypeError("can't compare offset-naive and offset-aware datetimes")
            return False
        return compare(self._micros(), other._micros())

    def __eq__(self, other):
        return self._compared(other, lambda a, b: a == b, False)

    def __lt__(self, other):
        return self._compared(other, lambda a, b: a < b)

    def __le__(self, other):
        return self._compared(other, lambda a, b: a <= b)

    def __gt__(self, other):
        return self._compared(other, lambda a, b: a > b)

    def __ge__(self, other):
        return self._compared(other, lambda a, b: a >= b)

    def __hash__(self):
        return hash(self._micros())

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        total = ((self.toordinal() * 24 + self._hour) * 60 + self._minute) * 60 + self._second
        seconds, micros = divmod(total * 1000000 + self._microsecond + other._total(), 1000000)
        days, seconds = divmod(seconds, 86400)
        if not 0 < days <= 3652059:
            raise OverflowError('date value out of range')
        return type(self)(*_from_ordinal(days), seconds // 3600, seconds // 60 % 60, seconds % 60, micros, self._tzinfo)

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self + -other
        if not isinstance(other, datetime):
            return NotImplemented
        if (self.utcoffset() is None) != (other.utcoffset() is None):
            raise TypeError("can't subtract offset-naive and offset-aware datetimes")
        return timedelta._of(self._micros() - other._micros())

    def __reduce__(self):
        return type(self), (self._year, self._month, self._day, self._hour, self._minute, self._second, self._microsecond, self._tzinfo)


datetime.min, datetime.max = datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999)
datetime.resolution = timedelta(microseconds=1)

_PATTERNS = {
    'Y': r'(?P<Y>\d{4})', 'm': r'(?P<m>1[0-2]|0?[1-9])', 'd': r'(?P<d>3[01]|[12]\d|0?[1-9]| [1-9])', 'H': r'(?P<H>2[0-3]|[01]?\d)',
    'I': r'(?P<I>1[0-2]|0?[1-9])', 'M': r'(?P<M>[0-5]?\d)', 'S': r'(?P<S>6[01]|[0-5]?\d)', 'f': r'(?P<f>\d{1,6})', 'y': r'(?P<y>\d\d)',
    'j': r'(?P<j>\d{1,3})', 'p': r'(?P<p>am|pm)', 'z': r'(?P<z>[+-]\d\d:?\d\d(?::?\d\d(?:\.\d{1,6})?)?|Z)', 'Z': r'(?P<Z>utc|gmt)',
    'a': f'(?P<a>{"|".join(_WEEKDAYS)})', 'A': f'(?P<A>{"|".join(_LONG_WEEKDAYS)})', 'b': f'(?P<b>{"|".join(_MONTHS)})',
    'B': f'(?P<B>{"|".join(_LONG_MONTHS)})', 'w': r'(?P<w>[0-6])', '%': '%',
}


def _strptime(cls, text, format):
    format = format.replace('%T', '%H:%M:%S').replace('%D', '%m/%d/%y').replace('%F', '%Y-%m-%d').replace('%R', '%H:%M')
    pattern, i = '', 0
    while i < len(format):
        c = format[i]
        if c == '%':
            i += 1
            letter = format[i:i + 1]
            if not letter:
                raise ValueError(f'stray %% in format {format!r}')
            if letter not in _PATTERNS:
                raise ValueError(f'{letter!r} is a bad directive in format {format!r}')
            pattern += _PATTERNS[letter]
        else:
            pattern += r'\s+' if c.isspace() else re.escape(c)
        i += 1
    found = re.match(pattern, text, re.IGNORECASE)
    if found is None:
        raise ValueError(f'time data {text!r} does not match format {format!r}')
    if found.end() != len(text):
        raise ValueError(f'unconverted data remains: {text[found.end():]}')
    got = found.groupdict()

    def number(name, default):
        return int(got[name]) if got.get(name) is not None else default
    year = number('Y', 1900)
    if got.get('y') is not None:
        year = int(got['y']) + (2000 if int(got['y']) <= 68 else 1900)
    month = number('m', 1)
    for name, names in (('b', _MONTHS), ('B', _LONG_MONTHS)):
        if got.get(name) is not None:
            month = [it.lower() for it in names].index(got[name].lower()) + 1
    day = number('d', 1)
    if got.get('j') is not None:
        moment = date.fromordinal(_to_ordinal(year, 1, 1) + int(got['j']) - 1)
        year, month, day = moment.year, moment.month, moment.day
    hour = number('H', 0)
    if got.get('I') is not None:
        hour = int(got['I']) % 12 + (12 if (got.get('p') or '').lower() == 'pm' else 0)
    micros = int((got['f'] + '00000')[:6]) if got.get('f') is not None else 0
    zone = got.get('z')
    tz = None if zone is None else timezone.utc if zone == 'Z' else _iso_time('00' + zone)[4]
    return cls(year, month, day, hour, number('M', 0), number('S', 0), micros, tz)
