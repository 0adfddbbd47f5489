/** The operators that a TorchDispatchMode sees for a Parameter; the same steps in PyTorch 2.13.0 give the names below. */
import torch from "glasstorch";
import { expect, test } from "vitest";
import type { Any } from "../helpers/recorded.ts";

class Seen extends (torch.utils._python_dispatch as Any).TorchDispatchMode {
  readonly ops: string[] = [];
  __torch_dispatch__(func: Any, _types: Any, args: Any[], kwargs: Any): Any {
    this.ops.push(func.name().replace("aten::", ""));
    return func(...args, kwargs);
  }
}

function seen(run: () => unknown): string[] {
  const mode: Any = new Seen();
  mode.with(run);
  return mode.ops;
}

// with M(): torch.nn.Parameter(torch.ones(2))
test("a Parameter is made unseen", () => {
  expect(seen(() => new torch.nn.Parameter(torch.ones(2)))).toEqual(["ones"]);
});
// p = torch.nn.Parameter(torch.ones(2));  with M(): copy.deepcopy(p)
test("its copy is a detach and a clone", () => {
  const p: Any = new torch.nn.Parameter(torch.ones(2));
  expect(seen(() => p.__deepcopy__(new Map()))).toEqual(["detach", "clone"]);
});
// with M(): torch.rot90(torch.ones(2, 2), -4), torch.roll(x, 0) in a backward: integers have no negative zero
test("an integer is never a negative zero", () => {
  const x: Any = torch.ones([2, 2], { requires_grad: true });
  const ops = seen(() => {
    torch.rot90(x, 0).sum().backward();
    torch.roll(x, 0).sum().backward();
  });
  expect(ops.filter((op) => op === "rot90" || op === "roll")).toEqual(["rot90", "rot90", "roll", "roll"]);
});
