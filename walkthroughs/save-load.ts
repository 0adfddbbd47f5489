/**
 * @file The file that `torch.save` writes, byte by byte: a zip archive with a pickle and one copy of the bytes of each storage. How `torch.load` runs
 * the pickle, instruction by instruction, and where it stops when the pickle asks for more than it should.
 */
import torch from "glasstorch";
import { PyTorchFileWriter } from "#torch/_C";
import * as opcodes from "#torch/_pickle/opcodes";
import { Unpickler } from "#torch/_weights_only_unpickler/index";
import { TypedStorage } from "#torch/storage/typed";
import { check, checkThrows, drawn, finish, recorded } from "./support/walkthrough.ts";

// ## Step 1. Two views, one file
// A row is a view of its table: other sizes and strides over the same bytes.
const table = torch.arange(6, { dtype: torch.float32 }).reshape(2, 3);
const row = table.select(0, 1);
const state = { table, row };
const file = torch.save(state) as Uint8Array;
const loaded = torch.load(file) as typeof state;
check(loaded.row.tolist(), [3, 4, 5]);
// They shared one storage before, and they share one again.
check(loaded.row.untyped_storage().data_ptr() === loaded.table.untyped_storage().data_ptr(), true);
check([loaded.row.storage_offset(), loaded.row.untyped_storage().nbytes()], [3, 24]);

// ## Step 2. The map of the file
// A zip is read from its end: the last record says where the directory is, the directory where each entry is.
// Ours: src/caffe2/serialize/PyTorchStreamReader.ts     PyTorch: caffe2/serialize/inline_container.cc
interface Range {
  readonly from: number;
  readonly to: number;
  readonly what: string;
  readonly writer: string;
  readonly entry: string;
}

const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
const u16 = (at: number): number => view.getUint16(at, true);
const u32 = (at: number): number => view.getUint32(at, true);
const text = (from: number, length: number): string => new TextDecoder().decode(file.subarray(from, from + length));
const signature = (at: number): string => `${text(at, 2)} ${file[at + 2]} ${file[at + 3]}`;

/** Who wrote an entry's bytes, by its name. */
function writerOf(entry: string): string {
  if (entry === "data.pkl") return "Pickler.dump";
  if (entry.startsWith("data/")) return "_save, of a storage";
  return entry === "version" || entry.startsWith(".data/") ? "write_end_of_file" : "_save";
}

