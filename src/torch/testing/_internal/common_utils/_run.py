"""Running a test file, and what needs more than one process or the net, which is not here."""

import pathlib
import unittest

import torch

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


_libraries = set()
_load_library = torch.ops.load_library


def _load_library_for_tests(path):
    # PyTorch's libraries with operators and classes for tests cannot be here. What asks for one of these fails by its name.
    if path not in _libraries:
        _load_library(path)


def find_library_location(lib_name):
    path = pathlib.Path('torch/lib') / lib_name
    _libraries.add(str(path))
    torch.ops.load_library = _load_library_for_tests
    return path


def find_free_port():
    raise unittest.SkipTest('there are no sockets here')


def shell(command, cwd=None, env=None, stdout=None, stderr=None, timeout=None):
    raise unittest.SkipTest('there are no other processes here')
