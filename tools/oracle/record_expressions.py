"""Records what CPython 3.11 makes of random expressions of numbers, texts and formats: the repr of the value, or the error.

    python3.11 tools/oracle/record_expressions.py test/fixtures/python/expressions.json.gz 2000 20260101

`expressions.ts` compares.
"""

import gzip
import json
import random
import resource
import sys
import warnings

from expressions.formats import Formats
from expressions.numbers import Numbers
from expressions.powers import has_unrounded_power
from expressions.texts import Texts
from expressions.values import Values

warnings.simplefilter("ignore")

LONGEST = 600


def outcome(text):
    try:
        value = repr(eval(text))
    except RecursionError:
        raise
    except Exception as e:
        value = f"{type(e).__name__}: {e}"
    return value if len(value) <= LONGEST else f"{value[:LONGEST]}... {len(value)}"


def main(out, count, seed):
    if sys.version_info[:2] != (3, 11):
        sys.exit(f"the reference is CPython 3.11; this is {sys.version}")
    # Texts that JavaScript cannot hold are none that CPython makes here.
    resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))
    values = Values(random.Random(int(seed)))
    makers = [Numbers(values), Numbers(values), Texts(values), Texts(values), Formats(values), Formats(values)]
    rows = []
    unrounded = 0
    while len(rows) < int(count):
        text = values.pick(makers).expression()
        said = outcome(text)
        if has_unrounded_power(text):
            unrounded += 1
        # How much memory there is depends on the machine, and the hash of a NaN is where it lies.
        elif not said.startswith("MemoryError") and not ("hash" in text and "nan" in text):
            rows.append([text, said])
    about = {"python": sys.version.split()[0], "script": "tools/oracle/record_expressions.py", "seed": int(seed), "left out": unrounded}
    with gzip.GzipFile(out, "wb", mtime=0) as file:
        file.write(json.dumps({**about, "rows": rows}, separators=(",", ":")).encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
