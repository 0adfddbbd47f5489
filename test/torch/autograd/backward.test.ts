/** `backward` and `grad`: order, modes, hooks, errors. Messages are those of PyTorch 2.13.0. */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";

// biome-ignore lint/suspicious/noExplicitAny: tensors of the front end
type Any = any;
const leaf = (...values: number[]): Any => torch.tensor(values, { dtype: torch.float64, requires_grad: true });

describe("graphs", () => {
  test("edges lead from results to leaves", () => {
    const a = leaf(1, 2);
    const y = a.mul(a).add(3);
    expect(y.grad_fn.name()).toBe("AddBackward0");
    const [[mul, output_nr]] = y.grad_fn.next_functions;
    expect([mul.name(), output_nr]).toEqual(["MulBackward0", 0]);
    expect(mul.next_functions.map(([node]: Any) => node.name())).toEqual([
      "torch::autograd::AccumulateGrad",
      "torch::autograd::AccumulateGrad",
    ]);
    expect(mul.next_functions[0][0].variable).toBe(a);
    expect(String(mul.next_functions[0][0].constructor.name)).toBe("AccumulateGrad");
  });

  test("an input that needs no gradient has no edge", () => {
    expect(leaf(1).mul(torch.ones([1])).grad_fn.next_functions[1]).toEqual([null, 0]);
  });

  test("grad_fn is the same object every time", () => {
    const y = leaf(1).exp();
    expect(y.grad_fn).toBe(y.grad_fn);
  });

  test("nodes are numbered in order of creation, accumulators last", () => {
    const y = leaf(1).exp().exp();
    const [[first]] = y.grad_fn.next_functions;
    expect(y.grad_fn._sequence_nr()).toBe(first._sequence_nr() + 1);
    expect(first.next_functions[0][0]._sequence_nr()).toBe(18446744073709551615n);
  });

  test("no_grad, enable_grad, inference_mode and set_grad_enabled", () => {
    const a = leaf(1);
    expect(torch.no_grad(() => a.mul(2)).requires_grad).toBe(false);
    expect(torch.no_grad(() => torch.enable_grad(() => a.mul(2))).requires_grad).toBe(true);
    expect(torch.set_grad_enabled(false, () => a.mul(2)).requires_grad).toBe(false);
    const inferred = torch.inference_mode(() => a.mul(2));
    expect([inferred.requires_grad, inferred.is_inference()]).toEqual([false, true]);
    expect(torch.is_grad_enabled()).toBe(true);
    expect(() =>
      torch.no_grad(() => {
        throw new Error("left early");
      }),
    ).toThrow("left early");
    expect(torch.is_grad_enabled()).toBe(true);
  });
});

describe("values", () => {
  test("a polynomial", () => {
    const x = leaf(2, 3);
    x.mul(x).mul(x).sum().backward();
    expect(x.grad.tolist()).toEqual([12, 27]);
  });

  test("gradients add up over calls", () => {
    const x = leaf(2);
    x.mul(3).backward();
    x.mul(4).backward();
    expect(x.grad.tolist()).toEqual([7]);
  });

  test("a broadcast input gets the sum", () => {
    const a = leaf(1, 2, 3);
    const b: Any = torch.tensor([[1], [2]], { dtype: torch.float64, requires_grad: true });
    a.mul(b).sum().backward();
    expect(a.grad.tolist()).toEqual([3, 3, 3]);
    expect(b.grad.tolist()).toEqual([[6], [6]]);
  });

  test("gradients come back in the dtype of the input", () => {
    const a: Any = torch.ones([2], { dtype: torch.float32, requires_grad: true });
    const b = leaf(1, 2);
    a.mul(b).sum().backward();
    expect([String(a.grad.dtype), String(b.grad.dtype)]).toEqual(["torch.float32", "torch.float64"]);
  });

  test("grad returns and leaves `.grad` alone", () => {
    const x = leaf(3);
    const [g] = torch.autograd.grad(x.mul(x), x);
    expect([g.tolist(), x.grad]).toEqual([[6], null]);
  });

  test("second and third derivatives", () => {
    const x = leaf(2);
    const y = x.mul(x).mul(x).mul(x);
    const [first]: Any = torch.autograd.grad(y, x, { create_graph: true });
    const [second]: Any = torch.autograd.grad(first, x, { create_graph: true });
    const [third]: Any = torch.autograd.grad(second, x);
    expect([first.item(), second.item(), third.item()]).toEqual([32, 48, 48]);
  });

  test("inputs= limits what is computed", () => {
    const a = leaf(2);
    const b = leaf(5);
    a.mul(b).backward({ inputs: [a] });
    expect([a.grad.item(), b.grad]).toEqual([5, null]);
  });

  test("grad with respect to an intermediate", () => {
    const a = leaf(2);
    const b = a.mul(3);
    const c = b.mul(b);
    expect(torch.autograd.grad(c, [b, a]).map((g: Any) => g.item())).toEqual([12, 36]);
  });

  test("several outputs at once", () => {
    const a = leaf(2);
    torch.autograd.backward([a.mul(3), a.mul(4)], {
      grad_tensors: [torch.ones([1], { dtype: torch.float64 }), torch.ones([1], { dtype: torch.float64 })],
    });
    expect(a.grad.item()).toBe(7);
  });

  test("a deep chain needs no deep stack", () => {
    let y = leaf(1);
    const x = y;
    for (let i = 0; i < 20_000; i++) y = y.add(1);
    y.backward();
    expect(x.grad.item()).toBe(1);
  });
});

