"""Records what programs in C++ get from libtorch 2.13.0: texts, parameters, outputs, gradients, steps, refusals, and files.

    python tools/oracle/cpp/record_cpp.py                       writes test/fixtures/cpp/cpp_frontend.json.gz
    python tools/oracle/cpp/record_cpp.py --check FOLDER        libtorch reads files that were written here

It needs g++; a build takes about a minute. The tests are in test/torch/csrc-equivalent/api; write_files.ts writes the files for --check.
"""

import base64
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

import torch

HERE = pathlib.Path(__file__).parent
FIXTURE = HERE.parents[2] / "test/fixtures/cpp/cpp_frontend.json.gz"


def build(folder: pathlib.Path, sources: list[str]) -> pathlib.Path:
    library = pathlib.Path(torch.__file__).parent
    include = [f"-I{library}/include", f"-I{library}/include/torch/csrc/api/include"]
    program = folder / "record"
    flags = ["-std=c++20", "-O0", "-w", f"-D_GLIBCXX_USE_CXX11_ABI={int(torch.compiled_with_cxx11_abi())}"]
    objects = []
    for source in sources:
        objects.append(str(folder / f"{source}.o"))
        subprocess.run(["g++", *flags, *include, "-c", str(HERE / f"{source}.cpp"), "-o", objects[-1]], check=True)
    libraries = [f"-L{library}/lib", "-Wl,--no-as-needed", "-ltorch", "-ltorch_cpu", "-lc10", f"-Wl,-rpath,{library}/lib"]
    subprocess.run(["g++", *objects, "-o", str(program), *libraries], check=True)
    return program


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = build(folder, ["record_modules", "record_functions"])
        if len(sys.argv) == 3:
            subprocess.run([program, "--check", sys.argv[2]], check=True)
            return
        files = folder / "files"
        files.mkdir()
        lines = subprocess.run([program, files], check=True, capture_output=True, text=True).stdout.splitlines()
        record = {
            "torch": torch.__version__,
            "cases": [json.loads(line) for line in lines],
            "files": {file.name: base64.b64encode(file.read_bytes()).decode() for file in sorted(files.iterdir())},
        }
        FIXTURE.parent.mkdir(parents=True, exist_ok=True)
        FIXTURE.write_bytes(gzip.compress(json.dumps(record, separators=(",", ":")).encode(), mtime=0))
        print(len(record["cases"]), "cases,", len(record["files"]), "files,", FIXTURE.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
