/** Every public module and name of PyTorch can be imported from Python, or the error says that it is not built here. */
import { readFileSync } from "node:fs";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { absent_modules_table, recorded_modules, sweep } from "../../tools/pytorch/absent_modules.ts";

const table = new URL("../../src/torch/generated/absent_modules.ts", import.meta.url);

test("what cannot be imported or read is in the table, and the error says so", () => {
  const { modules } = recorded_modules();
  const absent = sweep(modules);
  expect(
    readFileSync(table, "utf8") === absent_modules_table(absent),
    "run: npx tsx tools/pytorch/absent_modules.ts",
  ).toBe(true);
  expect(absent.filter(([, , said]) => !said.includes("not built here"))).toEqual([]);
  expect(Object.keys(modules).length).toBeGreaterThan(800);
});

test.each([
  ["import torch.distributed.fsdp", "ModuleNotFoundError", "there is one process here"],
  ["from torch.multiprocessing import Process", "ModuleNotFoundError", "there is one process here"],
  ["from torch.optim.sgd import sgd", "ImportError", "torch.optim.sgd.sgd is not implemented: it is not built here"],
  [
    "import torch.fx.traceback\ntorch.fx.traceback.format_stack",
    "AttributeError",
    "torch.fx.traceback.format_stack is not implemented",
  ],
])("%s", (text, kind, reason) => {
  const error = python(`
caught = None
try:
    exec(${JSON.stringify(text)})
except Exception as e:
    caught = [type(e).__name__, e.__notes__]
`) as unknown as { caught: [string, string[]] };
  expect(error.caught[0]).toBe(kind);
  expect(error.caught[1].join(" ")).toContain(reason);
});

test("a name that PyTorch does not have gets no reason", () => {
  const { notes } = python(`
import torch.optim.sgd
notes = []
for text in ['import torch.no_such_module', 'from torch.optim.sgd import no_such_name', 'torch.optim.no_such_name']:
    try:
        exec(text)
    except (ImportError, AttributeError) as e:
        notes.append(getattr(e, '__notes__', None))
`) as unknown as { notes: unknown[] };
  expect(notes).toEqual([null, null, null]);
});
