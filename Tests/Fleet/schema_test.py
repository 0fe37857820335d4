#!/usr/bin/python3
"""Tests of the schema in Sources/Sink/Schema, against a private PostgreSQL.

    schema_test.py                                       all
    schema_test.py -v schema_test_records.Revisions      some
"""
import pathlib
import sys
import unittest

FOLDER = pathlib.Path(__file__).parent


def load_tests(loader, tests, pattern):
    return loader.discover(str(FOLDER), pattern="schema_test_*.py")


if __name__ == "__main__":
    sys.path.insert(0, str(FOLDER))
    unittest.main()
