/**
 * @file One step of training in its five lines: the effect of each line, who calls whom inside `model(input)`, and the losses of sixty such steps
 * here and in real PyTorch.
 */
import { readFileSync } from "node:fs";
import torch from "glasstorch";
import { record, type Trace, type TraceEvent } from "glasstorch/trace";
import { check, drawn, finish, recorded } from "./support/walkthrough.ts";

// ## Step 1. A network, data, a loss, an optimizer
// The random numbers depend on the seed, and equal PyTorch's.
const { nn } = torch;
torch.manual_seed(0);
const net = new nn.Sequential(new nn.Linear(2, 8), new nn.Tanh(), new nn.Linear(8, 1));
const x = torch.rand([32, 2]).mul(2).sub(1);
const y = x.square().sum(1, true);
const loss_fn = new nn.MSELoss();
const optimizer = new torch.optim.SGD(net.parameters(), { lr: 0.1 });
check(
  [...net.named_parameters()].map(([name]) => name),
  ["0.weight", "0.bias", "2.weight", "2.bias"],
);

// ## Step 2. Five lines
// Each line is recorded alone, together with the state after it.
const parameters = [...net.parameters()];
const weight = parameters[0] as (typeof parameters)[number];
type Value = typeof x;

/** The bytes of distinct storages. */
function bytesOf(tensors: Iterable<Value | null>): number {
  const storages = new Map<number, number>();
  for (const tensor of tensors)
    if (tensor !== null) storages.set(tensor.untyped_storage().data_ptr(), tensor.untyped_storage().nbytes());
  return [...storages.values()].reduce((sum, bytes) => sum + bytes, 0);
}

interface Line {
  readonly code: string;
  readonly operators: number;
  readonly kernels: number;
  readonly allocated: number;
  readonly nodes: number;
  readonly grads: number;
  readonly version: number;
  readonly weight: number;
}

const count = (trace: Trace, fits: (event: TraceEvent) => boolean): number => trace.events.filter(fits).length;

/** Runs one line and says what it left. */
function line(code: string, run: () => void): Line {
  const trace = record(run);
  const allocated = trace.events.reduce((sum, e) => sum + (e.kind === "memory" ? (e["nbytes"] as number) : 0), 0);
  return {
    code,
    operators: count(trace, (e) => e.kind === "op" && e.how === "call" && trace.parent(e)?.kind !== "native"),
    kernels: count(trace, (e) => e.kind === "loop"),
    allocated,
    nodes: count(trace, (e) => e.kind === "autograd"),
    grads: bytesOf(parameters.map((parameter) => parameter.grad)),
    version: weight._version,
    weight: weight.select(0, 0).select(0, 0).item() as number,
  };
}

let output = net(x);
let loss = loss_fn(output, y);
loss.backward(); // as if there had been a step before
const fives = [
  line("optimizer.zero_grad()", () => optimizer.zero_grad()),
  line("output = net(x)", () => {
    output = net(x);
  }),
  line("loss = loss_fn(output, y)", () => {
    loss = loss_fn(output, y);
  }),
  line("loss.backward()", () => loss.backward()),
  line("optimizer.step()", () => optimizer.step()),
];
const [zeroed, forwarded, lost, backwarded, stepped] = fives as [Line, Line, Line, Line, Line];
// zero_grad drops the gradients and computes nothing.
check([zeroed.operators, zeroed.grads], [0, 0]);
// Forward and loss leave nodes behind, and no gradient.
check([forwarded.nodes, lost.nodes, forwarded.grads + lost.grads], [5, 1, 0]); // two t, two addmm, tanh; mse_loss
// Backward makes the gradients: as many bytes as the parameters have. It changes no parameter.
check(backwarded.grads, bytesOf(parameters));
check([backwarded.version, backwarded.weight], [zeroed.version, zeroed.weight]);
// Only the step changes parameters: in place, so that the version goes up by one. Nothing is allocated.
check([stepped.version - backwarded.version, stepped.allocated, stepped.nodes], [1, 0, 0]);
check(stepped.weight === backwarded.weight, false);
drawn("lines", "One step of training, line by line: the work of each line, and the state after it", fives, [
  ` ${"".padEnd(27)} calls  loops  new bytes  nodes  .grad bytes  version  weight[0, 0]`,
  ...fives.map(
    (each) =>
      ` ${each.code.padEnd(27)} ${String(each.operators).padStart(5)}  ${String(each.kernels).padStart(5)}  ${String(each.allocated).padStart(9)}  ${String(each.nodes).padStart(5)}  ${String(each.grads).padStart(11)}  ${String(each.version).padStart(7)}  ${each.weight.toFixed(6).padStart(12)}`,
  ),
]);

