/**
 * @file Note [One road]: a recorded call runs through the same JavaScript functions as the plain one. The stack is taken wherever a
 * call arrives (in `forward`, a hook, a kernel, the loop's own text, a node, an allocation), recorded and not, and compared.
 * @see src/c10/util/Trace.ts
 */

import torch from "glasstorch";
import { python } from "glasstorch/python";
import { record } from "glasstorch/trace";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Instantiations } from "#aten/Dispatch";
import { CPUHeap } from "#c10/core/CPUHeap";
import { traceCall, tracer } from "#c10/util/Trace";
import type { FunctionCtx } from "#torch/autograd/function";
import { vectors_everywhere } from "../helpers/vectors.ts";

/** All that a recording may put on the stack. */
const hook = ["callSlow", "traceCall"];

/** One line per function, innermost first: its name and the file it stands in. */
type Stack = readonly string[];

let stacks: Stack[] | null = null;

/** Here the call arrived. The stack from here out to `call_under_test`, unless the recorder itself asked. */
function probe(): void {
  if (stacks === null) return;
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  Error.prepareStackTrace = (_, sites) =>
    sites.map(
      (site) => `${site.getFunctionName() ?? "(anonymous)"} ${site.getFileName()?.replace(/^.*\/(src|test)\//, "$1/")}`,
    );
  const frames = new Error().stack as unknown as string[];
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  if (frames.some((frame) => frame.includes("src/trace/recorder"))) return;
  stacks.push(
    frames.slice(
      1,
      frames.findIndex((frame) => frame.startsWith("call_under_test")),
    ),
  );
}

function stacks_of(run: () => unknown, recorded: boolean): Stack[] {
  const seen: Stack[] = [];
  function call_under_test(): void {
    run();
  }
  stacks = seen;
  try {
    if (recorded) record(call_under_test);
    else call_under_test();
  } finally {
    stacks = null;
  }
  // Whether the last slab of small tensors is full when this call wants memory is chance.
  return seen.filter((stack) => !stack.some((frame) => frame.startsWith("nextSlab ")));
}

function without_hook(stack: Stack): Stack {
  return stack.filter((frame) => !hook.includes(frame.replace(/ .*$/, "")));
}

/** A probe in every loop and every instance of a template: the last function of a kernel's road. */
const { get, get2 } = Instantiations.prototype;
// biome-ignore lint/suspicious/noExplicitAny: functions of any signature
const probed = (fn: any): any =>
  stacks === null
    ? fn
    : function inner_loop(...args: unknown[]) {
        probe();
        return fn(...args);
      };
/** And one where memory comes from: storages of more than 4 KB have a block of their own. */
const { allocate } = CPUHeap.prototype;
beforeAll(() => {
  Instantiations.prototype.get = function (...args) {
    return probed(get.apply(this, args));
  };
  Instantiations.prototype.get2 = function (...args) {
    return probed(get2.apply(this, args));
  };
  CPUHeap.prototype.allocate = function (nbytes) {
    probe();
    return allocate.call(this, nbytes);
  };
});
afterAll(() => {
  Object.assign(Instantiations.prototype, { get, get2 });
  CPUHeap.prototype.allocate = allocate;
});

type Tensor = InstanceType<typeof torch.Tensor>;

class Probing extends torch.nn.Module<[Tensor], Tensor> {
  inner = new torch.nn.Linear(3, 3);
  override forward(x: Tensor): Tensor {
    probe();
    return this.inner(x).relu();
  }
}

class Square extends torch.autograd.Function {
  static override forward(ctx: FunctionCtx, x: Tensor): Tensor {
    probe();
    ctx.save_for_backward(x);
    return x.mul(x);
  }
  static override backward(ctx: FunctionCtx, grad: Tensor): Tensor {
    probe();
    const [x] = ctx.saved_tensors as [Tensor];
    return grad.mul(x).mul(2);
  }
}

