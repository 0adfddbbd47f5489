/** The engine's parts below the front end: the order of the queue, numbers of nodes, runs inside runs, final callbacks. */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { set_warnAlways, setWarningHandler } from "#c10/util/Exception";
import { setTracer } from "#c10/util/Trace";
import { type AutogradContext, apply_function } from "#torch/csrc-equivalent/autograd/custom_function/index";
import { Edge } from "#torch/csrc-equivalent/autograd/edge";
import { evaluate_function } from "#torch/csrc-equivalent/autograd/engine/evaluate_function";
import { Engine, get_current_graph_task_execution_order } from "#torch/csrc-equivalent/autograd/engine/index";
import { NodeTask, ReadyQueue } from "#torch/csrc-equivalent/autograd/engine/ready_queue";
import { Identity } from "#torch/csrc-equivalent/autograd/functions/basic_ops";
import { GraphTask } from "#torch/csrc-equivalent/autograd/graph_task";
import { InputBuffer } from "#torch/csrc-equivalent/autograd/input_buffer/index";
import { UINT64_MAX } from "#torch/csrc-equivalent/autograd/node";
import { OwningList, UNDEFINED } from "#torch/csrc-equivalent/autograd/owning_list";

// biome-ignore lint/suspicious/noExplicitAny: tensors of the front end
type Any = any;
const leaf = (value: number): Any => torch.tensor([value], { dtype: torch.float64, requires_grad: true });

describe("ReadyQueue", () => {
  const order = (tasks: readonly { depth: number; sequence_nr: number }[]): number[] => {
    const queue = new ReadyQueue();
    const index = new Map<NodeTask, number>();
    for (const [i, { depth, sequence_nr }] of tasks.entries()) {
      const node = new Identity([], sequence_nr);
      const task = new NodeTask(new GraphTask(false, false, depth, queue, []), node, new InputBuffer(1));
      index.set(task, i);
      queue.push(task);
    }
    const out: number[] = [];
    while (!queue.empty()) out.push(index.get(queue.pop()) as number);
    return out;
  };

  test("the youngest node first, inner runs before outer ones", () => {
    expect(order([1, 5, 3].map((sequence_nr) => ({ depth: 0, sequence_nr })))).toEqual([1, 2, 0]);
    expect(
      order([
        { depth: 0, sequence_nr: UINT64_MAX },
        { depth: 1, sequence_nr: 0 },
      ]),
    ).toEqual([1, 0]);
  });

  // What std::priority_queue of libstdc++ gave for n equal elements (g++, run once).
  test.each([
    [2, [0, 1]],
    [3, [0, 1, 2]],
    [4, [0, 2, 1, 3]],
    [5, [0, 2, 4, 1, 3]],
    [6, [0, 2, 5, 4, 1, 3]],
  ])("%i equal tasks leave in the heap's order", (n, expected) => {
    expect(order(Array.from({ length: n }, () => ({ depth: 0, sequence_nr: 7 })))).toEqual(expected);
  });
});

describe("Node", () => {
  test("its topological number is the longest way to a leaf", () => {
    const a = new Identity();
    const b = new Identity([new Edge(a, 0)]);
    const c = new Identity([new Edge(a, 0), new Edge(b, 0), new Edge()]);
    expect([a, b, c].map((node) => node.topological_nr())).toEqual([0, 1, 2]);
    expect(c.should_compute_output_any([[2, 3]])).toBe(false);
    expect(() => a.add_next_edge(new Edge(b, 0))).toThrow(
      "Cannot update a node's topological_nr after it already has a parent.",
    );
  });

  test("its name without Backward is the operator's", () => {
    expect(leaf(1).exp().grad_fn.cdata.forward_op_name()).toBe("Exp");
    expect(leaf(1).mul(2).grad_fn.cdata.trace_name()).toBe("torch::autograd::MulBackward0::apply");
  });
});