function* entryRanges(at: number): Generator<Range> {
  const [nameLength, extraLength, offset, size] = [u16(at + 28), u16(at + 30), u32(at + 42), u32(at + 24)];
  const entry = text(at + 46, nameLength).replace(/^[^/]*\//, "");
  const range = (from: number, to: number, what: string, writer: string): Range => ({ from, to, what, writer, entry });
  const name = offset + 30 + u16(offset + 26);
  const data = name + u16(offset + 28);
  yield range(offset, name, "local header", "miniz");
  yield range(name, data, "padding", "getPadding");
  yield range(data, data + size, "data", writerOf(entry));
  yield range(data + size, data + size + 16, "data descriptor", "miniz");
  yield range(at, at + 46 + nameLength + extraLength, "directory entry", "miniz");
}

const end = file.length - 22;
const locator = end - 20;
const wide = u32(locator + 8); // the end record again, with 64-bit fields for files above 4 GB
check([end, locator, wide].map(signature), ["PK 5 6", "PK 6 7", "PK 6 6"]);
const ranges: Range[] = [];
for (let at = u32(end + 16), n = 0; n < u16(end + 10); n++) {
  ranges.push(...entryRanges(at));
  at += 46 + u16(at + 28) + u16(at + 30);
}
for (const [from, to, what] of [
  [wide, locator, "end of directory, 64 bits"],
  [locator, end, "its locator"],
  [end, file.length, "end of directory"],
] as const)
  ranges.push({ from, to, what, writer: "miniz", entry: "" });
ranges.sort((a, b) => a.from - b.from);
// The map is complete: each byte of the file is in exactly one range.
check(
  ranges.every(({ from }, i) => from === (ranges[i - 1]?.to ?? 0)),
  true,
);
check(ranges.at(-1)?.to, file.length);
const data = ranges.filter(({ what }) => what === "data");
check(
  data.map(({ entry }) => entry),
  ["data.pkl", ".format_version", ".storage_alignment", "byteorder", "data/0", "version", ".data/serialization_id"],
);
// Padding makes each record begin at a multiple of 64 bytes, so that a storage can be mapped from the file.
check(
  data.every(({ from }) => from % 64 === 0),
  true,
);
const stored = data.find(({ entry }) => entry === "data/0") as Range;
check(stored.to - stored.from, 24); // two tensors, one storage: six floats
drawn(
  "bytes",
  `torch.save({ table, row }): ${file.length} bytes`,
  { length: file.length, ranges, bytes: Array.from(file) },
  ranges.map(({ from, to, what, writer, entry }) => {
    const place = `${String(from).padStart(6)} … ${String(to).padEnd(5)}`;
    return ` ${place} ${what.padEnd(26)} ${writer.padEnd(26)} ${entry}`;
  }),
);

// ## Step 3. The pickle is a program
// It runs on a machine with a stack and a memory for values. Here the unpickler of `torch.load` itself runs, one instruction at a time.
interface Step {
  readonly at: number;
  readonly bytes: number;
  readonly name: string;
  readonly argument: string;
  /** The stack after it, the top last. */
  readonly stack: readonly string[];
  readonly memo: number;
  readonly error?: string;
}

/** The members of the unpickler that are shown here; some of them are private there. */
interface Machine {
  readonly stack: readonly unknown[];
  /** The stack below each mark. */
  readonly metastack: readonly unknown[][];
  readonly tuples: ReadonlySet<unknown>;
  readonly memo: ReadonlyMap<number, unknown>;
  readonly pos: number;
  persistent_load: (id: unknown) => unknown;
  opcode(): number;
  step(opcode: number): boolean;
}

const names = new Map(Object.entries(opcodes).map(([name, code]) => [code as unknown, name]));

/** Values that `GLOBAL` found -> the names it was given. */
const globals = new Map<unknown, string>();

/** A value of the stack in a few words. */
function words(value: unknown, tuples: ReadonlySet<unknown>): string {
  const global = globals.get(value);
  if (global !== undefined) return global;
  if (typeof value === "string") return `'${value}'`;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (value instanceof torch.Tensor) return `tensor of shape [${value.shape.join(", ")}]`;
  if (value instanceof TypedStorage) return `storage of ${value._size()} elements`;
  if (value instanceof Map) return `{${[...value.keys()].map((key) => `'${key}': …`).join(", ")}}`;
  if (!Array.isArray(value)) return String(value);
  const items = value.map((item) => words(item, tuples)).join(", ");
  return tuples.has(value) ? `(${items}${value.length === 1 ? "," : ""})` : `[${items}]`;
}

/** `torch.FloatStorage` of the two lines that follow a GLOBAL. */
const globalName = (pickle: Uint8Array, at: number, to: number): string =>
  new TextDecoder().decode(pickle.subarray(at + 1, to - 1)).replace("\n", ".");

/** The argument of an instruction. */
function argumentOf(pickle: Uint8Array, at: number, to: number, name: string, top: string): string {
  if (name === "GLOBAL") return globalName(pickle, at, to);
  if (name === "PROTO" || /^BIN(PUT|GET)$/.test(name)) return String(pickle[at + 1]);
  return to - at > 1 ? top : "";
}

/** Runs a pickle to its end, or to its error. */
function run(pickle: Uint8Array, persistent_load: (id: unknown) => unknown): { steps: Step[]; value: unknown } {
  const machine = new Unpickler(pickle) as unknown as Machine;
  machine.persistent_load = persistent_load;
  const steps: Step[] = [];
  for (let more = true; more; ) {
    const at = machine.pos;
    let failed = {};
    try {
      more = machine.step(machine.opcode());
    } catch (error) {
      more = false;
      failed = { error: (error as Error).message };
    }
    const name = names.get(pickle[at]) ?? `0x${pickle[at]?.toString(16)}`;
    if (name === "GLOBAL" && !("error" in failed))
      globals.set(machine.stack.at(-1), globalName(pickle, at, machine.pos));
    const told = (value: unknown): string => words(value, machine.tuples);
    const below = machine.metastack.flatMap((part) => [...part.map(told), "MARK"]);
    const stack = [...below, ...machine.stack.map(told)];
    const argument = argumentOf(pickle, at, machine.pos, name, stack.at(-1) ?? "");
    steps.push({ at, bytes: machine.pos - at, name, argument, stack, memo: machine.memo.size, ...failed });
  }
  return { steps, value: machine.stack.at(-1) };
}

const record = data[0] as Range;
const pickle = file.slice(record.from, record.to);
// The pickle names storages but does not contain them. The loader supplies them: here, the bytes of `data/0` on the map.
const floats = torch.frombuffer(file.slice(stored.from, stored.to), { dtype: torch.float32 });
const storage = TypedStorage.wrap(floats.untyped_storage(), torch.float32);
const asked: unknown[] = [];
const { steps, value } = run(pickle, (id) => {
  asked.push(id);
  return storage;
});
check((value as Map<string, typeof table>).get("table")?.tolist(), table.tolist());
check((value as Map<string, typeof table>).get("row")?.tolist(), row.tolist());
check(
  steps.reduce((sum, { bytes }) => sum + bytes, 0),
  pickle.length,
);
check(steps.at(-1)?.name, "STOP");
// Two tensors ask for storage '0', one after the other; the loader keeps it and returns the same one twice.
check(
  asked.map((id) => (id as unknown[])[2]),
  ["0", "0"],
);
check(
  steps.filter(({ name }) => name === "GLOBAL").map(({ argument }) => argument),
  ["torch._utils._rebuild_tensor_v2", "torch.FloatStorage", "collections.OrderedDict"],
);
const cut = (words: string, width: number): string => (words.length > width ? `${words.slice(0, width - 1)}…` : words);
const shown = ({ at, name, argument, stack, error }: Step): string => {
  const top = error === undefined ? cut(stack.at(-1) ?? "", 42) : "an error";
  return ` ${String(at).padStart(4)} ${name.padEnd(11)} ${cut(argument, 32).padEnd(33)} ${String(stack.length).padStart(2)}  ${top}`;
};
drawn(
  "pickle",
  `data.pkl, ${steps.length} instructions: the argument of each, the height of the stack, its top`,
  { steps, bytes: Array.from(pickle) },
  [...steps.map(shown)],
);

// ## Step 4. The path of save and load
// Saving calls no operator: it reads sizes, strides and storage, and writes bytes. Loading makes each tensor empty, and sets its storage.
const saving = recorded("save", "The path of torch.save(state)", () => torch.save(state), { quiet: true });
check(saving.ops().length, 0);
const loading = recorded("load", "The path of torch.load(file)", () => torch.load(file), { quiet: true });
check(
  loading
    .ops()
    .filter((e) => e.how === "call")
    .map((e) => e.op),
  ["aten::empty.memory_format", "aten::set_.source_Storage_storage_offset"].flatMap((op, _, both) =>
    op === both[0] ? [...both, ...both] : [],
  ),
);
check(
  loading.events.filter((e) => e.kind === "memory" && (e["nbytes"] as number) > 0).map((e) => e["nbytes"]),
  [24], // the storage, once
);

// ## Step 5. A view is saved with its whole storage
const big = torch.zeros([1000]);
const size = (of: typeof big): number => (torch.save(of.narrow(0, 0, 1)) as Uint8Array).length;
check(size(big) - size(big.narrow(0, 0, 1).clone()) > 3900, true);

// ## Step 6. A pickle that wants more
// `GLOBAL` and `REDUCE` together call any function of any module; in Python's own unpickler, os.system too. This one looks up each name in a list.
const bytesOf = (words: string): number[] => Array.from(words, (letter) => letter.charCodeAt(0));
const command = "echo got you";
const hostile = Uint8Array.from([
  ...[opcodes.PROTO, 2],
  ...[opcodes.GLOBAL, ...bytesOf("os\nsystem\n")],
  ...[opcodes.BINUNICODE, command.length, 0, 0, 0, ...bytesOf(command)],
  ...[opcodes.TUPLE1, opcodes.REDUCE, opcodes.STOP],
]);
const refused = run(hostile, () => null).steps;
check(
  refused.map(({ name, stack }) => [name, stack.length]),
  [
    ["PROTO", 0],
    ["GLOBAL", 0], // refused by its name: nothing is on the stack, nothing was called
  ],
);
const blocked = "Trying to load unsupported GLOBAL os.system whose module os is blocked.";
check(refused.at(-1)?.error, blocked);
drawn("hostile", "A pickle that asks for os.system", { steps: refused, bytes: Array.from(hostile) }, [
  ...refused.map(shown),
  "",
  ` ${refused.at(-1)?.error}`,
]);

// The same pickle in an archive: `load` raises an error, and another function lists the names without running anything.
const parts: Uint8Array[] = [];
const zip = new PyTorchFileWriter({ write: (part: Uint8Array) => void parts.push(part.slice()) });
zip.write_record("data.pkl", hostile, hostile.length);
zip.write_end_of_file();
const archive = Uint8Array.from(parts.flatMap((part) => [...part]));
checkThrows(() => torch.load(archive), "Weights only load failed.");
checkThrows(() => torch.load(archive), blocked);
check(torch.serialization.get_unsafe_globals_in_checkpoint(archive), ["os.system"]);
// An instruction that PyTorch's files never contain is refused too.
const unknown = Uint8Array.from([opcodes.PROTO, 2, 0x93]);
check(run(unknown, () => null).steps.at(-1)?.error, "Unsupported operand 147");

finish({
  next: "npx tsx walkthroughs/train.ts",
  tableOf: torch._C._dispatch_dump_table,
  python: `
import io, pickletools, zipfile, torch
table = torch.arange(6.).reshape(2, 3)
torch.save({"table": table, "row": table[1]}, f := io.BytesIO())
archive = zipfile.ZipFile(f)
print([(i.filename, i.header_offset, i.file_size) for i in archive.infolist()])
pickletools.dis(archive.read("archive/data.pkl"))
f.seek(0); print(torch.serialization.get_unsafe_globals_in_checkpoint(f))
f.seek(0); made = torch.load(f)
print(made["row"].untyped_storage().data_ptr() == made["table"].untyped_storage().data_ptr())`,
});
