"""Records which headers safetensors 0.8.0 accepts and what it says of the others.

    python tools/oracle/record_safetensors.py test/fixtures/files/safetensors.json.gz

`cases`: [name, file in base64, answer of `safetensors.torch.load`, answer of `load_file`]; an answer is a dict of [dtype, shape, values] or
an error's type and message.
"""

import base64
import gzip
import json
import sys
import tempfile

import safetensors
import safetensors.torch


def file_of(header, data=b"", length=None):
    header = header if isinstance(header, bytes) else header.encode()
    return (len(header) if length is None else length).to_bytes(8, "little") + header + data


def answer(run):
    try:
        tensors = run()
        # a dict in the order of the names: the order of a file's map is by chance
        return {name: [str(t.dtype), list(t.shape), str(t.tolist())] for name, t in sorted(tensors.items())}
    except BaseException as e:  # noqa: BLE001  (a Rust panic is no Exception)
        return [type(e).__name__, str(e)]


T = '"dtype":"F32","shape":[2],"data_offsets":[0,8]'
D = bytes([0, 0, 128, 63, 0, 0, 0, 64])
FOUR = bytes(4)


def headers():
    one = lambda inner: (f'{{"x":{{{inner}}}}}', D)  # noqa: E731
    yield "plain", *one(T)
    yield "metadata null", f'{{"__metadata__":null,"x":{{{T}}}}}', D
    yield "metadata", f'{{"__metadata__":{{"a":"b"}},"x":{{{T}}}}}', D
    yield "metadata empty", f'{{"__metadata__":{{}},"x":{{{T}}}}}', D
    yield "metadata number", f'{{"__metadata__":5,"x":{{{T}}}}}', D
    yield "metadata text", f'{{"__metadata__":"a","x":{{{T}}}}}', D
    yield "metadata list", f'{{"__metadata__":[],"x":{{{T}}}}}', D
    yield "metadata list of pairs", f'{{"__metadata__":[["a","b"]],"x":{{{T}}}}}', D
    yield "metadata true", f'{{"__metadata__":true,"x":{{{T}}}}}', D
    yield "metadata of number", f'{{"__metadata__":{{"a":5}},"x":{{{T}}}}}', D
    yield "metadata of null", f'{{"__metadata__":{{"a":null}},"x":{{{T}}}}}', D
    yield "metadata of dict", f'{{"__metadata__":{{"a":{{}}}},"x":{{{T}}}}}', D
    yield "metadata key twice", f'{{"__metadata__":{{"a":"b","a":"c"}},"x":{{{T}}}}}', D
    yield "metadata twice", f'{{"__metadata__":{{"a":"b"}},"__metadata__":{{"a":"c"}},"x":{{{T}}}}}', D
    yield "metadata last", f'{{"x":{{{T}}},"__metadata__":{{"a":"b"}}}}', D
    yield "name twice", f'{{"x":{{{T}}},"x":{{{T}}}}}', D
    yield "name twice, other offsets", f'{{"x":{{"dtype":"F32","shape":[1],"data_offsets":[0,4]}},"x":{{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}}}', D
    yield "empty name", f'{{"":{{{T}}}}}', D
    yield "escaped name", f'{{"\\u0078\\n":{{{T}}}}}', D
    yield "lone surrogate", f'{{"\\ud800":{{{T}}}}}', D
    yield "surrogate pair", f'{{"\\ud83d\\ude00":{{{T}}}}}', D
    yield "control character", f'{{"a\nb":{{{T}}}}}', D
    yield "__proto__", f'{{"__proto__":{{{T}}}}}', D
    yield "digits as names", '{"1":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"0":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}', D
    yield "unknown field", *one(T + ',"more":1')
    yield "unknown field of dict", *one(T + ',"more":{"a":[1,{}]}')
    yield "dtype missing", *one('"shape":[2],"data_offsets":[0,8]')
    yield "shape missing", *one('"dtype":"F32","data_offsets":[0,8]')
    yield "offsets missing", *one('"dtype":"F32","shape":[2]')
    yield "dtype twice", *one('"dtype":"F32",' + T)
    yield "shape twice", *one(T + ',"shape":[2]')
    yield "offsets twice", *one(T + ',"data_offsets":[0,8]')
    yield "as a list", '{"x":["F32",[2],[0,8]]}', D
    yield "as a short list", '{"x":["F32",[2]]}', D
    yield "as a long list", '{"x":["F32",[2],[0,8],5]}', D
    yield "null for a tensor", '{"x":null}', D
    yield "number for a tensor", '{"x":5}', D
    yield "text for a tensor", '{"x":"a"}', D
    for value in ('null', '5', '"F33"', '"f32"', '["F32"]', '{"F32":null}', '{"F32":1}', '{}', '""', 'true'):
        yield f"dtype {value}", *one(f'"dtype":{value},"shape":[2],"data_offsets":[0,8]')
    for value in ('null', '5', '[2.0]', '[2.5]', '[-2]', '[2,1]', '[1,2]', '["2"]', '[null]', '[true]', '{}', '[2e0]', '[20e-1]', '[02]', '[18446744073709551615]', '[18446744073709551616]', '[4294967296,4294967296]', '[-0]', '[[2]]', '[2,]'):
        yield f"shape {value}", *one(f'"dtype":"F32","shape":{value},"data_offsets":[0,8]')
    for value in ('null', '[0]', '[0,8,8]', '[]', '[8,0]', '[0,4]', '[0,12]', '[4,12]', '[0.0,8]', '["0",8]', '{"0":0,"1":8}', '[-0,8]', '[0,8.0]', '[0,18446744073709551615]', '[-8,0]', '0'):
        yield f"offsets {value}", *one(f'"dtype":"F32","shape":[2],"data_offsets":{value}')
    yield "no dims", '{"x":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}', FOUR
    yield "no elements", '{"x":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}', b""
    yield "no elements, first large", '{"x":{"dtype":"F32","shape":[4294967296,4294967296,0],"data_offsets":[0,0]}}', b""
    yield "no elements in between", '{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"e":{"dtype":"F32","shape":[0],"data_offsets":[4,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}', D
    yield "hole", '{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}', D
    yield "hole between", '{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}}', D + FOUR
    yield "overlap", '{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}', D
    yield "other order", '{"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}', D
    yield "trailing bytes", f'{{"x":{{{T}}}}}', D + b"\x00"
    yield "too few bytes", f'{{"x":{{{T}}}}}', D[:7]
    yield "nothing", "{}", b""
    yield "nothing with bytes", "{}", FOUR
    yield "only metadata", '{"__metadata__":{"a":"b"}}', b""
    yield "spaces behind", f'{{"x":{{{T}}}}}   ', D
    yield "spaces before", f'  {{"x":{{{T}}}}}', D
    yield "newline before", f'\n{{"x":{{{T}}}}}', D
    yield "tabs within", f'{{\t"x"\r\n:{{{T}}}}}', D
    yield "zeros behind", f'{{"x":{{{T}}}}}\0\0', D
    yield "text behind", f'{{"x":{{{T}}}}} x', D
    yield "second object", f'{{"x":{{{T}}}}}{{}}', D
    yield "byte order mark", f'\ufeff{{"x":{{{T}}}}}', D
    yield "form feed", f'\f{{"x":{{{T}}}}}', D
    yield "comma at the end", f'{{"x":{{{T}}},}}', D
    yield "no comma", f'{{"x":{{{T}}} "y":{{{T}}}}}', D
    yield "single quotes", "{'x':{}}", D
    yield "comment", f'{{/* */"x":{{{T}}}}}', D
    yield "NaN", '{"x":NaN}', D
    yield "list", "[]", b""
    yield "list of pairs", f'[["x",{{{T}}}]]', D
    yield "text", '"x"', b""
    yield "null", "null", b""
    yield "number", "5", b""
    yield "empty header", "", b""
    yield "cut", '{"x":{"dtype":"F32"', b""
    yield "not UTF-8", b'{"\xff":{}}', b""
    yield "number key", '{1:{}}', b""
    yield "deep", '{"x":' + "[" * 200 + "]" * 200 + "}", b""
    yield "deep in an unknown field", '{"x":{"more":' + "[" * 200 + "]" * 200 + "," + T + "}}", D
    for kind, size in {"BOOL": 1, "U8": 1, "I8": 1, "I16": 2, "U16": 2, "F16": 2, "BF16": 2, "I32": 4, "U32": 4, "F32": 4, "F64": 8, "I64": 8, "U64": 8}.items():
        yield f"kind {kind}", f'{{"x":{{"dtype":"{kind}","shape":[1],"data_offsets":[0,{size}]}}}}', bytes([1] + [0] * (size - 1))
    yield "bool of 2", '{"x":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]}}', bytes([2, 0])
    yield "F4 of odd bits", '{"x":{"dtype":"F4","shape":[3],"data_offsets":[0,2]}}', bytes(2)
    yield "wrong size of I64", '{"x":{"dtype":"I64","shape":[2],"data_offsets":[0,8]}}', bytes(8)


