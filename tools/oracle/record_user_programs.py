"""Records what small programs of a user print in PyTorch 2.13.0: values, errors and warnings, in their order.

    python tools/oracle/record_user_programs.py test/fixtures/front_end/user_programs.json.gz

`programs`: subject -> title -> {python: the program, said: what it printed, line by line}. The programs lie in tools/oracle/user_programs,
one file for each subject: `# title` and what follows. They call `say(...)`, which prints, and `fails(lambda: ...)`, which prints the error's
type and first argument. The same programs in TypeScript stand in the tests.
"""

import gzip
import json
import pathlib
import sys
import warnings

import torch


def run(source, path):
    said = []

    def text(value):
        return value if isinstance(value, str) else repr(value)

    def say(*values):
        said.append(" ".join(text(v) for v in values))

    def fails(call):
        try:
            call()
        except Exception as e:  # noqa: BLE001
            said.append(f"{type(e).__name__}: {e.args[0] if e.args else ''}".split("\n\n")[0])
        else:
            said.append("no error")

    def showwarning(message, category, *_):
        said.append(f"{category.__name__}: {message}".split(" (Triggered internally")[0])

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = showwarning
        exec(compile(source, path, "exec"), {"torch": torch, "nn": torch.nn, "say": say, "fails": fails, "__name__": "program"})  # noqa: S102
    return said


def programs_of(path):
    title, lines, found = None, [], {}
    for line in [*path.read_text().split("\n"), "# "]:
        if line.startswith("# "):
            if title:
                found[title] = "\n".join(lines).strip()
            title, lines = line[2:], []
        else:
            lines.append(line)
    return found


def main():
    programs = {}
    for path in sorted((pathlib.Path(__file__).parent / "user_programs").glob("*.py")):
        programs[path.stem] = {title: {"python": source, "said": run(source, f"{path.name}: {title}")} for title, source in programs_of(path).items()}
    text = json.dumps({"torch": torch.__version__, "programs": programs}, indent=0)
    with open(sys.argv[1], "wb") as f, gzip.GzipFile("", "wb", 9, f, mtime=0) as g:
        g.write(text.encode())


main()
