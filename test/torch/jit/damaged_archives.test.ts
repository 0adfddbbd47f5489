/** Archives with wrong bytes, pickles and code: each ends in one error of the library, or is a module. Nothing hangs, and nothing grows. */
import { jit } from "glasstorch/jit";
import { expect, test } from "vitest";
import { MemoryReadAdapter } from "#caffe2/serialize/in_memory_adapter";
import { PyTorchStreamReader } from "#caffe2/serialize/PyTorchStreamReader";
import { PyTorchStreamWriter } from "#caffe2/serialize/PyTorchStreamWriter";
import { readFixture } from "../../helpers/recorded.ts";

const { cases } = readFixture<{ cases: Record<string, { file: string }> }>(
  new URL("../../fixtures/torchscript/mobile.json.gz", import.meta.url),
);
const files = ["net", "control", "containers"].map((name) => new Uint8Array(Buffer.from(cases[name].file, "base64")));

/** How many mutants; a longer run sets the variable. */
const MUTANTS = Number(process.env["GLASSTORCH_MUTANTS"] ?? 120);

/** Numbers that are the same in every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function mutated(bytes: Uint8Array, next: (below: number) => number): Uint8Array {
  const at = next(bytes.length);
  const copy = Uint8Array.from(bytes);
  switch (next(5)) {
    case 0:
      copy[at] = next(256);
      return copy;
    case 1:
      copy[at] ^= 1 << next(8);
      return copy;
    case 2:
      return copy.slice(0, at);
    case 3:
      return Uint8Array.from([...copy.slice(0, at), ...copy.slice(Math.min(at + 1 + next(8), copy.length))]);
    default:
      return Uint8Array.from([...copy.slice(0, at), ...copy.slice(at, at + 20), ...copy.slice(at)]);
  }
}

function rewritten(file: Uint8Array, next: (below: number) => number): Uint8Array {
  const reader = new PyTorchStreamReader(new MemoryReadAdapter(file));
  const names = reader.getAllRecords().filter((name) => !/version|byteorder|serialization_id/.test(name));
  const changed = names[next(names.length)];
  const parts: Uint8Array[] = [];
  const writer = new PyTorchStreamWriter((data) => void parts.push(Uint8Array.from(data)), "archive");
  for (const name of names) {
    const bytes = reader.getRecord(name);
    writer.writeRecord(name, name === changed && bytes.length > 0 ? mutated(bytes, next) : bytes);
  }
  writer.writeEndOfFile(true);
  return Uint8Array.from(Buffer.concat(parts));
}

/** Errors of the JavaScript engine have these classes themselves; the library's errors have others. */
const of_engine: readonly unknown[] = [TypeError, RangeError, ReferenceError, SyntaxError, Error];

function outcome(read: () => unknown): "read" | "refused" {
  try {
    read();
    return "read";
  } catch (error) {
    expect(of_engine, String((error as Error).stack)).not.toContain((error as Error).constructor);
    expect((error as Error).message.length).toBeLessThan(20_000);
    return "refused";
  }
}

for (const [kind, mutate] of Object.entries({ bytes: mutated, records: rewritten })) {
  test(`mutants of ${kind}`, () => {
    const next = random(kind.length);
    const counts = { read: 0, refused: 0 };
    for (let i = 0; i < MUTANTS / 2; i++) {
      const bytes = mutate(files[i % files.length], next);
      counts[outcome(() => jit.load(bytes))]++;
      counts[outcome(() => jit.mobile._load_for_lite_interpreter(bytes))]++;
    }
    expect(counts.refused).toBeGreaterThan(MUTANTS / 10);
  });
}