describe("runs", () => {
  test("inside each other, deeper than PyTorch's own stack would allow (60)", () => {
    const x = leaf(1);
    class Nested extends torch.autograd.Function {
      static override forward(ctx: Any, input: Any, depth: number): Any {
        ctx.depth = depth;
        return input.mul(1);
      }
      static override backward(ctx: Any, g: Any): Any {
        if (ctx.depth > 0) torch.enable_grad(() => Nested.apply(x, ctx.depth - 1).backward());
        return [g, null];
      }
    }
    Nested.apply(x, 100).backward();
    expect(x.grad.item()).toBe(101);
  });

  test("callbacks run when the run is complete, those of the inner one first", () => {
    const order: string[] = [];
    const engine = Engine.get_default_engine();
    const x = leaf(1);
    const inner = leaf(2);
    inner.register_hook(() => {
      engine.queue_callback(() => order.push("inner"));
    });
    x.register_hook(() => {
      engine.queue_callback(() => order.push("outer"));
      torch.enable_grad(() => inner.mul(1).backward());
      order.push("hook");
    });
    x.mul(1).backward();
    expect(order).toEqual(["inner", "hook", "outer"]);
    expect(() => engine.queue_callback(() => {})).toThrow(
      "Final callbacks can only be installed during backward pass.",
    );
  });

  test("the order to come can be asked", () => {
    let names: string[] = [];
    const x = leaf(1);
    const y = x.exp().mul(x);
    y.register_hook(() => {
      names = get_current_graph_task_execution_order().map((node) => node.name());
    });
    torch.autograd.set_multithreading_enabled(false, () => y.backward());
    expect(names).toEqual(["MulBackward0", "ExpBackward0", "torch::autograd::AccumulateGrad"]);
  });

  test("outside of a run nothing is to come", () => {
    expect(get_current_graph_task_execution_order()).toEqual([]);
  });

  test("checkpoints are valid where everything runs", () => {
    const engine = Engine.get_default_engine();
    const valid: boolean[] = [];
    const x = leaf(1);
    const y = x.exp().mul(2);
    y.register_hook(() => {
      valid.push(engine.is_checkpoint_valid());
    });
    y.backward({ retain_graph: true });
    torch.autograd.grad(y, x, { retain_graph: true });
    y.backward({ inputs: [x] });
    expect([engine.is_checkpoint_valid(), ...valid]).toEqual([true, true, false, false]);
  });

  test("as many runs inside runs as the stack holds, and one error that counts them", () => {
    const x = leaf(1);
    let deepest = 0;
    class Nested extends torch.autograd.Function {
      static override forward(ctx: Any, input: Any, depth: number): Any {
        ctx.depth = depth;
        return input.mul(1);
      }
      static override backward(ctx: Any, g: Any): Any {
        deepest = ctx.depth;
        torch.enable_grad(() => Nested.apply(x, ctx.depth + 1).backward());
        return [g, null];
      }
    }
    let message = "";
    try {
      Nested.apply(x, 1).backward();
    } catch (error) {
      message = (error as Error).message;
    }
    const [, counted, , limit] =
      /^Too many backward calls inside backward calls: (\d+) of them fill JavaScript's stack \((.*)\)\. In Node, (.*)$/.exec(
        message,
      ) ?? [];
    expect(Number(counted)).toBeGreaterThan(60);
    expect(Number(counted)).toBeLessThanOrEqual(deepest); // the innermost that has room to say so
    expect(limit).toBe("`node --stack-size=N` moves this limit (N is in KB, 984 by default).");
    x.grad = null;
    x.mul(3).backward();
    expect(x.grad.item()).toBe(3);
  });

  test("of two inputs of different age the older one sets how far the run goes", () => {
    const x = leaf(0.5);
    const y = x.exp().mul(2).sin(); // three nodes between x and y
    const out = y.mul(y);
    const [of_x, of_y] = torch.autograd.grad(out, [x, y]) as Any[];
    const u = 2 * Math.exp(0.5);
    expect(of_y.item()).toBeCloseTo(2 * Math.sin(u), 12);
    expect(of_x.item()).toBeCloseTo(2 * Math.sin(u) * Math.cos(u) * u, 12);
  });

  test("gradients that nobody would get are refused", () => {
    const y = leaf(1).exp();
    const roots = [new Edge(y.grad_fn.cdata, 0)];
    const ones = [(torch.ones([1], { dtype: torch.float64 }) as Any).cdata];
    const run = () => Engine.get_default_engine().execute(roots, ones, false, false, false, []);
    expect(run).toThrow("grad requires non-empty inputs.");
  });

  test("backward that makes a graph warns of the cycle it makes; grad makes none", () => {
    const warnings: string[] = [];
    const previous = setWarningHandler(({ type, msg }) => {
      warnings.push(`${type}: ${msg}`);
    });
    set_warnAlways(true);
    try {
      const x = leaf(2);
      torch.autograd.grad(x.mul(x), x, { create_graph: true });
      x.mul(x).backward();
      expect(warnings).toEqual([]);
      x.mul(x).backward({ create_graph: true });
    } finally {
      setWarningHandler(previous);
      set_warnAlways(false);
    }
    expect(warnings).toEqual([
      "UserWarning: Using backward() with create_graph=True will create a reference cycle between the parameter and its " +
        "gradient which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If " +
        "you have to use this function, make sure to reset the .grad fields of your parameters to None after use to break " +
        "the cycle and avoid the leak.",
    ]);
  });

  test("a node that nobody counted is a fault", () => {
    const [next] = leaf(1).exp().grad_fn.next_functions;
    const node = new Identity([new Edge(next[0].cdata, 0)], 0);
    const queue = new ReadyQueue();
    const task = new GraphTask(false, false, 0, queue, [node]);
    const step = (): void => {
      const buffer = new InputBuffer(1);
      buffer.add(0, new OwningList([(torch.ones([1], { dtype: torch.float64 }) as Any).cdata]), 0, null, node);
      evaluate_function(task, node, buffer, queue);
    };
    expect(step).toThrow("dependency not found for torch::autograd::AccumulateGrad");
    task.materialize_state(next[0].cdata).dependencies = 1;
    step();
    expect(queue.pop().fn_).toBe(next[0].cdata);
    expect(step).toThrow("dependency not found for torch::autograd::AccumulateGrad");
  });

  test("a node hears that its saved values will go, before it runs, unless the graph is kept", () => {
    const heard: string[] = [];
    class Listener extends Identity {
      override will_release_variables(): void {
        heard.push("will go");
      }
      override apply(inputs: Tensor[]): Tensor[] {
        heard.push("runs");
        return super.apply(inputs);
      }
      override release_variables(): void {
        heard.push("go");
        super.release_variables();
      }
    }
    const run = (keep_graph: boolean): void => {
      const node = new Listener([new Edge()], 0);
      const queue = new ReadyQueue();
      evaluate_function(new GraphTask(keep_graph, false, 0, queue, [node]), node, new InputBuffer(1), queue);
    };
    run(true);
    expect(heard.splice(0)).toEqual(["runs"]);
    run(false);
    expect(heard).toEqual(["will go", "runs", "go"]);
  });

  test("the search for nan leaves the recording of gradients on", () => {
    const x = leaf(2);
    const y = x.mul(x).add(x.exp());
    torch.autograd.set_detect_anomaly(true, { check_nan: true });
    const [g] = torch.autograd.grad(y, x, { create_graph: true }) as Any;
    torch.autograd.set_detect_anomaly(false);
    expect(torch.autograd.grad(g, x)[0].item()).toBeCloseTo(2 + Math.E ** 2, 12);
  });

  test.each([false, true])("a profiler sees each step and its node, with a post-hook: %s", (hooked) => {
    const x = leaf(2);
    const y = x.exp();
    if (hooked) y.grad_fn.register_hook(() => null);
    const events = torch.profiler.profile.run(() => y.backward(), { record_shapes: true }).events() as Any[];
    const steps = events.filter(({ name }) => name.startsWith("autograd::engine::evaluate_function: "));
    expect(steps.map(({ name }) => name.split(": ")[1])).toEqual(["ExpBackward0", "torch::autograd::AccumulateGrad"]);
    expect(steps.map(({ input_shapes }) => input_shapes)).toEqual([[], []]);
    expect(steps.map(({ sequence_nr }) => sequence_nr)).toEqual([y.grad_fn.cdata.sequence_nr(), -1]);
    expect(events.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["ExpBackward0", "torch::autograd::AccumulateGrad"]),
    );
    const traced: string[] = [];
    setTracer({
      begin(_kind, name) {
        traced.push(name);
        return 1;
      },
      end() {},
    });
    try {
      const z = x.exp();
      if (hooked) z.grad_fn.register_hook(() => null);
      z.backward();
    } finally {
      setTracer(null);
    }
    expect(traced).toContain("torch::autograd::ExpBackward0::apply");
  });

  test("an error inside an inner run reaches the outer caller, and the next run is not disturbed", () => {
    const x = leaf(1);
    class Fails extends torch.autograd.Function {
      static override forward(_ctx: Any, input: Any): Any {
        return input.mul(1);
      }
      static override backward(): Any {
        torch.ones([1]).backward();
      }
    }
    expect(() => Fails.apply(x).mul(x).backward()).toThrow("element 0 of tensors does not require grad");
    x.grad = null;
    x.mul(3).backward();
    expect(x.grad.item()).toBe(3);
  });
});

