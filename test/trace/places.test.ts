/**
 * @file Every step of a recording has its place in our sources and PyTorch's file, and stands in the lane of its layer.
 * @original
 */
import { existsSync, readFileSync } from "node:fs";
import type { Trace, TraceEvent } from "glasstorch/trace";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { in_namespace } from "#trace/symbol_entry";

const root = new URL("../../", import.meta.url);

let torch: typeof import("glasstorch").default;
let trace: typeof import("glasstorch/trace");
let loading: Trace;

beforeAll(async () => {
  // The loading of the library is a recording too: a recorder first, then the library, afresh.
  vi.resetModules();
  trace = await import("glasstorch/trace");
  loading = await trace.record(async () => {
    torch = (await import("glasstorch")).default;
  });
}, 120_000);

/** Programs that between them go through every layer; `x` and `y` require a gradient. */
const programs: Record<string, () => unknown> = {
  "pointwise, broadcast, promotion": () =>
    x()
      .add(y().mul(2))
      .sub(torch.ones([4], { dtype: torch.int64 }))
      .div(3),
  "in place on a view": () => torch.zeros([3, 4]).select(0, 1).add_(1).mul_(2),
  "in place under autograd": () => x().mul(1).add_(y()).sum().backward(),
  "out=": () => torch.add(torch.ones(2), torch.ones(2), { out: torch.empty(2) }),
  "detach, clone, copy": () => x().detach().clone().copy_(y().detach()).detach_(),
  views: () => x().view([4, 3]).transpose(0, 1).unsqueeze(0).expand([2, 3, 4]).reshape([-1]).narrow(0, 1, 5).t(),
  "split, chunk, stack, cat": () => torch.cat([torch.stack(x().unbind(0)), ...y().chunk(2, 0)]).split(2),
  reductions: () => [x().sum(0), x().mean(), x().amax(1), x().max(0), x().argmin(), x().gt(0).all()],
  "softmax and loss": () =>
    torch.nn.functional.cross_entropy(x(), torch.tensor([0, 1, 2]), { label_smoothing: 0.1 }).backward(),
  "matmul, mm, bmm, dot, addmm": () => [
    x().mm(y().t()),
    x().unsqueeze(0).bmm(y().t().unsqueeze(0)),
    x()
      .view([-1])
      .dot(y().view([-1])),
    torch.matmul(x(), y().t()).sum().backward(),
  ],
  indexing: () => [x().at(0), x().at(torch.slice(0, 2), null)],
  "gather, scatter, masked": () => {
    const at = torch.tensor([[0, 1, 2, 0]]);
    x().gather(0, at).sum().backward();
    x()
      .detach()
      .scatter_add_(0, at, torch.ones([1, 4]))
      .masked_fill_(x().gt(0), 1);
    return x().masked_select(x().gt(0));
  },
  "modules, hooks, optimizer": () => {
    const net = new torch.nn.Sequential(new torch.nn.Linear(4, 3), new torch.nn.PReLU(), new torch.nn.Dropout(0.5));
    net.register_forward_hook(() => undefined);
    const opt = new torch.optim.SGD(net.parameters(), { lr: 0.1, momentum: 0.9, weight_decay: 0.1 });
    for (let i = 0; i < 2; i++) {
      opt.zero_grad();
      net(x()).relu().sum().backward();
      opt.step();
    }
    return net.state_dict();
  },
  "factories and random numbers": () => [
    torch.arange(5),
    torch.rand([2]),
    torch.randn([2]),
    torch.randint(3, [2]),
    torch.randperm(4),
    torch.full([2], 3),
    torch.zeros_like(x()),
    torch.tensor([1, 2.5]),
    torch.bernoulli(torch.ones(3)),
  ],
  "conversions and printing": () => [
    x().to(torch.float64),
    x().int(),
    x().sum().item(),
    String(x()),
    x().tolist(),
    x().equal(y()),
  ],
  "conjugate and negative bits": () => torch.ones(2).neg().conj().resolve_neg().abs(),
  "graph once more": () => {
    const a = x();
    const [g] = torch.autograd.grad([a.mul(a).sum()], [a], { create_graph: true });
    return torch.autograd.grad([g.sum()], [a]);
  },
  "a Function of one's own": () => {
    class Twice extends torch.autograd.Function {
      static override forward(_ctx: unknown, a: InstanceType<typeof torch.Tensor>) {
        return a.mul(2);
      }
      static override backward(_ctx: unknown, g: InstanceType<typeof torch.Tensor>) {
        return g.mul(2);
      }
    }
    return Twice.apply(x()).sum().backward();
  },
  modes: () => [torch.no_grad(() => x().add(1)), torch.inference_mode(() => x().add(1))],
  "an operator through torch.ops": () => torch.ops.aten.add.Tensor(x(), y()),
  meta: () => torch.empty([2, 3], { device: "meta" }).add(1).sum(),
};

