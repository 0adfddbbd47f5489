/**
 * Files for the light interpreter: their instructions are PyTorch's, ours and PyTorch's files compute the same, and damaged ones are
 * refused (tools/oracle/record_mobile.py recorded them).
 */
import { readFileSync } from "node:fs";
import { jit } from "glasstorch/jit";
import { python } from "glasstorch/python";
import { describe, expect, test } from "vitest";
import type { IValue } from "#aten/core/ivalue";
import { MemoryReadAdapter } from "#caffe2/serialize/in_memory_adapter";
import { PyTorchStreamReader } from "#caffe2/serialize/PyTorchStreamReader";
import { read_bytecode } from "#torch/csrc-equivalent/jit/mobile/import";
import { executor_settings } from "#torch/csrc-equivalent/jit/runtime/executor_settings";
import { readFixture } from "../../helpers/recorded.ts";

interface Recorded {
  records: [string, number][];
  bytecode: unknown;
  calls: string;
  file: string;
}

const { cases } = readFixture<{ cases: Record<string, Recorded> }>(
  new URL("../../fixtures/torchscript/mobile.json.gz", import.meta.url),
);
const source = readFileSync(new URL("../../../tools/oracle/mobile_programs/programs.py", import.meta.url), "utf8");
const program = python(
  `${source}
import io
from torch.jit.mobile import _load_for_lite_interpreter
def bytes_of(name):
    return torch.jit.script(globals()["case_" + name]()[0])
def calls(name, data):
    return repr(globals()["case_" + name]()[1](_load_for_lite_interpreter(io.BytesIO(data))))
`,
  { filename: "programs.py", name: "programs" },
) as unknown as {
  bytes_of(name: string): jit.ScriptModule;
  calls(name: string, data: Uint8Array): string;
};

const reader_of = (bytes: Uint8Array): PyTorchStreamReader => new PyTorchStreamReader(new MemoryReadAdapter(bytes));
const bytes_of_file = ({ file }: Recorded): Uint8Array => new Uint8Array(Buffer.from(file, "base64"));

/** A value in the form of the recorder. */
function encoded(value: IValue): unknown {
  if (value.isTuple()) return { $tuple: value.toTuple().map(encoded) };
  if (value.isDouble()) return { $float: value.toDouble() };
  if (value.isList()) return value.toList().vec().map(encoded);
  return value.isNone() ? null : typeof value.payload === "bigint" ? Number(value.payload) : value.payload;
}

/** Which class has a mangled name depends on what was scripted before. */
const plain_names = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replace(/___torch_mangle_\d+\./g, ""));

for (const [name, recorded] of Object.entries(cases)) {
  describe(name, () => {
    const written = program.bytes_of(name)._save_to_buffer_for_lite_interpreter();

    test("the instructions are PyTorch's", () => {
      const values = read_bytecode(reader_of(written));
      expect(plain_names({ $tuple: values.map(encoded) })).toEqual(plain_names(recorded.bytecode));
    });
    test("our file and PyTorch's compute what was recorded", () => {
      expect(program.calls(name, written)).toBe(recorded.calls);
      expect(program.calls(name, bytes_of_file(recorded))).toBe(recorded.calls);
    });
    test("the compiler reads the same file", () => {
      expect(jit.load(bytes_of_file(recorded)).code).toBe(program.bytes_of(name).code);
    });
  });
}

test("a file says its version, its operators and its types", () => {
  const file = bytes_of_file(cases["defaults"]);
  expect(jit.mobile._get_model_bytecode_version(file)).toBe(8);
  const info = jit.mobile._get_model_ops_and_info(file);
  expect(info.get("aten::sum.IntList_out")?.num_schema_args).toBe(3);
  expect([...jit.mobile._get_mobile_model_contained_types(bytes_of_file(cases["containers"]))].sort()).toEqual([
    "Dict",
    "List",
    "NamedTuple",
    "Optional",
    "Tuple",
    "float",
    "int",
    "str",
  ]);
});

test("an archive without instructions is refused", () => {
  const bytes = program.bytes_of("net").save_to_buffer();
  expect(() => jit.mobile._load_for_lite_interpreter(bytes)).toThrow("bytecode.pkl");
});

test("a program that runs too long is stopped", () => {
  executor_settings.instruction_limit = 50;
  try {
    expect(() => program.calls("control", bytes_of_file(cases["control"]))).toThrow("more instructions than its limit");
  } finally {
    executor_settings.instruction_limit = null;
  }
});
