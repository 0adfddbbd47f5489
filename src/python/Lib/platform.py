"""The machine, as far as it is known: this Python, which has the version of CPython that it follows."""

import sys
from collections import namedtuple

uname_result = namedtuple('uname_result', 'system node release version machine')


def system():
    return 'Linux' if sys.platform == 'linux' else {'darwin': 'Darwin', 'win32': 'Windows'}.get(sys.platform, '')


def node():
    return ''


def release():
    return ''


def version():
    return ''


def machine():
    return ''


def processor():
    return ''


def architecture(executable='', bits='', linkage=''):
    return '64bit', ''


def uname():
    return uname_result(system(), node(), release(), version(), machine())


def platform(aliased=False, terse=False):
    return system() or sys.platform


def python_implementation():
    return 'glasstorch'


def python_version():
    return '.'.join(map(str, sys.version_info[:3]))


def python_version_tuple():
    return tuple(map(str, sys.version_info[:3]))


def python_build():
    return 'main', ''


def python_compiler():
    return ''
