"""Records the code objects that CPython 3.11 makes: every field, places and exception tables included.

    python3.11 tools/oracle/record_bytecode.py record test/fixtures/python/bytecode.json.gz
    python3.11 tools/oracle/record_bytecode.py files FOLDER COUNT SEED OUT     (code of files below FOLDER, for `npm run test:oracle`)
"""

import ast
import dis
import gzip
import io
import json
import random
import re
import sys
import types
import warnings
from pathlib import Path

warnings.simplefilter("ignore")

# Refused on purpose, so files with them are no cases.
ASYNC = (ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await)


def has_async(text):
    return any(isinstance(node, ASYNC) or getattr(node, "is_async", 0) for node in ast.walk(ast.parse(text)))


def constant(value):
    """A text that differs for constants of different type or value."""
    if isinstance(value, bool) or value is None or value is Ellipsis:
        return repr(value)
    if isinstance(value, int):
        return f"i{value}" if abs(value) < 10**4000 else "i" + hex(value)
    if isinstance(value, float):
        return f"f{value!r}"
    if isinstance(value, complex):
        return f"c{value.real!r},{value.imag!r}"
    if isinstance(value, str):
        return f"s{value}"
    if isinstance(value, bytes):
        return f"b{value.hex()}"
    if isinstance(value, tuple):
        return f"({', '.join(map(constant, value))})"
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(constant, value)))}}}"
    return f"<code {value.co_qualname}>"


def fields(code):
    table = [[e.start // 2, e.end // 2, e.target // 2, e.depth, e.lasti] for e in dis._parse_exception_table(code)]
    return {
        "qualname": code.co_qualname,
        "name": code.co_name,
        "firstlineno": code.co_firstlineno,
        "counts": [code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount],
        "flags": code.co_flags,
        "stacksize": code.co_stacksize,
        "names": code.co_names,
        "varnames": code.co_varnames,
        "cellvars": code.co_cellvars,
        "freevars": code.co_freevars,
        "consts": [constant(value) for value in code.co_consts],
        "code": code.co_code.hex(),
        "exceptiontable": table,
        "positions": [list(place) for place in code.co_positions()],
    }


def all_codes(code):
    """A code object and those among its constants, the outer one first."""
    yield code
    for value in code.co_consts:
        if isinstance(value, types.CodeType):
            yield from all_codes(value)


def disassembly(code):
    out = io.StringIO()
    dis.dis(code, file=out)
    return re.sub(" at 0x[0-9a-f]+", "", out.getvalue())


def refusal(text):
    """The error of the compiler for a text that can be parsed."""
    try:
        compile(text, "<string>", "exec", dont_inherit=True)
    except SyntaxError as e:
        return {"text": text, "name": type(e).__name__, "message": e.msg, "lineno": e.lineno, "offset": e.offset, "end_lineno": e.end_lineno, "end_offset": e.end_offset}
    raise AssertionError(f"this is no error: {text!r}")


def told(text):
    """The warnings of the compiler."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compile(text, "<string>", "exec", dont_inherit=True)
    return {"text": text, "warnings": [[str(w.message), w.lineno] for w in caught]}


def write(path, value):
    with gzip.GzipFile(path, "wb", mtime=0) as out:
        out.write(json.dumps(value, separators=(",", ":")).encode("utf-8", "surrogatepass"))


def main(command, *arguments):
    if sys.version_info[:2] != (3, 11):
        sys.exit(f"the reference is CPython 3.11; this is {sys.version}")
    about = {"python": sys.version.split()[0], "script": "tools/oracle/record_bytecode.py"}
    if command == "record":
        from bytecode_cases import PROGRAMS, REFUSED, SINGLE, WARNED

        programs = []
        for text in PROGRAMS:
            code = compile(text, "<string>", "exec", dont_inherit=True)
            programs.append({"text": text, "codes": [fields(each) for each in all_codes(code)], "dis": disassembly(code)})
        singles = [{"text": text, "mode": mode, "dis": disassembly(compile(text, "<string>", mode, dont_inherit=True))} for mode, text in SINGLE]
        write(arguments[0], {**about, "programs": programs, "singles": singles, "refused": [refusal(text) for text in REFUSED], "warned": [told(text) for text in WARNED]})
    elif command == "files":
        folder, count, seed, out = arguments
        files = sorted(Path(folder).rglob("*.py"))
        random.Random(int(seed)).shuffle(files)
        with gzip.open(out, "wt", compresslevel=1) as lines:
            lines.write(json.dumps(about) + "\n")
            for file in files[: int(count)]:
                try:
                    text = file.read_text()
                    if has_async(text):
                        continue
                    codes = [fields(each) for each in all_codes(compile(text, str(file), "exec", dont_inherit=True))]
                except (SyntaxError, UnicodeDecodeError, ValueError):
                    continue
                lines.write(json.dumps({"file": str(file), "codes": codes}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
