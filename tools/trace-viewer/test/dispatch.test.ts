/**
 * @file The dispatcher's choice as a table, and rows of the dump.
 * @original
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { choiceOf } from "../src/model/dispatch.ts";
import { type DispatchTables, highToLow, readTable } from "../src/model/dispatchTable.ts";
import { fixture } from "./support/fixtures.ts";

const { tables } = JSON.parse(
  readFileSync(new URL("../public/samples/tables.json", import.meta.url), "utf8"),
) as DispatchTables;
const forward = fixture("prelu.json");
const op = (name: string) => forward.events.find((e) => e.name === name) as (typeof forward.events)[number];

test("keys stand in the dispatcher's order, highest first", () => {
  expect(
    highToLow(["CPU", "AutogradCPU", "BackendSelect", "AutocastCPU", "ADInplaceOrView", "CPU", "Nonsense"]),
  ).toEqual(["AutocastCPU", "AutogradCPU", "ADInplaceOrView", "BackendSelect", "CPU", "Nonsense"]);
  expect(highToLow(["CUDA", "CPU", "Meta"])).toEqual(["Meta", "CUDA", "CPU"]);
});

test("why _prelu_kernel goes to autograd", () => {
  const choice = choiceOf(op("at::_ops::_prelu_kernel::call"), readTable(tables["aten::_prelu_kernel"] as string));
  expect(choice.columns).toEqual(["AutocastCPU", "AutogradCPU", "ADInplaceOrView", "BackendSelect", "CPU"]);
  const row = (label: string) => [...(choice.rows.find((r) => r.label === label)?.keys ?? [])].sort();
  expect(row("weight")).toEqual(["ADInplaceOrView", "AutocastCPU", "AutogradCPU", "CPU"]);
  expect(row("+ included by mode")).toEqual(["ADInplaceOrView", "BackendSelect"]);
  expect(row("− excluded by mode")).toEqual(["AutocastCPU"]);
  expect(row("− falls through")).toEqual(["ADInplaceOrView", "BackendSelect"]);
  expect(row("what is left")).toEqual(["AutogradCPU", "CPU"]);
  expect(choice.key).toBe("AutogradCPU");
  expect(choice.idle).toContain("AutocastCUDA");
  expect(choice.otherwise).toBeNull(); // AutocastCPU falls through
});

test("a functionality that a mode excludes takes the backend's key with it", () => {
  const choice = choiceOf({
    ...op("at::_ops::_prelu_kernel::call"),
    tls: { included: ["BackendSelect"], excluded: ["AutogradOther", "AutocastCPU", "AutogradFunctionality"] },
    keyset: ["CPU"],
    key: "CPU",
  });
  const keys = (kind: string) => [...(choice.rows.find((r) => r.kind === kind)?.keys ?? [])].sort();
  expect(keys("excluded")).toEqual(["AutocastCPU", "AutogradCPU"]);
  expect(keys("fallthrough")).toEqual(["ADInplaceOrView", "BackendSelect"]);
  expect(choice.idle).toEqual(["AutogradOther"]);
});

test("below autograd, the exclusions are what keeps autograd out", () => {
  const choice = choiceOf(
    {
      ...op("at::_ops::_prelu_kernel::call"),
      tls: { included: [], excluded: ["AutogradCPU"] },
      keyset: ["CPU"],
      key: "CPU",
    },
    readTable(tables["aten::_prelu_kernel"] as string),
  );
  expect(choice.otherwise?.key).toBe("AutogradCPU");
  expect(choice.otherwise?.origin).toBe("autograd kernel");
});

test("a redispatch takes what it is handed", () => {
  const choice = choiceOf(op("at::_ops::_prelu_kernel::redispatch"));
  expect(choice.rows.map((r) => r.kind)).toEqual(["argument", "argument", "excluded", "handed"]);
  expect([...(choice.rows.at(-1)?.keys ?? [])]).toEqual(["CPU"]);
});

test("the dump reads back cell by cell", () => {
  const cells = readTable(tables["aten::view"] as string);
  const cell = (key: string) => cells.find((c) => c.key === key);
  expect(cell("CPU")).toEqual({
    key: "CPU",
    fallthrough: false,
    registered: expect.stringMatching(/RegisterCPU_\d+\.ts$/),
    origin: "kernel",
  });
  expect(cell("BackendSelect")?.fallthrough).toBe(true);
  expect(cell("AutogradCPU")?.origin).toBe("autograd kernel");
});
