"""Running a test file, and what needs more than one process or the net, which is not here."""

import unittest

__all__ = ['run_tests', 'load_tests', 'download_file', 'find_library_location', 'find_free_port', 'shell', 'TEST_SKIPS']

TEST_SKIPS = {}


def run_tests(argv=None):
    unittest.main(argv=argv)


def load_tests(loader, tests, pattern):
    suite = unittest.TestSuite()
    for group in tests:
        if group._tests:
            suite.addTest(group)
    return suite


def download_file(url, binary=True):
    raise unittest.SkipTest(f"test data file '{url}' is not downloaded here")


def find_library_location(lib_name):
    raise unittest.SkipTest('there is no shared library here')


def find_free_port():
    raise unittest.SkipTest('there are no sockets here')


def shell(command, cwd=None, env=None, stdout=None, stderr=None, timeout=None):
    raise unittest.SkipTest('there are no other processes here')
