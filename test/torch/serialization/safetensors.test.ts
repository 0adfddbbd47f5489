/**
 * @file The format safetensors: files of the Python package safetensors 0.8.0 byte for byte, and its refusals.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import torch, { type Tensor } from "../../../src/index.ts";

const folder = mkdtempSync(join(tmpdir(), "glasstorch-safetensors-"));
afterAll(() => rmSync(folder, { recursive: true }));
const { save, load, save_file, load_file } = torch.safetensors;

function file(header: unknown, data = ""): Uint8Array {
  const text = Buffer.from(typeof header === "string" ? header : JSON.stringify(header), "latin1");
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return new Uint8Array(Buffer.concat([length, text, Buffer.from(data, "latin1")]));
}

const tensor = (shape: unknown, data_offsets: unknown, dtype = "F32") => ({ a: { dtype, shape, data_offsets } });

test("kinds of large elements come first, then names; the header is filled up", () => {
  const bytes = save(
    {
      b: torch.arange(3),
      a: torch.ones([2, 2]),
      c: torch.tensor(true),
      h: torch.ones([3], { dtype: torch.half }),
      e: torch.empty([0, 3]),
      z: torch.tensor(2.5, { dtype: torch.float64 }),
      u: torch.ones([1]).to(torch.uint8),
      bf: torch.ones([1], { dtype: torch.bfloat16 }),
    },
    { format: "pt" },
  );
  const header =
    '{"__metadata__":{"format":"pt"},"b":{"dtype":"I64","shape":[3],"data_offsets":[0,24]},"z":{"dtype":"F64","shape":[],"data_offsets":[24,32]},"a":{"dtype":"F32","shape":[2,2],"data_offsets":[32,48]},"e":{"dtype":"F32","shape":[0,3],"data_offsets":[48,48]},"bf":{"dtype":"BF16","shape":[1],"data_offsets":[48,50]},"h":{"dtype":"F16","shape":[3],"data_offsets":[50,56]},"u":{"dtype":"U8","shape":[1],"data_offsets":[56,57]},"c":{"dtype":"BOOL","shape":[],"data_offsets":[57,58]}}';
  expect(Buffer.from(bytes.subarray(8, bytes.length - 58)).toString()).toBe(header.padEnd(480, " "));
  const read = load(bytes);
  expect(Object.keys(read)).toEqual(["b", "z", "a", "e", "bf", "h", "u", "c"]);
  expect([read["b"].tolist(), read["z"].item(), read["h"].dtype]).toEqual([[0, 1, 2], 2.5, torch.float16]);
});

test("a file, also through torch.load; a state dict", () => {
  const net = new torch.nn.Linear(2, 3);
  const path = join(folder, "net.safetensors");
  save_file(net.state_dict() as ReadonlyMap<string, Tensor>, path);
  expect(load_file(path)["weight"].tolist()).toEqual(net.weight.tolist());
  const loaded = torch.load(path, { map_location: "meta" }) as Record<string, Tensor>;
  expect([loaded["bias"].is_meta, loaded["bias"].shape]).toEqual([true, [3]]);
  expect(() => torch.load(path, { map_location: { cpu: "meta" } })).toThrow(
    "Loading safetensors file with dict map_location is not supported. Use a device string or torch.device instead.",
  );
});

describe("what cannot be written", () => {
  const t = torch.ones([4]);
  test.each<[string, unknown, string]>([
    ["a list", [t], "Expected a dict of [str, torch.Tensor] but received <class 'list'>"],
    ["a number", { a: 1 }, "Key `a` is invalid, expected torch.Tensor but received <class 'int'>"],
    [
      "shared memory",
      { a: t, b: t },
      "Some tensors share memory, this will lead to duplicate memory on disk and potential differences when loading them again: [{'a', 'b'}].",
    ],
    [
      "strides",
      { a: torch.ones([2, 3]).t() },
      "You are trying to save a non contiguous tensor: `a` which is not allowed.",
    ],
    ["a key that is no string", new Map([[1, t]]), "argument 'tensor_dict': 'int' object is not an instance of 'str'"],
  ])("%s", (_what, tensors, message) => {
    expect(() => save(tensors as never)).toThrow(message);
  });
});

describe("what cannot be read", () => {
  test.each<[string, Uint8Array, string]>([
    ["nothing", new Uint8Array(0), "header too small"],
    ["a long header", new Uint8Array([0, 0, 0, 0, 0, 1, 0, 0, 123, 125]), "header too large"],
    ["a header cut off", new Uint8Array([99, 0, 0, 0, 0, 0, 0, 0, 123, 125]), "invalid header length"],
    ["no JSON", file("{x}"), "invalid JSON in header: "],
    ["a list", file([]), "invalid JSON in header: "],
    ["no UTF-8", file('{"\xff":1}'), "invalid UTF-8 in header"],
    ["another size", file(tensor([2], [0, 4]), "1234"), "invalid shape, data type, or offset for tensor"],
    ["too few bytes", file(tensor([2], [0, 8]), "1234"), "incomplete metadata, file not fully covered"],
    ["too many bytes", file(tensor([1], [0, 4]), "12345"), "incomplete metadata, file not fully covered"],
    ["a gap", file(tensor([1], [4, 8]), "12345678"), "invalid offset for tensor `a`"],
    ["backwards", file(tensor([0], [4, 0])), "invalid offset for tensor `a`"],
    ["a negative size", file(tensor([-1], [0, 4]), "1234"), "invalid JSON in header: "],
    ["another dtype", file(tensor([1], [0, 4], "F99"), "1234"), "invalid JSON in header: unknown variant `F99`"],
    [
      "overflow",
      file(tensor([2 ** 40, 2 ** 40], [0, 4]), "1234"),
      "overflow computing buffer size from shape and/or element type",
    ],
    ["metadata", file({ __metadata__: { a: 1 } }), "invalid JSON in header: "],
    ["overlap", file({ ...tensor([1], [0, 4]), b: tensor([1], [0, 4]).a }, "1234"), "invalid offset for tensor `b`"],
    ["no tensor", file({ a: null }), "invalid JSON in header: "],
  ])("%s", (_what, bytes, message) => {
    let refused: unknown = null;
    try {
      load(bytes);
    } catch (error) {
      refused = error;
    }
    expect(refused).toMatchObject({ name: "SafetensorError" });
    expect((refused as Error).message).toContain(`Error while deserializing: ${message}`);
  });
  test("no bytes", () => {
    expect(() => load("x" as never)).toThrow("argument 'bytes': 'str' object is not an instance of 'bytes'");
  });
});
