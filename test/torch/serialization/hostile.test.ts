/**
 * @file Damaged files: each gives one error or the right values, and nothing else happens.
 */
import { describe, expect, test } from "vitest";
import { EOFError } from "#c10/util/Exception";
import { MemoryReadAdapter } from "#caffe2/serialize/in_memory_adapter";
import { PyTorchStreamReader } from "#caffe2/serialize/PyTorchStreamReader";
import { PyTorchStreamWriter } from "#caffe2/serialize/PyTorchStreamWriter";
import torch from "../../../src/index.ts";
import { describe_value } from "../../../tools/oracle/describe_value.ts";

/** An archive with these records. */
function archive(records: Record<string, Uint8Array | string>): Uint8Array {
  const parts: Uint8Array[] = [];
  const writer = new PyTorchStreamWriter((data) => parts.push(data.slice()), "archive");
  for (const [name, data] of Object.entries(records))
    writer.writeRecord(name, typeof data === "string" ? new TextEncoder().encode(data) : data);
  writer.writeEndOfFile();
  return new Uint8Array(Buffer.concat(parts));
}

function pickle(...parts: (string | number[])[]): Uint8Array {
  return new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part)))),
  );
}

/** Numbers from 0 to 2^32, the same ones every time. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
}

type Damage = (bytes: Uint8Array, random: () => number) => Uint8Array;

const damages: Record<string, Damage> = {
  "one bit": (bytes, random) => {
    const damaged = bytes.slice();
    damaged[random() % bytes.length] ^= 1 << (random() % 8);
    return damaged;
  },
  "some bytes": (bytes, random) => {
    const damaged = bytes.slice();
    for (let i = 0; i < 4; i++) damaged[random() % bytes.length] = random() & 0xff;
    return damaged;
  },
  "cut off": (bytes, random) => bytes.slice(0, random() % bytes.length),
  "a hole": (bytes, random) => {
    const at = random() % bytes.length;
    return new Uint8Array(Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + (random() % 40))]));
  },
  "a part twice": (bytes, random) => {
    const at = random() % bytes.length;
    return new Uint8Array(Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - (random() % 40)))]));
  },
};

const value = {
  weight: torch.arange(12).reshape([3, 4]).to(torch.float32).t(),
  list: [1, 2.5, "text", null, new Map<unknown, unknown>([[1, 2]])],
  parameter: new torch.nn.Parameter(torch.ones([2])),
};

/** The error, or what was loaded. */
function load(bytes: Uint8Array): { error: Error | null; loaded: unknown } {
  const before = torch.serialization.get_safe_globals().length;
  try {
    return { error: null, loaded: describe_value(torch.load(bytes)) };
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
    return { error: error as Error, loaded: null };
  } finally {
    expect(torch.serialization.get_safe_globals().length).toBe(before);
  }
}

/** Errors of the library; JavaScript's own would be holes in it. */
const OURS =
  /^(?:RuntimeError|UnpicklingError|EOFError|IndexError|KeyError|TypeError|ValueError|AssertionError|AttributeError|OverflowError|NotImplementedError|RecursionError|SafetensorError|UnicodeDecodeError|error)$/;
const NOT_OURS =
  /undefined|is not a function|Invalid (?:array|typed array|DataView)|out of bounds|Cannot (?:read|mix|convert)|outside the bounds/;

describe("damage in a zip archive is found", () => {
  const good = torch.save(value);
  const expected = describe_value(torch.load(good));
  test.each(Object.keys(damages))("%s, 200 times", (name) => {
    const random = mulberry32(20261123);
    let refused = 0;
    for (let i = 0; i < 200; i++) {
      const { error, loaded } = load(damages[name](good, random));
      if (error === null)
        expect(loaded, `${name} ${i}`).toEqual(expected); // padding, or a field that nobody reads
      else {
        refused++;
        expect(error.name, `${name} ${i}: ${error.stack}`).toMatch(OURS);
        expect(error.message, `${name} ${i}: ${error.stack}`).not.toMatch(NOT_OURS);
      }
    }
    expect(refused).toBeGreaterThan(20);
  });
});

describe("a pickle that was changed on purpose", () => {
  // Behind the sums nothing is checked by them: the instructions themselves must hold.
  const good = torch.save(value);
  const reader = new PyTorchStreamReader(new MemoryReadAdapter(good));
  const records = Object.fromEntries(
    reader
      .getAllRecords()
      .filter((name) => name !== "version" && name !== ".data/serialization_id")
      .map((name) => [name, reader.getRecord(name)]),
  );
  test.each(Object.keys(damages))("%s, 200 times", (name) => {
    const random = mulberry32(7);
    for (let i = 0; i < 200; i++) {
      const { error } = load(archive({ ...records, "data.pkl": damages[name](records["data.pkl"], random) }));
      if (error === null) continue;
      expect(error.name, `${name} ${i}: ${error.stack}`).toMatch(OURS);
      expect(error.message, `${name} ${i}: ${error.stack}`).not.toMatch(NOT_OURS);
    }
  });

  test.each(Object.keys(damages))("legacy format: %s, 200 times", (name) => {
    const random = mulberry32(11);
    const legacy = torch.save(value, { _use_new_zipfile_serialization: false });
    for (let i = 0; i < 200; i++) {
      const { error } = load(damages[name](legacy, random));
      if (error === null) continue;
      expect(error.name, `${name} ${i}: ${error.stack}`).toMatch(OURS);
      expect(error.message, `${name} ${i}: ${error.stack}`).not.toMatch(NOT_OURS);
    }
  });
});