describe("OwningList", () => {
  const count = (t: Any): number => t.cdata.impl_.use_count_;
  const fresh = (): Any => torch.ones([2]);

  test("each slot is one reference", () => {
    const [a, b] = [fresh(), fresh()];
    const list = new OwningList([a.cdata, a.cdata, UNDEFINED]);
    expect(count(a)).toBe(2);
    const copy = list.copy();
    expect(count(a)).toBe(4);
    list.set(1, b.cdata);
    expect([count(a), count(b)]).toEqual([3, 1]);
    copy.clear();
    expect([count(a), count(b), copy.size()]).toEqual([1, 1, 0]);
    list.set(1, UNDEFINED);
    expect(count(b)).toBe(0);
    expect(list.release()).toEqual([a.cdata, UNDEFINED, UNDEFINED]);
    expect(count(a)).toBe(0);
    list.clear();
    expect(count(a)).toBe(0);
  });

  test("a moved tensor keeps its count", () => {
    const a = fresh();
    const from = new OwningList([a.cdata]);
    const to = new OwningList([UNDEFINED]);
    to.take(0, from, 0);
    from.clear();
    expect([count(a), to.tensors[0]]).toEqual([1, a.cdata]);
    to.clear();
    expect(count(a)).toBe(0);
  });

  test("what is assigned replaces what was held, and the array is left as it was", () => {
    const [a, b] = [fresh(), fresh()];
    const array = [a.cdata];
    const list = new OwningList(array);
    list.assign(array);
    expect(count(a)).toBe(1);
    list.assign([b.cdata, a.cdata]);
    expect([count(a), count(b)]).toEqual([1, 1]);
    list.clear();
    expect([count(a), count(b), array]).toEqual([0, 0, [a.cdata]]);
  });
});