const library = new torch.library.Library("one_road", "DEF");
library.define("twice(Tensor x) -> Tensor");
library.impl(
  "twice",
  (x: Tensor) => {
    probe();
    return x.add(x);
  },
  "CompositeExplicitAutograd",
);

function probing_module(): Probing {
  return new Probing();
}

function hooked_module(): Probing {
  const net = probing_module();
  net.register_forward_pre_hook(() => probe());
  net.register_forward_hook(() => probe());
  net.register_full_backward_hook(() => probe());
  return net;
}

/** The road runs through the machine: Python calls the library, which calls Python. */
function python_program(): ReturnType<typeof python> {
  return python(
    `import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(3, 3)

    def forward(self, x):
        probe()
        parts = [part * 2 for part in self.parts(x)]
        try:
            x @ x
        except RuntimeError:
            probe()
        return self.inner(x).relu() + parts[0]

    def parts(self, x):
        yield x.cos()
        probe()
        yield x

net = Net()
x = torch.ones(2, 3, requires_grad=True)
x.register_hook(lambda grad: probe())
`,
    { globals: { probe } },
  );
}

const float = () => torch.arange(1, 13, { dtype: torch.float32 }).view(3, 4);
const leaf = (shape = [2, 3]) => torch.ones(shape).requires_grad_(true);
const sgd = (p: Tensor) => new torch.optim.SGD([p], { lr: 0.1 });