def files():
    for name, header, data in headers():
        yield name, file_of(header, data)
    whole = file_of(f'{{"x":{{{T}}}}}', D)
    yield "no bytes", b""
    yield "7 bytes", bytes(7)
    yield "8 zero bytes", bytes(8)
    yield "length beyond the end", file_of("{}", b"", 3)
    yield "length too large", file_of("{}", b"", 100_000_001)
    yield "length at the limit", file_of("{}", b"", 100_000_000)
    yield "length negative", file_of("{}", b"", 2**64 - 1)
    for end in range(0, len(whole), 5):
        yield f"cut at {end}", whole[:end]


def main(target):
    cases = []
    with tempfile.NamedTemporaryFile(suffix=".safetensors") as file:
        for name, data in files():
            file.seek(0)
            file.truncate()
            file.write(data)
            file.flush()
            from_bytes = answer(lambda: safetensors.torch.load(data))  # noqa: B023
            from_file = answer(lambda: safetensors.torch.load_file(file.name))  # noqa: B023
            cases.append([name, base64.b64encode(data).decode(), from_bytes, "same" if from_bytes == from_file else from_file])
    made = {"safetensors": safetensors.__version__, "script": "tools/oracle/record_safetensors.py", "cases": cases}
    with gzip.GzipFile(target, "wb", mtime=0) as out:
        out.write(json.dumps(made, separators=(",", ":")).encode())
    print(len(cases))


if __name__ == "__main__":
    main(*sys.argv[1:])