describe("after a run the engine holds nothing", () => {
  const uses = (fn: (a: Any, b: Any) => Any, run: (y: Any, g: Any, a: Any, b: Any) => void): number[] => {
    const [a, b, g] = [leaf(1), leaf(2), torch.ones([1], { dtype: torch.float64 })];
    run(fn(a, b), g, a, b);
    // What an error left in the queue goes when the next run begins.
    torch.ones([1], { requires_grad: true }).mul(2).backward();
    return [g, a, b].map((t) => t.cdata.impl_.use_count_);
  };
  const branches = (a: Any, b: Any): Any => a.add(b).add(a.sub(b));

  test.each<[string, (y: Any, g: Any, a: Any, b: Any) => void]>([
    ["backward", (y, g) => y.backward(g)],
    ["several roots", (y, g) => torch.autograd.backward([y, y], [g, g])],
    ["autograd.grad", (y, g, a, b) => torch.autograd.grad(y, [a, b], g)],
    ["a graph that is kept", (y, g) => y.backward(g, { retain_graph: true })],
  ])("%s", (_name, run) => {
    expect(uses(branches, run)).toEqual([0, 0, 0]);
  });

  const fails = (): never => {
    throw new Error("no");
  };
  class Fails extends torch.autograd.Function {
    static override forward(_ctx: Any, x: Any): Any {
      return x.clone();
    }
    static override backward = fails;
  }
  const hooked = (t: Any): Any => {
    t.register_hook(fails);
    return t;
  };
  test.each<[string, (a: Any, b: Any) => Any]>([
    ["a leaf's hook, while the other leaf is in the queue or done", (a, b) => hooked(a).add(b)],
    ["the other leaf's hook", (a, b) => a.add(hooked(b))],
    ["a hook of a result", (a, b) => hooked(branches(a, b))],
    [
      "a post-hook",
      (a, b) => {
        const y = branches(a, b);
        y.grad_fn.register_hook(fails);
        return y;
      },
    ],
    [
      "a node, while a leaf waits for another gradient",
      (a, b) => {
        const older = a.mul(2);
        return Fails.apply(b).add(a).add(older);
      },
    ],
  ])("even if this fails: %s", (_name, fn) => {
    expect(uses(fn, (y, g) => expect(() => y.backward(g)).toThrow("no"))).toEqual([0, 0, 0]);
    expect(uses(fn, (y, g, a, b) => expect(() => torch.autograd.grad(y, [a, b], g)).toThrow("no"))).toEqual([0, 0, 0]);
  });
});

test("a Function can be defined below the front end", () => {
  const Cube = {
    name: "Cube",
    forward(ctx: AutogradContext, x: Tensor): Tensor {
      ctx.save_for_backward([x]);
      return x.mul_Tensor(x).mul_Tensor(x);
    },
    backward(ctx: AutogradContext, [g]: Tensor[]): Tensor[] {
      const [x] = ctx.get_saved_variables() as [Tensor];
      return [g.mul_Tensor(x.mul_Tensor(x)).mul_Tensor(three)];
    },
  };
  const three = (torch.tensor([3], { dtype: torch.float64 }) as Any).cdata;
  const x = leaf(2);
  const [y] = apply_function(Cube, x.cdata) as [Tensor];
  expect(y.grad_fn()?.name()).toBe("torch::autograd::CppNode<Cube>");
  Engine.get_default_engine().execute(
    [new Edge(y.grad_fn() as Any, 0)],
    [(torch.ones([1], { dtype: torch.float64 }) as Any).cdata],
    false,
    false,
    true,
    [],
  );
  expect(x.grad.item()).toBe(12);
});