/** Each makes its operands, then gives the call: only that is recorded. */
const calls: Readonly<Record<string, () => () => unknown>> = {
  "a module": () => {
    const [net, x] = [probing_module(), torch.ones([2, 3])];
    return () => net(x);
  },
  "a module with hooks, forward and backward": () => {
    const [net, x] = [hooked_module(), leaf()];
    return () => net(x).sum().backward();
  },
  "modules in modules": () => {
    const [net, x] = [new torch.nn.Sequential(probing_module(), probing_module()), leaf()];
    return () => net(x);
  },
  "a module of a Python program, with a hook and a generator": () => {
    const { net, x } = python_program();
    return () => net(x).sum().backward();
  },
  add: () => {
    const [a, b] = [float(), float()];
    return () => torch.add(a, b);
  },
  "add of other dtypes, broadcast": () => {
    const [a, b] = [float(), torch.ones([4], { dtype: torch.int64 })];
    return () => a.add(b, { alpha: 2 });
  },
  "three dimensions that do not coalesce": () => {
    const [a, b] = [torch.ones([2, 3, 4, 5]).transpose(1, 3), torch.ones([4, 1])];
    return () => a.mul(b);
  },
  "in place": () => {
    const [a, b] = [float(), float()];
    return () => a.mul_(b);
  },
  "into out=, resized": () => {
    const [a, out] = [torch.ones([40, 50]), torch.empty([0])];
    return () => torch.exp(a, { out });
  },
  "an output with memory of its own": () => {
    const a = torch.ones([40, 50]);
    return () => torch.sub(a, a);
  },
  "a strided output with memory of its own": () => {
    const a = torch.ones([40, 50]);
    return () => torch.add(a.t(), a.t().clone().narrow(0, 0, 1));
  },
  "a reduction": () => {
    const a = float();
    return () => a.sum(0);
  },
  "a reduction with indices": () => {
    const a = float();
    return () => a.max(1);
  },
  "norms of rows, and of columns": () => {
    const a = float();
    return () => [torch.linalg.vector_norm(a, 2, 1), torch.linalg.vector_norm(a, 2, 0)];
  },
  scans: () => {
    const a = torch.ones([40, 50]);
    return () => [a.cumsum(0), a.cumprod(1), a.logcumsumexp(1)];
  },
  "the steps of an LSTM": () => {
    const [net, x] = [new torch.nn.LSTM(3, 4), torch.randn([5, 2, 3])];
    return () => net(x)[0].sum().backward();
  },
  "ranges, with vectors and without": () => () => [torch.arange(600), torch.arange(3), torch.arange(3.5)],
  mm: () => {
    const [a, b] = [float(), float().t()];
    return () => torch.mm(a, b);
  },
  "indexing by a tensor": () => {
    const [a, i] = [float(), torch.tensor([2, 0])];
    return () => a.at(i);
  },
  "slices by indices that are looked at before": () => {
    const [a, i] = [torch.ones([40, 50]), torch.arange(30)];
    return () => torch.index_select(a, 0, i);
  },
  "assignment to an index": () => {
    const [a, i] = [float(), torch.tensor([2, 0])];
    return () => a.set_at(0, i);
  },
  "a composite operator": () => {
    const [x, w] = [float(), torch.tensor([0.25])];
    return () => torch.nn.functional.prelu(x, w);
  },
  "a composite loss and its backward": () => {
    const [x, y] = [leaf([2, 3]), torch.tensor([0, 2])];
    return () => torch.nn.functional.cross_entropy(x, y).backward();
  },
  "random numbers": () => {
    const a = torch.empty([5]);
    return () => a.uniform_();
  },
  "random integers": () => () => torch.randint(0, 10, [3]),
  "a factory": () => () => torch.full([2, 2], 1.5),
  "a constructor": () => () => new torch.Tensor([1, 2]).add(1),
  "comparison, where": () => {
    const a = float();
    return () => torch.where(a.gt(3), a, 0);
  },
  cat: () => {
    const a = torch.ones([40, 50]);
    return () => torch.cat([a, a], 1);
  },
  "backward through views, broadcasting and mm": () => {
    const [x, w] = [leaf([2, 3]), leaf([3, 4])];
    return () => x.t().reshape(2, 3).mm(w).add(w.select(0, 1)).sum().backward();
  },
  "backward twice into the same leaf": () => {
    const x = leaf();
    return () => {
      x.mul(x).sum().backward();
      x.exp().sum().backward();
    };
  },
  "grad of grad": () => {
    const x = leaf();
    return () => {
      const [g] = torch.autograd.grad(x.tanh().sum(), x, { create_graph: true });
      return g.sum().backward();
    };
  },
  "hooks of a tensor": () => {
    const x = leaf();
    return () => {
      const y = x.mul(3);
      y.register_hook(() => probe());
      y.sum().backward();
    };
  },
  "a Function of a user": () => {
    const x = leaf();
    return () => (Square.apply(x) as Tensor).sum().backward();
  },
  "a kernel of a user's library, called boxed": () => {
    const x = float();
    return () => (torch.ops as unknown as Record<string, { twice(x: Tensor): Tensor }>)["one_road"]?.twice(x);
  },
  "an operator called boxed": () => {
    const x = leaf();
    return () => torch.ops.aten.mul.Tensor(x, x);
  },
  "an optimizer's step": () => {
    const x = leaf();
    x.sum().backward();
    const optimizer = sgd(x);
    return () => optimizer.step();
  },
  "a copy to another dtype": () => {
    const a = float();
    return () => a.to(torch.float64);
  },
};

// Where every loop is of vectors, no function of the library is at the end of the way.
describe.skipIf(vectors_everywhere)("a recorded call runs through the functions of the plain one:", () => {
  test.each(Object.entries(calls))("%s", (_, make) => {
    make()(); // an operator's first call finds its handle
    const plain = stacks_of(make(), false);
    const recorded = stacks_of(make(), true);
    expect(plain.length).toBeGreaterThan(0);
    for (const stack of plain) expect(stack).toEqual(without_hook(stack));
    expect(recorded.some((stack) => without_hook(stack).length < stack.length)).toBe(true); // it was watched
    expect(recorded.map(without_hook)).toEqual(plain);
  });
});

test("a call that is sent another way when it is watched is found out", () => {
  const next = (): void => probe();
  const helper = (): void => next();
  const hop = (): void => (tracer !== null ? traceCall("function", "hop", helper, []) : next());
  const [plain, recorded] = [stacks_of(hop, false), stacks_of(hop, true)];
  expect(recorded.map(without_hook)).not.toEqual(plain);
});