describe("what a file may not ask for", () => {
  const load_pickle = (data: Uint8Array) => torch.load(archive({ "data.pkl": data, "data/0": new Uint8Array(16) }));

  test("too deep", () => {
    const deep = pickle([0x80, 2], "]".repeat(100_000), "a".repeat(99_999), ".");
    expect(() => load_pickle(deep)).toThrow("maximum recursion depth exceeded while unpickling an object");
  });
  test("what many point at is made once", () => {
    let doubling = "]q\x00";
    for (let i = 0; i < 60; i++)
      doubling += `](h${String.fromCharCode(i)}h${String.fromCharCode(i)}eq${String.fromCharCode(i + 1)}`;
    const [start] = [performance.now()];
    expect(load_pickle(pickle([0x80, 2], doubling, "."))).toHaveLength(2);
    expect(performance.now() - start).toBeLessThan(5000);
  });
  test("a string longer than the file", () => {
    expect(() => load_pickle(pickle([0x80, 2], "X\xff\xff\xff\xff.", "."))).toThrow(EOFError);
  });
  test("__proto__ is a key as any other", () => {
    const loaded = load_pickle(pickle([0x80, 2], "}X\x09\x00\x00\x00__proto__}X\x01\x00\x00\x00aK\x01ss.")) as Map<
      string,
      unknown
    >;
    expect(loaded).toBeInstanceOf(Map);
    expect(loaded.get("__proto__")).toEqual({ a: 1 });
    expect(({} as { a?: number }).a).toBeUndefined();
  });
  test.each([
    ["a tensor's own field", "cdata"],
    ["a method", "tolist"],
  ])("%s in the place of a property", (_what, name) => {
    const x = Object.assign(torch.ones([1]), { zzzzz: 1 });
    const file = torch.save(x);
    const reader = new PyTorchStreamReader(new MemoryReadAdapter(file));
    const text = Buffer.from(reader.getRecord("data.pkl")).toString("latin1");
    const changed = text.replace("X\x05\x00\x00\x00zzzzz", `X${String.fromCharCode(name.length)}\x00\x00\x00${name}`);
    expect(changed).not.toBe(text);
    const hostile = archive({ "data.pkl": pickle(changed), "data/0": reader.getRecord("data/0") });
    expect(() => torch.load(hostile)).toThrow(
      `Invalid serialized state: ${name} is no name for a property of a Tensor`,
    );
  });
  test("a method in the place of a state dict's metadata", () => {
    const build = pickle([0x80, 2], "ccollections\nOrderedDict\n)R}X\x03\x00\x00\x00getK\x01sb.");
    expect(() => load_pickle(build)).toThrow(
      "Invalid serialized state: get is no name for a property of a OrderedDict",
    );
  });
  test("numbers in the place of hooks", () => {
    const file = torch.save(torch.ones([1]));
    const reader = new PyTorchStreamReader(new MemoryReadAdapter(file));
    const text = Buffer.from(reader.getRecord("data.pkl")).toString("latin1");
    const changed = text.replace(")Rq", ")RK\x01K\x02sq");
    const hostile = archive({ "data.pkl": pickle(changed), "data/0": reader.getRecord("data/0") });
    expect(() => torch.load(hostile)).toThrow("'int' object is not callable");
  });
  test("a bomb: a record that claims to be larger than its bytes can be", () => {
    const file = archive({ "data.pkl": pickle([0x80, 2], "N.") });
    const at = Buffer.from(file).indexOf("PK\x01\x02");
    const view = new DataView(file.buffer);
    view.setUint16(at + 10, 8, true); // deflated
    view.setUint32(at + 24, 0x7fffffff, true);
    expect(() => torch.load(file)).toThrow(
      "PytorchStreamReader failed reading file data.pkl: invalid header or archive is corrupted",
    );
  });
  test("a pickle that is small only because it is compressed", () => {
    const parts: Uint8Array[] = [];
    const writer = new PyTorchStreamWriter((data) => parts.push(data.slice()), "archive");
    writer.writeRecord("data.pkl", new Uint8Array(2 ** 26 + 1), true);
    writer.writeEndOfFile();
    const file = new Uint8Array(Buffer.concat(parts));
    expect(() => torch.load(file)).toThrow("data.pkl would have 67108865 bytes, made from ");
  });
  test("bytes that do not inflate", () => {
    const file = archive({ "data.pkl": "no deflated data" });
    new DataView(file.buffer).setUint16(Buffer.from(file).indexOf("PK\x01\x02") + 10, 8, true);
    expect(() => torch.load(file)).toThrow(
      /PytorchStreamReader failed reading file data.pkl: (?:decompression failed|unexpected|CRC-32)/,
    );
  });
  test("a damaged tensor is not loaded", () => {
    const file = torch.save(torch.arange(4));
    file[Buffer.from(file).indexOf(Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0]))] = 9;
    expect(() => torch.load(file)).toThrow("PytorchStreamReader failed reading file data/0: CRC-32 check failed");
  });
  test("compressed records are read", () => {
    const parts: Uint8Array[] = [];
    const writer = new PyTorchStreamWriter((data) => parts.push(data.slice()), "archive");
    writer.writeRecord("data.pkl", pickle([0x80, 2], `X\xe8\x03\x00\x00${"a".repeat(1000)}.`), true);
    writer.writeEndOfFile();
    const file = new Uint8Array(Buffer.concat(parts));
    expect(file.length).toBeLessThan(1000);
    expect(torch.load(file)).toBe("a".repeat(1000));
  });
});