describe("hooks", () => {
  test("order: tensor hook, pre-hook, node, post-hook; leaf hook, accumulate, post-accumulate hook", () => {
    const order: string[] = [];
    const a = leaf(2);
    const b = a.mul(3);
    b.register_hook(() => {
      order.push("tensor");
    });
    b.retain_grad();
    b.grad_fn.register_prehook(() => {
      order.push(`pre ${b.grad.item()}`);
    });
    b.grad_fn.register_hook(() => {
      order.push("post");
    });
    a.register_hook(() => {
      order.push(`leaf ${a.grad}`);
    });
    a.register_post_accumulate_grad_hook((p: Any) => {
      order.push(`accumulated ${p.grad.item()}`);
    });
    b.backward();
    expect(order).toEqual(["tensor", "pre 1", "post", "leaf null", "accumulated 3"]);
  });

  test("among ready nodes the youngest runs first", () => {
    const order: string[] = [];
    const a = leaf(1);
    const b = a.mul(2);
    const c = a.mul(3);
    const d = b.mul(5);
    const e = c.mul(7);
    const s = d.add(e);
    for (const [name, t] of Object.entries({ b, c, d, e, s })) {
      t.register_hook(() => {
        order.push(name);
      });
    }
    s.backward();
    expect(order).toEqual(["s", "e", "d", "c", "b"]);
  });

  test("what a hook returns takes the gradient's place", () => {
    const x = leaf(1);
    const handle = x.register_hook((g: Any) => g.mul(10));
    x.mul(2).backward();
    expect(x.grad.item()).toBe(20);
    handle.remove();
    x.grad = null;
    x.mul(2).backward();
    expect(x.grad.item()).toBe(2);
  });

  test("grad captures after the hooks of an input that is not needed further, before those of one that is", () => {
    const a = leaf(1);
    const captured = (inputs: (b: Any) => Any[]): number[] => {
      const b = a.mul(2);
      const c = b.mul(3);
      b.register_hook((g: Any) => g.mul(10));
      return torch.autograd.grad(c, inputs(b)).map((g: Any) => g.item());
    };
    expect(captured((b) => [a, b])).toEqual([60, 3]);
    expect(captured((b) => [b])).toEqual([30]);
  });

  test("register_multi_grad_hook waits for those that will come", () => {
    const [a, b, c] = [leaf(1), leaf(2), leaf(3)];
    const seen: Any[] = [];
    torch.autograd.graph.register_multi_grad_hook([a, b, c], (grads: Any) => {
      seen.push(grads.map((g: Any) => g?.item() ?? null));
    });
    a.mul(b).backward();
    expect(seen).toEqual([[2, 1, null]]);
    let calls = 0;
    torch.autograd.graph.register_multi_grad_hook([a, b], () => calls++, { mode: "any" });
    a.mul(b).backward();
    expect(calls).toBe(1);
  });

  test("a backward inside a backward", () => {
    const w = leaf(3);
    class Inner extends torch.autograd.Function {
      static override forward(_ctx: Any, x: Any): Any {
        return x.mul(1);
      }
      static override backward(_ctx: Any, g: Any): Any {
        torch.enable_grad(() => w.mul(w).backward());
        return g;
      }
    }
    const x = leaf(1);
    Inner.apply(x.mul(w)).backward();
    expect([x.grad.item(), w.grad.item()]).toEqual([3, 7]);
  });

  test("saved tensor hooks see what is saved and give it back", () => {
    const x = leaf(2);
    const packed: number[] = [];
    const y = torch.autograd.graph.saved_tensors_hooks(
      (t: Any) => {
        packed.push(t.item());
        return t.item();
      },
      (value: number) => torch.tensor([value], { dtype: torch.float64 }),
      () => x.mul(x),
    );
    y.backward();
    expect([packed, x.grad.item()]).toEqual([[2, 2], 4]);
  });

  test("gradient edges stand for tensors", () => {
    const x = leaf(2);
    const y = x.mul(x);
    const edge = torch.autograd.graph.get_gradient_edge(x);
    expect(edge.node.name()).toBe("torch::autograd::AccumulateGrad");
    expect(torch.autograd.grad(torch.autograd.graph.get_gradient_edge(y), edge).map((g: Any) => g.item())).toEqual([4]);
  });
});

