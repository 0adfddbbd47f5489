/** Who steals a gradient and who copies it: the operator calls of a backward are PyTorch's (2.13.0, `torch.profiler`). */
import torch from "glasstorch";
import { expect, test } from "vitest";
import { setTracer } from "#c10/util/Trace";

// biome-ignore lint/suspicious/noExplicitAny: tensors of the front end
type Any = any;

/** Operators called and nodes run, in order. */
function path_of(fn: () => unknown): string[] {
  const path: string[] = [];
  let depth = 0;
  setTracer({
    begin(kind, name) {
      if (kind === "op" && name.endsWith("::call")) path.push(name.replace(/^at::_ops::(.*)::call$/, "$1"));
      if (kind === "engine" && name.endsWith("::apply"))
        path.push(name.replace(/^torch::autograd::(.*)::apply$/, "$1"));
      return ++depth;
    },
    end() {},
  });
  try {
    fn();
  } finally {
    setTracer(null);
  }
  return path;
}

const clone = ["new_empty_strided", "empty_strided", "copy_"];
const leaf = (): Any => torch.ones([3, 4], { requires_grad: true });

function backward_path(fn: (a: Any, b: Any) => Any): { path: string[]; a: Any; b: Any; g: Any } {
  const a = leaf();
  const b = leaf();
  const y = fn(a, b);
  const g = torch.ones([...y.shape]);
  return { path: path_of(() => y.backward(g)), a, b, g };
}

test("the caller holds the gradient: both leaves copy it", () => {
  const { path, a, g } = backward_path((x, y) => x.add(y));
  expect(path).toEqual(["AddBackward0", "AccumulateGrad", ...clone, "AccumulateGrad", ...clone]);
  expect(a.grad.data_ptr()).not.toBe(g.data_ptr());
});

test("two leaves share a gradient of the engine's own: the first copies, the last keeps", () => {
  const { path } = backward_path((x, y) => x.add(y).mul(torch.ones([])));
  expect(path).toEqual([
    "MulBackward0",
    "mul_Tensor",
    "AddBackward0",
    "AccumulateGrad",
    ...clone,
    "AccumulateGrad",
    "detach",
  ]);
});

test("two gradients of the engine's own are added in place", () => {
  const two = torch.ones([]);
  const { path } = backward_path((x) => x.mul(two).add(x.mul(two)));
  expect(path).toEqual([
    "AddBackward0",
    "MulBackward0",
    "mul_Tensor",
    "MulBackward0",
    "mul_Tensor",
    "add__Tensor",
    "AccumulateGrad",
    "detach",
  ]);
});

test("the same gradient twice is added out of place", () => {
  expect(backward_path((x) => x.add(x)).path).toEqual(["AddBackward0", "add_Tensor", "AccumulateGrad", "detach"]);
});

test("a view of the caller's gradient is kept: `.grad` shares its memory", () => {
  const { path, a, g } = backward_path((x) => x.view([-1]));
  expect(path).toEqual(["ViewBackward0", "reshape", "view", "AccumulateGrad", "detach"]);
  expect(a.grad.data_ptr()).toBe(g.data_ptr());
});

test("views are not added in place: they keep their base alive", () => {
  const two = torch.ones([]);
  const branch = (x: Any): Any => x.view([-1]).view([3, 4]).mul(two);
  const { path } = backward_path((x) => branch(x).add(branch(x)));
  const half = ["MulBackward0", "mul_Tensor", "ViewBackward0", "reshape", "view", "ViewBackward0", "reshape", "view"];
  expect(path).toEqual(["AddBackward0", ...half, ...half, "add_Tensor", "AccumulateGrad", "detach"]);
});

test("a hook that keeps the gradient makes the leaf copy it", () => {
  const kept: Any[] = [];
  const { path, a } = backward_path((x) => {
    x.register_hook((grad: Any) => {
      kept.push(grad);
    });
    return x.mul(torch.ones([]));
  });
  expect(path).toEqual(["MulBackward0", "mul_Tensor", "AccumulateGrad", ...clone]);
  expect(a.grad.data_ptr()).not.toBe(kept[0].data_ptr());
});

test("what a user's backward made is handed over", () => {
  class Double extends torch.autograd.Function {
    static override forward(_ctx: Any, x: Any): Any {
      return x.add(x);
    }
    static override backward(_ctx: Any, grad: Any): Any {
      return grad.add(grad);
    }
  }
  expect(backward_path((x) => Double.apply(x)).path).toEqual(["PyNode", "add_Tensor", "AccumulateGrad", "detach"]);
  expect(backward_path((x) => Double.apply(x).add(Double.apply(x))).path).toEqual([
    "AddBackward0",
    "PyNode",
    "add_Tensor",
    "PyNode",
    "add_Tensor",
    "add__Tensor",
    "AccumulateGrad",
    "detach",
  ]);
});

test("a second backward adds into `.grad` in place; with create_graph out of place", () => {
  const x = leaf();
  const g = torch.ones([3, 4]);
  x.mul(torch.ones([])).backward(g);
  const first = x.grad;
  expect(path_of(() => x.mul(torch.ones([])).backward(g)).slice(-2)).toEqual(["AccumulateGrad", "add__Tensor"]);
  expect(x.grad).toBe(first);
  const y = x.mul(torch.ones([]));
  expect(path_of(() => y.backward(g, { create_graph: true })).slice(-2)).toEqual(["AccumulateGrad", "add_Tensor"]);
});

test("an expanded gradient is copied: its elements share memory", () => {
  const { path, a } = backward_path((x) => x.sum());
  expect(path).toEqual(["SumBackward0", "expand", "as_strided", "AccumulateGrad", ...clone]);
  expect(a.grad.stride()).toEqual([4, 1]);
});
