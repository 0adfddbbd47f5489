"""Makes random programs and records what CPython 3.11 prints for them, with the traceback of the error that ends them.

    python3.11 tools/oracle/record_random_programs.py OUT.json.gz 1000 1      (a thousand programs from the seed 1 on)

`random_programs.ts` compares. A program runs under five seeds of the hashes of texts, and counts only if they print the same: the order of a set of texts is none.
"""

import contextlib
import gzip
import io
import json
import linecache
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "random_programs"))
from program import program  # noqa: E402

warnings.simplefilter("ignore")
LONGEST = 100_000
slow = []


class Slow(BaseException):
    pass


def stop(*_):
    slow.append(True)
    raise Slow


def outcome(text):
    """What the program prints, and the text of its error; None if it is too slow or too large."""
    out = io.StringIO()
    Path("program.py").write_text(text)  # where the error of a text that is no program finds its line
    linecache.cache["program.py"] = (len(text), None, text.splitlines(True), "program.py")
    error = None
    slow.clear()
    signal.setitimer(signal.ITIMER_REAL, 2)
    try:
        code = compile(text, "program.py", "exec")
        with contextlib.redirect_stdout(out):
            try:
                exec(code, {"__name__": "__main__", "__builtins__": __builtins__})
            except BaseException as e:
                if isinstance(e, (Slow, MemoryError, RecursionError)):
                    raise
                e.__traceback__ = e.__traceback__.tb_next
                error = "".join(traceback.format_exception(e))
    except SyntaxError as e:
        error = "".join(traceback.format_exception_only(e))
    except (Slow, MemoryError, RecursionError):
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    printed, error = (text and re.sub(" at 0x[0-9a-f]+", " at 0x...", text) for text in (out.getvalue(), error))
    return None if slow or len(printed) > LONGEST else (printed, error)


def rows_of(count, first):
    """The outcomes of programs by this process, whose texts have hashes of its own."""
    signal.signal(signal.SIGALRM, stop)
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    rows = []
    for seed in range(first, first + count):
        text = program(seed)
        said = outcome(text)
        if said is not None and "MemoryError" not in said[0] and "RecursionError" not in said[0]:
            rows.append([seed, text, *said])
    return rows


def main(out, count, first):
    if sys.version_info[:2] != (3, 11):
        sys.exit(f"the reference is CPython 3.11; this is {sys.version}")
    runs = []
    with tempfile.TemporaryDirectory() as folder:
        for hash_seed in "12345":
            # Generators that a program leaves behind may print when they are closed, so the answer is a file.
            rows = Path(folder) / "rows.json"
            command = [sys.executable, str(Path(__file__).resolve()), "--rows", count, first, str(rows)]
            subprocess.run(command, cwd=folder, env={**os.environ, "PYTHONHASHSEED": hash_seed}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
            runs.append({row[0]: row for row in json.loads(rows.read_text())})
    rows = [row for seed, row in runs[0].items() if all(run.get(seed) == row for run in runs)]
    with gzip.GzipFile(out, "wb", mtime=0) as file:
        file.write(json.dumps({"python": sys.version.split()[0], "script": "tools/oracle/record_random_programs.py", "rows": rows}, separators=(",", ":")).encode())
    print(f"{len(rows)} programs, {sum(row[3] is not None for row in rows)} of them end with an error")


if __name__ == "__main__":
    if sys.argv[1] == "--rows":
        Path(sys.argv[4]).write_text(json.dumps(rows_of(int(sys.argv[2]), int(sys.argv[3]))))
    else:
        main(*sys.argv[1:])