describe("refusals", () => {
  const twice =
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already been " +
    "freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify " +
    "retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after " +
    "calling backward.";

  test("a second backward, unless the graph was kept", () => {
    const x = leaf(2);
    const y = x.mul(x);
    y.backward({ retain_graph: true });
    y.backward();
    expect(x.grad.item()).toBe(8);
    expect(() => y.backward()).toThrow(twice);
    expect(() => y.grad_fn._saved_self).toThrow(twice);
  });

  test.each([
    [
      "no graph",
      () => torch.ones([]).backward(),
      "element 0 of tensors does not require grad and does not have a grad_fn",
    ],
    ["not a scalar", () => leaf(1, 2).mul(2).backward(), "grad can be implicitly created only for scalar outputs"],
    [
      "another shape",
      () =>
        leaf(1, 2, 3)
          .mul(2)
          .backward(torch.ones([4])),
      "Mismatch in shape: grad_output[0] has a shape of torch.Size([4]) and output[0] has a shape of torch.Size([3]).",
    ],
    [
      "not in the graph",
      () => torch.autograd.grad(leaf(1).mul(2), leaf(1)),
      "The differentiated Tensor at index 0 appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior.",
    ],
    [
      "requires no grad",
      () => torch.autograd.grad(leaf(1).mul(2), torch.ones([1])),
      "One of the differentiated Tensors does not require grad",
    ],
    ["no inputs", () => torch.autograd.grad(leaf(1).mul(2), []), "`inputs` argument to `grad()` cannot be empty."],
    [
      "a string",
      () => torch.autograd.backward([leaf(1).sum()], { grad_tensors: ["x"] as Any }),
      "gradients can be either Tensors or None, but got str",
    ],
    [
      "an integer leaf",
      () => torch.tensor([1], { requires_grad: true }),
      "Only Tensors of floating point and complex dtype can require gradients",
    ],
  ])("%s", (_name, fn, message) => {
    expect(fn).toThrow(message);
  });

  test("allow_unused gives null, materialize_grads zeros", () => {
    const x = leaf(1);
    const other = leaf(1, 2);
    expect(torch.autograd.grad(x.mul(2), [x, other], { allow_unused: true })[1]).toBe(null);
    const [, zeros] = torch.autograd.grad(x.mul(2), [x, other], { materialize_grads: true });
    expect(zeros.tolist()).toEqual([0, 0]);
  });

  test("anomaly mode names the node that made a NaN", () => {
    const x = torch.tensor([0], { dtype: torch.float64, requires_grad: true });
    const y = torch.autograd.set_detect_anomaly(true, true, () => x.sqrt().mul(0));
    expect(() => torch.autograd.set_detect_anomaly(true, true, () => y.backward())).toThrow(
      "Function 'SqrtBackward0' returned nan values in its 0th output.",
    );
  });

  test("a failed backward leaves the engine fit for the next", () => {
    const x = leaf(1);
    const y = x.exp();
    y.backward();
    expect(() => y.mul(x).backward()).toThrow("second time");
    x.grad = null;
    x.mul(2).backward();
    expect(x.grad.item()).toBe(2);
  });
});

test("options are keyword arguments", () => {
  expect(() => torch.autograd.grad(leaf(1).mul(2), leaf(1), { unused: 1 } as Any)).toThrow(
    "grad() got an unexpected keyword argument 'unused'",
  );
});
