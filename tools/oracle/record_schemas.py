"""Records what PyTorch makes of schema lines.

Writes test/fixtures/schemas/schemas.json.gz:
  native:    [line, printed] for every `func:` line of PyTorch's own native_functions.yaml,
  written:   [line, printed or null, error or null] for lines made up here, malformed ones among them.

    python tools/oracle/record_schemas.py
"""

import gzip
import json
import os
import re

import torch
import torchgen

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
YAML = os.path.join(os.path.dirname(torchgen.__file__), "packaged/ATen/native/native_functions.yaml")

WRITTEN = r'''
foo(Tensor a) -> Tensor
foo(Tensor a
foo(Tenso a) -> Tensor
foo Tensor
foo(Tensor a, *, Tensor b) -> ()
foo(Tensor a, ...) -> ...
foo(Tensor[] a, Tensor?[] b, int[3] c=0) -> Tensor[]
foo(Dict(str, Tensor) a, (int, Tensor) t, Future(int) f) -> int
foo(Tensor(a -> *) x) -> Tensor(a)
foo(Tensor(a|b) x) -> Tensor(a|b)[]
foo(Tensor(a! -> a|b) x)
foo(Tensor a=3) -> Tensor
foo(Tensor a,) -> Tensor
foo(Tensor a a) -> Tensor
foo(Tensor a, Tensor a) -> Tensor
foo(SymInt[] s, MemoryFormat? m=contiguous_format, ScalarType? d=None, Layout l=strided, int r=Mean, int p=long) -> Tensor
foo.bar.baz(Tensor x) -> Tensor
foo.default(Tensor x) -> Tensor
1foo(Tensor a) -> Tensor
foo(*, Tensor a, *, Tensor b) -> Tensor
foo(Tensor(a!) x, Tensor(b!)[](c!) y) -> (Tensor(a), Tensor)
foo(t x, t[] y) -> t
foo(__torch__.Foo x) -> t
foo(float[] x=[1.0, 2]) -> float
foo(str? a='', str[] b=['a','b']) -> (int a, int b)
foo(int x, int y) -> (int)
foo(Tensor x) -> Tensor extra
foo(Tensor(a!)[] x, Tensor(a!)? y, Tensor(b)[] z) -> Tensor(a!)[]
foo(Class x) -> ()
foo(int[2][] y) -> ()
foo(Tensor[] a=[]) -> ()
foo(
foo(Tensor x) ->
foo(Tensor x) -> (
foo(Tensor x) Tensor
foo(Tensor $x)
foo(Tensor x=)
foo(int x=abc)
foo(RRef(Tensor) a, Await(int) b, Capsule c, AnyEnumType e, Dict(str,int)[] q) -> ()
f(float y=1e-5, float z=1e20, float w=123456789, float v=.1, float u=1e16, float t=-1, float s=5.) -> ()
f(Scalar y=1e8, Scalar x=-2, Scalar w=True, Scalar v=1j) -> ()
f(int[2] y=1, int[1] x=1, SymInt[2] z=1, SymInt[1] w=1, int[2] v=[1,1], int[2] u=[], int[3] t=[1,2,3]) -> ()
f(int[2]? y=1, SymInt[1]? w=1) -> ()
f(float[] y=1) -> ()
f(bool[2] y=[True,False], bool[2] x=True, float[2] z=1) -> ()
f(int y=9223372036854775807, int x=-9223372036854775808) -> ()
f(int y=99999999999999999999) -> ()
f(Device y='cpu', Device? z=None) -> ()
f(Device y=cpu) -> ()
f(str a='a"b', str b="it's", str c='tab\t', str d='\\n\n') -> ()
f(str y='\x41') -> ()
f(str y='a' 'b') -> ()
f(float y=-inf) -> ()
f(float y=nan) -> ()
f(int reduction=Sum) -> ()
f(complex y=2) -> ()
f(number y=3) -> ()
f(Any y=None) -> ()
f(int y=True, bool z=0) -> ()
f(int y=0x10) -> ()
f() -> ((Tensor, int))
f() -> ((Tensor, int)[])
f() -> (Tensor, int)[]
f() -> (Tensor, ...)
f() -> (..., int)
f(Tensor x, ..., int y) -> ()
f(Union(int, Tensor) x) -> ()
a::b::c() -> ()
a:b() -> ()
a::b.__x() -> ()
a::b.x.y() -> ()
f(Tensor x);
f(int 3x) -> ()
f(Tensor(a!b) x) -> ()
f(Tensor() x) -> ()
f(Tensor def) -> ()
f(str x='abc) -> ()
f(int[x] y) -> ()
f(int[2 y) -> ()
f(*, *) -> ()
f(Scalar[] x) -> Scalar[]
f(int a=1, int[] b) -> ()
f(Tensor(a)[](b!)? x) -> ()
f(int?[] x, int[]?[] y) -> int??
f(int[] y=None) -> ()
f(Generator? g=None, Storage s, Stream t, QScheme q) -> ()
'''.strip().split("\n") + [
    "",
    "f(Tensor x # a comment\n) -> ()",
    "f(Tensor x,\n  int y=) -> ()",
    "f(\nTensor x,\n int z, \nint y=,\nint t) -> ()",
    "f(\nTensor x,\nint z,\nint y,\nint u=,\nint t,\nint s,\nint r,\nint q) -> ()",
    "f(str x='a\n') -> ()",
]


def main():
    native = [re.match(r"- func: (.*)", line) for line in open(YAML)]
    native = [m.group(1).strip() for m in native if m]
    written = []
    for line in WRITTEN:
        try:
            written.append([line, str(torch._C.parse_schema(line)), None])
        except (RuntimeError, IndexError, ValueError) as error:
            written.append([line, None, f"{type(error).__name__}: {error}"])
    data = {
        "torch": torch.__version__,
        "native": [[line, str(torch._C.parse_schema(line))] for line in native],
        "written": written,
    }
    path = os.path.join(ROOT, "test/fixtures/schemas/schemas.json.gz")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as out:
        out.write(json.dumps(data).encode())


main()
