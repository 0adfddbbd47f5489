/**
 * @file The archive: where records stand, what its sums and its number are, and archives of more than 4 GB.
 */
import { crc32 as zlib_crc32 } from "node:zlib";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { crc32 } from "#caffe2/serialize/crc_alt";
import { MemoryReadAdapter } from "#caffe2/serialize/in_memory_adapter";
import { node_fs } from "#caffe2/serialize/node_fs";
import { PyTorchStreamReader } from "#caffe2/serialize/PyTorchStreamReader";
import { PyTorchStreamWriter } from "#caffe2/serialize/PyTorchStreamWriter";
import type { ReadAdapterInterface } from "#caffe2/serialize/read_adapter_interface";
import { hash_string, serialization_id } from "#caffe2/serialize/serialization_id";

type Records = Record<string, Uint8Array>;

function write(records: Records, begin = 0): Uint8Array {
  const parts: Uint8Array[] = [];
  const writer = new PyTorchStreamWriter((data) => parts.push(data.slice()), "archive");
  Object.assign(writer, { current_pos_: begin });
  for (const [name, data] of Object.entries(records)) writer.writeRecord(name, data);
  writer.writeEndOfFile();
  return new Uint8Array(Buffer.concat(parts));
}

describe("records", () => {
  const bytes = (n: number): Uint8Array => Uint8Array.from({ length: n }, (_, i) => i * 7);
  test("come back, and their data begins at multiples of 64", () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z/]{1,90}$/), { maxLength: 20 });
    fc.assert(
      fc.property(names, fc.nat(200), (keys, size) => {
        const records = Object.fromEntries(keys.map((key, i) => [`data/${key}`, bytes(size + i)]));
        const file = write(records);
        const reader = new PyTorchStreamReader(new MemoryReadAdapter(file));
        for (const name of reader.getAllRecords()) expect(reader.getRecordOffset(name) % 64).toBe(0);
        for (const [name, data] of Object.entries(records)) expect([...reader.getRecord(name)]).toEqual([...data]);
        expect(reader.version()).toBe(3);
      }),
      { numRuns: 40 },
    );
  });
  test("are written once", () => {
    const writer = new PyTorchStreamWriter(() => undefined, "archive");
    writer.writeRecord("a", bytes(1));
    expect(() => writer.writeRecord("a", bytes(1))).toThrow("Tried to serialize file twice: a");
    writer.writeEndOfFile();
    expect(() => writer.writeRecord("b", bytes(1))).toThrow("should not be finalized");
    expect([...writer.getAllWrittenRecords()]).toEqual(["a", "version", ".data/serialization_id"]);
  });
  test("a name that is not there", () => {
    const reader = new PyTorchStreamReader(new MemoryReadAdapter(write({ a: bytes(3) })));
    expect(() => reader.getRecord("b")).toThrow("PytorchStreamReader failed locating file b: file not found.");
  });
});

test("beyond 4 GB the sizes and places stand in wider fields", () => {
  const begin = 5 * 2 ** 30;
  const file = write({ "data/0": new Uint8Array([1, 2, 3]), empty: new Uint8Array(0) }, begin);
  const far: ReadAdapterInterface = {
    size: () => begin + file.length,
    read: (pos, n) => {
      const bytes = new Uint8Array(Math.min(n, begin + file.length - pos));
      const hole = Math.max(0, begin - pos);
      if (hole < bytes.length) bytes.set(file.subarray(pos + hole - begin, pos + bytes.length - begin), hole);
      return bytes;
    },
  };
  const reader = new PyTorchStreamReader(far);
  expect([...reader.getRecord("data/0")]).toEqual([1, 2, 3]);
  expect(reader.getRecord("empty")).toHaveLength(0);
  expect(reader.getRecordHeaderOffset("data/0")).toBe(begin);
  expect(reader.getRecordOffset("data/0") % 64).toBe(0);
});

describe("numbers over bytes", () => {
  test("the sum is zip's", () => {
    expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
    if (typeof zlib_crc32 !== "function") return; // Node 20.15, 22.2
    fc.assert(fc.property(fc.uint8Array({ maxLength: 100 }), (data) => crc32(data) === zlib_crc32(data)));
  });
  test("libstdc++ hashes strings so", () => {
    // std::hash<std::string>, g++ on x86-64
    expect(hash_string("")).toBe(6142509188972423790n);
    expect(hash_string("data.pkl")).toBe(4941642132189851806n);
    expect(hash_string("abcdefghijk")).toBe(3672398144843267301n);
  });
  test("the number of an archive, as PyTorch gave it to one of 47 records", () => {
    const names = ["data.pkl", ".format_version", ".storage_alignment", "byteorder"];
    for (let i = 0; i < 40; i++) names.push(`data/${i}`);
    names.push("version");
    expect(serialization_id(names, 17299002673246228010n)).toBe("1506586100111105375517299002673246228010");
  });
});

describe("without a file system", () => {
  afterEach(() => vi.unstubAllGlobals());
  test("it is said what to do", () => {
    vi.stubGlobal("process", undefined);
    expect(node_fs).toThrow(
      "There is no file system here: give the bytes of the file (a Uint8Array) instead of its path.",
    );
  });
});
