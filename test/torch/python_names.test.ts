/**
 * The classes and functions of the library have PyTorch's names in Python: `__module__`, `__qualname__` and kind, as tools/oracle/record_python_names.py
 * recorded them, and programs may import from the modules in which PyTorch defines them.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import "glasstorch/export";
import "glasstorch/jit";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { names_table } from "../../tools/pytorch/python_names.ts";

const recorded = JSON.parse(
  gunzipSync(readFileSync(new URL("../../tools/pytorch/python_names.json.gz", import.meta.url))).toString(),
) as { modules: Record<string, Record<string, [kind: string, module: string, qualname: string]>> };

const table = new URL("../../src/torch/generated/python_names.ts", import.meta.url);

test("the table is what its tool writes", () => {
  expect(readFileSync(table, "utf8") === names_table(), "run: npx tsx tools/pytorch/python_names.ts").toBe(true);
});

/** A program that describes every recorded name that the library has. */
const PROGRAM = `
import torch, importlib, types
def names(recorded):
    rows = {}
    for module in recorded:
        found = torch
        for part in module.split(".")[1:]:
            found = getattr(found, part, None) if hasattr(found, part) else None
            if found is None:
                break
        if not isinstance(found, types.ModuleType):
            continue
        for name in recorded[module]:
            if not hasattr(found, name):
                continue
            value = getattr(found, name)
            kind = "class" if isinstance(value, type) else type(value).__name__
            rows[module + "|" + name] = (kind, getattr(value, "__module__", None), getattr(value, "__qualname__", None), repr(value))
    return rows
`;

const KINDS: Record<string, string> = {
  class: "class",
  "c class": "class",
  function: "function",
  builtin: "builtin_function_or_method",
};

/** Kinds of things in which the library is made otherwise than PyTorch. */
const DIFFERENT = [
  /^torch\|\w+Tensor: function .* PyTorch: class/, // types of old tensors are functions that make tensors
  /^torch\.distributions\.constraints\|\w+: function .*PyTorch: class/, // functions make constraints
  /^torch\.distributions\.utils\|lazy_property: function/,
  /\|Buffer: function .*PyTorch: class/,
  /\|(DistributedDataParallel|SparseAdam): function .*PyTorch: class/, // not built
  /: module null null, PyTorch: class/, // enumerations are plain objects
  /^torch\._C\|device: builtin/,
  /: module builtins null, PyTorch: function/, // the function is not built, and the module of its name shows
  /^torch\.profiler\.itt\|\w+: function torch\.profiler\.itt _refuse/, // one function refuses for all
  /^torch\.compiler\|compile: function torch compile/, // one function here
];

test("every recorded name", () => {
  const names = python(PROGRAM)["names"] as (recorded: unknown) => Map<string, string[]>;
  const rows = names(new Map(Object.entries(recorded.modules).map(([module, it]) => [module, [...Object.keys(it)]])));
  const off: string[] = [];
  for (const [path, [kind, module, qualname, repr]] of rows) {
    const [owner, name] = path.split("|") as [string, string];
    const [expected_kind, expected_module, expected_qualname] = (recorded.modules[owner] as never)[name] as string[];
    const got = `${kind} ${module} ${qualname}`;
    const expected = `${KINDS[expected_kind as string]} ${expected_module} ${expected_qualname}`;
    if (got !== expected) off.push(`${path}: ${got}, PyTorch: ${expected}`);
    else if (kind === "class" && repr !== `<class '${module}.${qualname}'>` && expected_kind !== "class")
      off.push(`${path}: ${repr}`);
  }
  expect(rows.size).toBeGreaterThan(2000);

  expect(off.filter((line) => !DIFFERENT.some((pattern) => pattern.test(line)))).toEqual([]);
  for (const pattern of DIFFERENT)
    expect(
      off.some((line) => pattern.test(line)),
      String(pattern),
    ).toBe(true);
});

test("modules in which PyTorch defines names can be imported", () => {
  const module = python(`
from torch.nn.modules.linear import Linear
from torch.nn.modules.conv import _ConvNd
from torch.nn.modules.batchnorm import _BatchNorm
import torch.optim.sgd
import torch.nn.modules.activation as activation
from torch.optim.optimizer import Optimizer
from torch.utils.data.dataloader import DataLoader
import torch
same = [Linear is torch.nn.Linear, issubclass(torch.nn.Conv2d, _ConvNd), issubclass(torch.nn.BatchNorm1d, _BatchNorm),
        torch.optim.sgd.SGD is torch.optim.SGD, activation.ReLU is torch.nn.ReLU, Optimizer is torch.optim.Optimizer,
        DataLoader is torch.utils.data.DataLoader]
`);
  expect(module["same"]).toEqual([true, true, true, true, true, true, true]);
  expect(() => python("from torch.nn.modules.linear import Nothing")).toThrow(
    "cannot import name 'Nothing' from 'torch.nn.modules.linear'",
  );
});