// ## Step 3. Who calls whom
// Nobody wrote a method for `net(x)` in this class: a call of a module runs `__call__`, which is inherited from Module.
const forward = recorded("forward", "The path of net(x)", () => net(x), {
  note: "net: Linear(2, 8), Tanh, Linear(8, 1)",
  quiet: true,
});
const whole = recorded("functions", "net(x) with every function in between", () => net(x), {
  detail: "full",
  quiet: true,
});

/** Who acts: a class of modules, or a layer of the library. */
function actorOf(event: TraceEvent): string {
  if (event.kind === "python" || event.name.includes("_wrapped_call_impl"))
    return event.name.endsWith(".forward") ? event.name.replace(".forward", "") : "Module";
  if (event.kind === "binding") return "binding";
  if (event.kind === "op") return "dispatcher";
  if (event.source?.file.includes("/python_")) return "torch.nn.functional";
  return event.kind === "native" || event.kind === "kernel" ? "kernel" : "";
}

/** The calls down to the first kernel of each module, in order: from whom, to whom, by which name. */
function callsOf(trace: Trace): { from: string; to: string; name: string }[] {
  const calls: { from: string; to: string; name: string }[] = [];
  const done = new Set<number>();
  for (const event of trace.events) {
    const to = actorOf(event);
    if (event.parent !== null && done.has(event.parent)) done.add(event.id);
    if (to === "" || done.has(event.id)) continue;
    let caller = trace.parent(event);
    while (caller !== null && actorOf(caller) === "") caller = trace.parent(caller);
    const name =
      to === "torch.nn.functional" ? `F.${event.name}` : (event.name.split(/::(?=\w+$)|\.(?=\w+$)/).at(-1) ?? "");
    calls.push({ from: caller === null ? "you" : actorOf(caller), to, name });
    if (to === "kernel") done.add(event.id);
  }
  return calls;
}

const calls = callsOf(whole);
const first = calls.slice(0, calls.findIndex(({ to }) => to === "kernel") + 1);
check(
  first.map(({ to, name }) => `${to}: ${name}`),
  [
    "Module: _wrapped_call_impl",
    "Module: _call_impl",
    "Sequential: forward",
    "Module: _wrapped_call_impl",
    "Module: _call_impl",
    "Linear: forward",
    "torch.nn.functional: F.linear",
    "binding: THPVariable_linear",
    "dispatcher: call",
    "kernel: wrapper_CompositeImplicitAutograd__linear",
  ],
);
drawn("calls", "Who calls whom in net(x), down to the first kernel", first, [
  ...first.map(({ from, to, name }) => ` ${from.padEnd(20)} → ${to.padEnd(20)} ${name}`),
]);
// The first functions are the same for each module: one `_call_impl` for the network and one for each of its three parts.
check(forward.named("torch.nn.modules.module.Module._call_impl").length, 4);

