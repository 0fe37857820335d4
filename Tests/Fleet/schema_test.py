#!/usr/bin/python3
"""Tests of the schema in Sources/Sink/Sink/Schema, against a private PostgreSQL.

    schema_test.py [-v]                                     all
    schema_test.py schema_test_records.Revisions [-v]       some
"""
import pathlib
import signal
import sys
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent

if __name__ == "__main__":
    sys.path.insert(0, str(FOLDER))
    # Ends as Ctrl-C does, so that the server is stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    arguments = sys.argv[1:]
    if not any(not argument.startswith("-") for argument in arguments):
        arguments = ["discover", "-s", str(FOLDER), "-p", "schema_test_*.py", *arguments]
    unittest.main(module=None, argv=[sys.argv[0], *arguments])
