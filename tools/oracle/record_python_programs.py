"""Records what CPython 3.11 prints for small programs: those of each file in tools/oracle/python_programs, or of the files that are named.

    python3.11 tools/oracle/record_python_programs.py            (writes test/fixtures/python/programs/NAME.json.gz for each NAME.py)

A program's own text begins behind a line `# ---- name`. Its output is recorded, and the last line of its error if it ends with one. Of programs in
a file `language_*.py` the whole text of the error is recorded, too; such a program runs as the file `program.py`. Programs in a file `torch_*.py` use
PyTorch; a Python that has it records them, if it is told to:

    python tools/oracle/record_python_programs.py tools/oracle/python_programs/torch_*.py
"""

import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

HERE = Path(__file__).parent
OUT = HERE.parent.parent / "test" / "fixtures" / "python" / "programs"


def programs(text):
    """Names and texts of the programs in a file."""
    parts = re.split(r"^# ---- (.*)\n", text, flags=re.M)
    return [(name, body.strip() + "\n") for name, body in zip(parts[1::2], parts[2::2])]


def run(text):
    """The output of a program, and the last line of its traceback or None."""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", text], stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8", check=False)
    lines = done.stderr.strip().split("\n")
    return done.stdout, lines[-1] if done.returncode != 0 else None


def run_file(text):
    """The output of a program that is a file, and what it writes to stderr or None."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "program.py").write_text(text)
        command = [sys.executable, "-W", "ignore", "program.py"]
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8", check=False)
        output, errors = (stream.replace(str(Path(folder).resolve()) + "/", "") for stream in (done.stdout, done.stderr))
    return output, errors if done.returncode != 0 else None


def run_forked(text):
    """As `run`, in a child of this process, so that PyTorch is loaded once for all programs."""
    with tempfile.TemporaryFile("w+") as stdout, tempfile.TemporaryFile("w+") as stderr:
        child = os.fork()
        if child == 0:
            status = 0
            os.dup2(stdout.fileno(), 1)
            os.dup2(stderr.fileno(), 2)
            try:
                exec(compile(text, "<string>", "exec"), {"__name__": "__main__", "__builtins__": __builtins__})
            except BaseException:
                sys.excepthook(*sys.exc_info())
                status = 1
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
        _, status = os.waitpid(child, 0)
        output, errors = (stream.seek(0) or stream.read() for stream in (stdout, stderr))
    return output, errors.strip().split("\n")[-1] if status != 0 else None


def torch_version():
    import torch

    return torch.__version__


def main(files):
    if sys.version_info[:2] != (3, 11):
        sys.exit(f"the reference is CPython 3.11; this is {sys.version}")
    OUT.mkdir(parents=True, exist_ok=True)
    if any(file.stem.startswith("torch_") for file in files):
        import torch

        torch.set_num_threads(1)
        warnings.simplefilter("ignore")
    for file in files:
        rows = []
        for name, text in programs(file.read_text()):
            if file.stem.startswith("language_"):
                stdout, traceback = run_file(text)
                rows.append({"name": name, "text": text, "stdout": stdout, "error": None, "traceback": traceback})
            else:
                stdout, error = (run_forked if file.stem.startswith("torch_") else run)(text)
                rows.append({"name": name, "text": text, "stdout": stdout, "error": error})
        about = {"python": sys.version.split()[0], "torch": torch_version() if file.stem.startswith("torch_") else None, "script": "tools/oracle/record_python_programs.py", "programs": rows}
        with gzip.GzipFile(OUT / f"{file.stem}.json.gz", "wb", mtime=0) as out:
            out.write(json.dumps(about, separators=(",", ":")).encode())


if __name__ == "__main__":
    plain = [path for path in sorted((HERE / "python_programs").glob("*.py")) if not path.stem.startswith("torch_")]
    main([Path(argument) for argument in sys.argv[1:]] or plain)
