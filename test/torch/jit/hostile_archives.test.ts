/** Archives that somebody made to hurt: huge counts, cycles, deep nesting, values that double. Each ends soon, in an error of the library or as a module. */
import torch, { jit } from "glasstorch/jit";
import { describe, expect, test } from "vitest";
import { MemoryReadAdapter } from "#caffe2/serialize/in_memory_adapter";
import { PyTorchStreamReader } from "#caffe2/serialize/PyTorchStreamReader";
import { PyTorchStreamWriter } from "#caffe2/serialize/PyTorchStreamWriter";
import { readFixture } from "../../helpers/recorded.ts";

const { cases } = readFixture<{ cases: Record<string, { file: string }> }>(
  new URL("../../fixtures/torchscript/mobile.json.gz", import.meta.url),
);
const honest = new PyTorchStreamReader(new MemoryReadAdapter(new Uint8Array(Buffer.from(cases["net"].file, "base64"))));

/** The archive of a module with other records in it. */
function archive(changed: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const parts: Uint8Array[] = [];
  const writer = new PyTorchStreamWriter((data) => void parts.push(Uint8Array.from(data)), "archive");
  for (const name of honest.getAllRecords()) {
    if (!/version|byteorder|serialization_id/.test(name))
      writer.writeRecord(name, changed[name] ?? honest.getRecord(name));
  }
  writer.writeEndOfFile(true);
  return Uint8Array.from(Buffer.concat(parts));
}

const code_file = honest.getAllRecords().find((name) => name.startsWith("code/") && name.endsWith(".py")) as string;
const code = new TextDecoder().decode(honest.getRecord(code_file));

/** The archive whose forward has these statements in front of its own. */
const with_statements = (...lines: string[]): Uint8Array =>
  archive({
    [code_file]: new TextEncoder().encode(
      code.replace(/(def forward\([^)]*\)[^:]*:\n)/, (head) => head + lines.map((line) => `    ${line}\n`).join("")),
    ),
  });
const with_code = (text: string): Uint8Array => archive({ [code_file]: new TextEncoder().encode(text) });
const with_data = (...parts: (string | readonly number[])[]): Uint8Array =>
  archive({
    "data.pkl": Uint8Array.from(
      parts.flatMap((part) => (typeof part === "string" ? [...Buffer.from(part, "latin1")] : part)),
    ),
  });

const HEAD = "\x80\x02";
const many = (text: string, count: number): string => text.repeat(count);

const hostile: Readonly<Record<string, () => Uint8Array>> = {
  "a list that is used many times": () => with_data(HEAD, "]q\0(", many("N", 20_000), "e(", many("h\0", 20_000), "t."),
  "a typed list that is used many times": () =>
    with_data(
      `${HEAD}ctorch.jit._pickle\nbuild_intlist\nq\x01]q\0(${many("K\x01", 20_000)}e\x85q\x02(`,
      many("h\x01h\x02R", 8_000),
      "t.",
    ),
  "a list in itself": () => with_data(HEAD, "]q\0h\0\x85q\x01h\0(h\x01e."),
  "tuples that double": () => with_data(HEAD, "N", many("q\0h\0\x86", 60), "q\x01}(h\x01Nu."),
  "tuples that nest": () => with_data(HEAD, "N", many("\x85", 50_000), "."),
  "a text longer than the file": () => with_data(HEAD, "X\xff\xff\xff\xff", "a."),
  "a place in the memo that nothing has": () => with_data(HEAD, "j\xff\xff\xff\xff."),
  "marks without end": () => with_data(HEAD, many("(", 100_000), "."),
  "an opcode that nobody knows": () => with_data(HEAD, "\xee."),
  "brackets that nest": () => with_statements(`a = ${many("(", 8_000)}1${many(")", 8_000)}`),
  "lists that nest": () => with_statements(`a = ${many("[", 8_000)}1${many("]", 8_000)}`),
  "blocks that nest": () =>
    with_statements(...Array.from({ length: 100 }, (_, i) => `${" ".repeat(i)}if True:`), `${" ".repeat(100)}a = 1`),
  "types that nest": () => with_statements(`a : ${many("List[", 3_000)}int${many("]", 3_000)} = []`),
  "operators in a row": () => with_statements(`a = ${many("1 + ", 400)}1`),
  "a number of many digits": () => with_statements(`a = ${many("9", 100_000)}`),
  "a shift by much": () => with_statements("a = torch.__lshift__(1, 1000000000)", "print(a)"),
  "a text that is made long": () => with_statements('a = torch.ljust("a", 4000000000, "b")', "print(torch.len(a))"),
  "texts that double": () =>
    with_statements(
      'a0 = "0123456789"',
      ...Array.from({ length: 22 }, (_, i) => `a${i + 1} = torch.add(a${i}, a${i})`),
      "print(torch.len(a22))",
    ),
  "a power of powers": () => with_statements("a = torch.pow(torch.pow(9, 99), 99)", "print(a)"),
  "a class in itself": () =>
    with_code(code.replace(/^(class \w+\(Module\):\n)/, "$1  inner : __torch__.programs.Net\n")),
  "a code that ends at once": () => with_code("class"),
  "a name of many parts": () => with_data(HEAD, `c${many("a.", 20_000)}\nb\n.`),
};

/** Errors of the JavaScript engine have these classes themselves; the library's errors have others. */
const of_engine: readonly unknown[] = [TypeError, RangeError, ReferenceError, SyntaxError, Error];

describe("a hostile archive", () => {
  test.each(Object.entries(hostile))("%s", (_, make) => {
    const bytes = make();
    const before = process.memoryUsage().rss;
    const start = performance.now();
    try {
      const module = jit.load(bytes) as unknown as { graph: unknown; (x: unknown): unknown };
      String(module.graph);
      module(torch.ones([2, 3]));
    } catch (error) {
      expect(of_engine, String((error as Error).stack).slice(0, 2_000)).not.toContain((error as Error).constructor);
      expect((error as Error).message.length).toBeLessThan(1_000_000);
    }
    expect(performance.now() - start).toBeLessThan(20_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(1 << 30);
  });
});