const x = () => torch.ones([3, 4], { requires_grad: true });
const y = () => torch.ones([3, 4], { requires_grad: true });

const lines = new Map<string, number>();

function lineCount(file: string): number {
  let count = lines.get(file);
  if (count === undefined) {
    const url = new URL(file, root);
    count = existsSync(url) ? readFileSync(url, "utf8").split("\n").length : 0;
    lines.set(file, count);
  }
  return count;
}

/** Events without a place, by kind and name; a step of the program itself has its place in this file. */
function homeless(events: readonly TraceEvent[]): string[] {
  const wrong = events.filter(({ source, mirrors }) => {
    if (source === undefined || source.line < 1 || source.line > lineCount(source.file)) return true;
    return source.file.startsWith("src/") && (mirrors === undefined || mirrors.path === "");
  });
  return [...new Set(wrong.map((e) => `${e.kind} ${e.name} ${e.source?.file ?? ""}`))];
}

describe("every step has file, line and PyTorch's file", () => {
  test("of loading", () => {
    expect(loading.events.length).toBeGreaterThan(100);
    expect(homeless(loading.events)).toEqual([]);
  });

  for (const [name, program] of Object.entries(programs))
    test(name, () => {
      const recorded = trace.record(program);
      expect(recorded.events.length).toBeGreaterThan(0);
      expect(homeless(recorded.events)).toEqual([]);
    });
});

test("a composite's kernel stands below autograd, whatever key it was entered under", () => {
  const recorded = trace.record(() => torch.nn.functional.prelu(x(), torch.ones(1)));
  const laneOf = (name: string) => {
    const event = recorded.named(name)[0];
    return trace.laneOf(event, recorded.parent(event));
  };
  const [call] = recorded.ops("aten::prelu");
  expect([call.key, call.origin]).toEqual(["AutogradCPU", "math kernel"]);
  expect(laneOf("wrapper_CompositeImplicitAutograd__prelu")).toBe("native");
  expect(laneOf("VariableType::_prelu_kernel")).toBe("autograd");
  expect(laneOf("wrapper_CPU___prelu_kernel")).toBe("native");
});

test("a name is shown as PyTorch's only where PyTorch has it", () => {
  const ours = new Map(trace.allSymbols().map((s) => [`${s.file}:${s.line}`, s]));
  const recorded = trace.record(() => x().add(y()), { detail: "full" });
  for (const event of recorded.events) {
    const entry = ours.get(`${event.source?.file}:${event.source?.line}`);
    if (entry?.ours !== true) continue;
    expect([in_namespace("", entry.name), event.mirrors?.symbol]).toEqual([in_namespace("", entry.name), null]);
  }
});

test("a recording that was kept without places gets them again", () => {
  const program = () => [
    torch.ones(2).add_(1),
    torch.nn.functional.prelu(x(), torch.ones(1)).mm(y().t()).sum().backward(),
  ];
  const whole = trace.record(program).toJSON();
  const kept = structuredClone(whole);
  for (const event of kept.events) for (const name of ["source", "mirrors", "from"]) delete event[name];
  const places = ({ name, source, mirrors, from }: TraceEvent) => [name, source, mirrors, from];
  expect(trace.Trace.located(kept).events.map(places)).toEqual(whole.events.map(places));
});