// ## Step 4. Training and inference
// The operators and the kernels are the same. Only the autograd layer is missing in inference mode, with its nodes and saved tensors.
const inference = recorded(
  "inference",
  "The path of net(x) in inference mode",
  () => torch.inference_mode(() => net(x)),
  {
    quiet: true,
  },
);
const nodes = (trace: Trace): number => count(trace, (e) => e.kind === "autograd");
const loops = (trace: Trace): string[] => trace.events.filter((e) => e.kind === "loop").map((e) => e.name);
check([nodes(forward), nodes(inference)], [5, 0]);
check(loops(inference), loops(forward));
check(torch.inference_mode(() => net(x)).grad_fn, null);
const sides = [
  ["training", forward],
  ["inference_mode", inference],
].map(([name, trace]) => {
  const made = trace as Trace;
  const allocated = made.events.reduce((sum, e) => sum + (e.kind === "memory" ? (e["nbytes"] as number) : 0), 0);
  return { name, steps: made.events.length, nodes: nodes(made), loops: loops(made).length, allocated };
});
drawn("sides", "Training and inference", sides, [
  ` ${"".padEnd(16)} steps  nodes  loops  bytes`,
  ...sides.map(
    ({ name, steps, nodes, loops, allocated }) =>
      ` ${String(name).padEnd(16)} ${String(steps).padStart(5)}  ${String(nodes).padStart(5)}  ${String(loops).padStart(5)}  ${String(allocated).padStart(5)}`,
  ),
]);

// ## Step 5. Backward, and the step
const backward = recorded("backward", "The path of loss.backward()", (made) => made.backward(), {
  quiet: true,
  setup: () => {
    optimizer.zero_grad();
    return loss_fn(net(x), y);
  },
});
check(backward.nodes().slice(0, 3), ["MseLossBackward0::apply", "AddmmBackward0::apply", "AccumulateGrad::apply"]);
check(backward.nodes().filter((name) => name === "AccumulateGrad::apply").length, 4);
const step = recorded("step", "The path of optimizer.step()", () => optimizer.step(), { quiet: true });
check(
  step
    .ops()
    .filter((e) => e.how === "call")
    .map((e) => e.op),
  Array(4).fill("aten::add_.Tensor"), // weight.add_(grad, alpha=-lr), for each parameter
);

// ## Step 6. Sixty steps
// The same program ran in PyTorch 2.13.0 (tools/oracle/record_train.py). The losses are its losses.
torch.manual_seed(0);
const again = new nn.Sequential(new nn.Linear(2, 8), new nn.Tanh(), new nn.Linear(8, 1));
const descent = new torch.optim.SGD(again.parameters(), { lr: 0.1 });
const [first_weight] = [...again.parameters()] as [typeof weight];
const losses: number[] = [];
const versions: number[] = [];
for (let i = 0; i < 60; i++) {
  descent.zero_grad();
  const off = loss_fn(again(x), y);
  off.backward();
  descent.step();
  losses.push(off.item() as number);
  versions.push(first_weight._version);
}
interface Reference {
  readonly torch: string;
  readonly losses: readonly number[];
  readonly versions: readonly number[];
}
const reference = JSON.parse(readFileSync(new URL("./recorded/train.json", import.meta.url), "utf8")) as Reference;
check(reference.torch, "2.13.0");
check(losses.length, reference.losses.length);
const apart = losses.map((each, i) => Math.abs(each / (reference.losses[i] as number) - 1));
check(Math.max(...apart) < 1e-6, true, "each loss is PyTorch's within one part in a million");
check(versions, reference.versions); // each step counts once
check((losses.at(-1) as number) < (losses[0] as number) / 5, true);
drawn(
  "losses",
  "The loss of each step, here and in PyTorch 2.13.0",
  { ours: losses, theirs: reference.losses, apart: Math.max(...apart) },
  [
    ...[0, 1, 2, 5, 10, 20, 40, 59].map(
      (i) =>
        ` step ${String(i).padStart(2)}   ${(losses[i] as number).toFixed(7)}   ${(reference.losses[i] as number).toFixed(7)}   ${"█".repeat(Math.round((losses[i] as number) * 50))}`,
    ),
    ` farthest apart: ${Math.max(...apart).toExponential(1)} of the value`,
  ],
);

finish({
  next: "npx tsx walkthroughs/conv.ts",
  tableOf: torch._C._dispatch_dump_table,
  python: `
import torch
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
x = torch.rand([32, 2]).mul(2).sub(1)
y = x.square().sum(1, True)
loss_fn, optimizer = torch.nn.MSELoss(), torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(60):
    optimizer.zero_grad()
    loss = loss_fn(net(x), y)
    loss.backward()
    optimizer.step()
    if i % 10 == 0: print(i, loss.item(), net[0].weight._version)`,
});
