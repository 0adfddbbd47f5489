/** `.pt2` archives: PyTorch's is read here, and one written here holds the same records and the same text. */
import "glasstorch/export";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import torch from "glasstorch";
import { python } from "glasstorch/python";
import { afterAll, expect, test } from "vitest";
import { FloatValue } from "#python/Objects/floatobject";
import { PyTorchFileReader } from "#torch/_C";
import type { Any } from "../../helpers/recorded.ts";

const path = (name: string): string => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const theirs = path("test/fixtures/export_archive.pt2");
const recorded: Any = JSON.parse(readFileSync(path("test/fixtures/export_archive.json"), "utf8"));
const cases = path("tools/oracle/pt2_cases.py");
const program = python(readFileSync(cases, "utf8"), { filename: cases, name: "pt2_cases", stdout: () => {} }) as Any;
const theirs_varied = path("test/fixtures/export_archive_varied.pt2");
const folder = mkdtempSync(join(tmpdir(), "pt2-"));
const ours = join(folder, "export_archive.pt2");
const ours_varied = join(folder, "export_archive_varied.pt2");
program.written(ours);
program.written_varied(ours_varied);
afterAll(() => rmSync(folder, { recursive: true }));

function plain(value: unknown): Any {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [String(key), plain(each)]));
  if (Array.isArray(value)) return [...value].map(plain);
  return value instanceof FloatValue ? Number(value) : value;
}

test("an archive of PyTorch", () => {
  const { torch: _version, varied: _varied, ...expected } = recorded;
  expect(plain(program.read(theirs))).toEqual(expected);
});

test("an archive of ours, read again", () => {
  const { torch: _version, varied: _varied, ...expected } = recorded;
  expect(plain(program.read(ours))).toEqual(expected);
});

/** The text of a program without what differs by machine: stack traces and functions of Python. */
function text(reader: PyTorchFileReader, name: string): Any {
  const decoded = new TextDecoder().decode(reader.get_record(name));
  return JSON.parse(decoded, (key, value: unknown) => {
    if (key === "metadata") return {};
    return key === "torch_version" ? "" : value;
  });
}

test("the records and the text are PyTorch's", () => {
  const [a, b] = [new PyTorchFileReader(ours), new PyTorchFileReader(theirs)];
  expect(a.get_all_records().sort()).toEqual(b.get_all_records().sort());
  for (const name of [
    "models/model.json",
    "data/weights/model_weights_config.json",
    "data/constants/model_constants_config.json",
  ])
    expect(text(a, name), name).toEqual(text(b, name));
  for (const name of a.get_all_records())
    if (/weight_|tensor_|archive|extra/.test(name))
      expect([...a.get_record(name)], name).toEqual([...b.get_record(name)]);
  a.close();
  b.close();
});

test("sizes that vary", () => {
  expect(plain(program.found_varied(theirs_varied))).toEqual(recorded.varied);
  expect(plain(program.found_varied(ours_varied))).toEqual(recorded.varied);
  const [a, b] = [new PyTorchFileReader(ours_varied), new PyTorchFileReader(theirs_varied)];
  expect(text(a, "models/model.json")).toEqual(text(b, "models/model.json"));
  a.close();
  b.close();
});

test("wrong arguments are refused", () => {
  const { save, load } = torch.export as Any;
  expect(() => save(1, ours)).toThrow(
    "The 'ep' parameter must be an instance of 'ExportedProgram', got 'int' instead.",
  );
  expect(() => load(join(folder, "absent.pt2"))).toThrow(/No such file or directory/);
});
