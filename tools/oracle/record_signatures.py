"""Records the strings by which PyTorch 2.13.0's argument parser knows the operators of this library.

    python tools/oracle/record_signatures.py test/fixtures/front_end/signatures.json.gz

They come out of the generator in the wheel (torchgen), run over PyTorch's own operator list and narrowed to the names of ours.
`{module: {name: [signature]}}`, in the order in which the parser tries them before deprecated ones are moved last.
"""

import gzip
import json
import os
import sys
import tempfile

import torchgen
import torchgen.packaged.autograd.gen_python_functions as gen
import yaml
from torchgen.api import cpp
from torchgen.gen import parse_native_yaml

packaged = os.path.join(os.path.dirname(torchgen.__file__), "packaged")
ours = {line.split("func: ", 1)[1].split("(")[0].strip() for line in open("src/aten/native/native_functions.yaml") if line.startswith("- func")}
parsed = parse_native_yaml(f"{packaged}/ATen/native/native_functions.yaml", f"{packaged}/ATen/native/tags.yaml")
functions = [f for f in parsed.native_functions if str(f.func.name) in ours]
names = {cpp.name(f.func) for f in functions}
deprecated = [d for d in yaml.safe_load(open(f"{packaged}/autograd/deprecated.yaml")) if d["aten"].split("(")[0] in names]
with tempfile.NamedTemporaryFile("w", suffix=".yaml", delete=False) as f:
    yaml.safe_dump(deprecated, f, sort_keys=False)

out = {}
for module, method, belongs in (("methods", True, gen.is_py_variable_method), ("torch", False, gen.is_py_torch_function), ("nn", False, gen.is_py_nn_function)):
    grouped = {}
    for pair in gen.load_signatures([g for g in functions if gen.should_generate_py_binding(g)], f.name, method=method):
        if belongs(pair.function):
            grouped.setdefault(str(pair.function.func.name.name), []).append(pair)
    out[module] = {name: [g.signature.signature_str() for g in gen.group_overloads(pairs)] for name, pairs in sorted(grouped.items())}

with gzip.GzipFile(sys.argv[1], "wb", mtime=0) as f:
    f.write(json.dumps(out, separators=(",", ":")).encode())
print({module: len(table) for module, table in out.items()})
