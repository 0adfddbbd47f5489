"""Records what CPython 3.11 makes of programs: their syntax trees, and its errors for texts that are not Python.

    python3.11 tools/oracle/record_python.py record test/fixtures/python/parser.json.gz
    python3.11 tools/oracle/record_python.py files FOLDER COUNT SEED OUT     (trees of files below FOLDER, for `npm run test:oracle`)
"""

import ast
import gzip
import json
import random
import sys
import warnings
from pathlib import Path

warnings.simplefilter("ignore")


def tree(text):
    return ast.dump(ast.parse(text), include_attributes=True)


def error(text):
    try:
        tree(text)
    except SyntaxError as e:
        return {"text": text, "name": type(e).__name__, "message": e.msg, "lineno": e.lineno, "offset": e.offset, "end_lineno": e.end_lineno, "end_offset": e.end_offset}
    return {"text": text, "tree": tree(text)}


def unparsed(text):
    return ast.unparse(ast.parse(text))


def write(path, value):
    with gzip.GzipFile(path, "wb", mtime=0) as out:
        out.write(json.dumps(value, separators=(",", ":")).encode("utf-8", "surrogatepass"))


def main(command, *arguments):
    if sys.version_info[:2] != (3, 11):
        sys.exit(f"the reference is CPython 3.11; this is {sys.version}")
    about = {"python": sys.version.split()[0], "script": "tools/oracle/record_python.py"}
    if command == "record":
        from python_cases import BAD, GOOD

        own = [path.read_text() for folder in ["gallery/pytorch"] for path in sorted(Path(folder).glob("*.py"))]
        trees = [{"text": text, "tree": tree(text), "unparsed": unparsed(text)} for text in [*GOOD, *own]]
        dumps = [{"text": text, "indent": indent, "dump": ast.dump(ast.parse(text), indent=indent)} for text in GOOD for indent in (None, 2, "\t")]
        write(arguments[0], {**about, "trees": trees, "dumps": dumps, "errors": [error(text) for text in BAD]})
    elif command == "files":
        folder, count, seed, out = arguments
        files = sorted(Path(folder).rglob("*.py"))
        random.Random(int(seed)).shuffle(files)
        rows = []
        for file in files[: int(count)]:
            try:
                rows.append({"file": str(file), "tree": tree(file.read_text()), "unparsed": unparsed(file.read_text())})
            except (SyntaxError, UnicodeDecodeError):
                continue
        write(out, {**about, "rows": rows})


if __name__ == "__main__":
    main(*sys.argv[1:])
