/**
 * @file Anatomy of a GPU kernel: the same call on two devices, the content of a launch, which elements an invocation computes, how a workgroup
 * shares its memory, when the caller waits, and how an operator without a kernel runs.
 *
 * Without a device, the walkthrough shows recordings that were kept, and checks the same claims about them.
 */
import torch from "glasstorch";
import "glasstorch/webgpu";
import type { Trace, TraceEvent } from "glasstorch/trace";
import { set_tuning } from "#aten/native/webgpu/tuning";
import { adapter, type Bar, type Launch, launch_of, live, recorded_on_device, timelines_of } from "./support/device.ts";
import { check, drawn, finish, recorded } from "./support/walkthrough.ts";

drawn("adapter", "The device", { adapter, live }, [
  live
    ? `  ${adapter}`
    : `  none here: the following was recorded on ${adapter}. With npm's package webgpu, this walkthrough runs on your device.`,
]);

// ## Step 1. The same call, another column
// A tensor on the device has other keys, so the dispatcher takes other entries of the operator's table. There is no other difference:
// no function asks which device a tensor is on. Kernels have their GPU form here: on a software device an invocation takes four times as much.
set_tuning("hardware");
const a = torch.arange(300, { dtype: torch.float32 });
const b = torch.ones(300);
const on_cpu = recorded("cpu", "a.add(b) on the CPU", () => a.add(b), { note: "a, b: float32 [300]" });
const on_gpu = recorded_on_device("gpu", "The same on the device", ([x, y]) => x.add(y), {
  setup: () => [a.to("webgpu"), b.to("webgpu")],
  note: "x, y: float32 [300]",
});
check(on_cpu.keysOf("aten::add"), ["AutogradCPU", "CPU"]);
check(on_gpu.keysOf("aten::add"), ["AutogradPrivateUse1", "PrivateUse1"]);
// Autograd's kernel is one function, which is in both columns.
const kernels = (trace: Trace): unknown[] => trace.ops("aten::add").map((event) => event.kernel);
check(kernels(on_gpu)[0], kernels(on_cpu)[0]);
check(kernels(on_gpu)[1] === kernels(on_cpu)[1], false);
// Both build the same iterator and go through the same stub. It holds a function for each device.
const stub = (trace: Trace): TraceEvent => trace.named("at::native::add_stub")[0] as TraceEvent;
check([stub(on_cpu)["kernel"], stub(on_gpu)["kernel"]], ["add_kernel", "add_kernel_webgpu"]);

// ## Step 2. The table
// A backend from outside uses the key that PyTorch keeps free, PrivateUse1. For each operator its column has one of three entries.
const entry = (op: string, key: string): string => {
  const line = torch._C
    ._dispatch_dump_table(op)
    .split("\n")
    .find((each) => each.startsWith(`${key}: `)) as string;
  return /\[(.+)\]$/.exec(line)?.[1] as string;
};
const columns = ["aten::add.Tensor", "aten::add_.Tensor", "aten::relu", "aten::mm", "aten::sum", "aten::bincount"].map(
  (op) => ({ op, cpu: entry(op, "CPU"), webgpu: entry(op, "PrivateUse1") }),
);
drawn("columns", "Two columns of the table", columns, [
  `  ${"".padEnd(20)}${"CPU".padEnd(28)}PrivateUse1`,
  ...columns.map(({ op, cpu, webgpu }) => `  ${op.padEnd(20)}${cpu.padEnd(28)}${webgpu}`),
]);
check(entry("aten::add.Tensor", "PrivateUse1"), "kernel"); // a kernel of the device
check(entry("aten::sum", "PrivateUse1"), "default backend kernel"); // serves every backend: it calls `sum.dim_IntList`
check(entry("aten::bincount", "PrivateUse1"), "backend fallback"); // no kernel: see step 7

// ## Step 3. A launch
// A launch has the kernel, the number of workgroups, the places of the operands, and a few numbers. When the call returns, nothing is computed yet.
const launch = launch_of(on_gpu);
// There are 300 elements, four for each invocation, so 75 invocations have work. A workgroup has 64, so there are two, and 53 invocations are surplus.
check(launch.grid, [2, 1, 1]);
check(launch.workgroup_size, [64, 1, 1]);
check(launch.invocations - 300 / 4, 53);
// Each of them compares its number with the number of elements, and returns: nearly every kernel has this guard.
check(launch.params["n"], 300);
check(/if \(i \* 4u >= p\.n\) \{\s+return;/.test(launch.wgsl), true);

// ## Step 4. Strides
// The elements of a transposed x are not in the order of the result: each invocation computes one element, and finds it by strides.
const strided = launch_of(
  recorded_on_device("strided", "x.t().add(y) of 20 by 15", ([x, y]) => x.add(y), {
    setup: () => [a.to("webgpu").view([20, 15]).t(), b.to("webgpu").view([15, 20])],
    quiet: true,
  }),
);
check(strided.grid, [5, 1, 1]);
check(strided.invocations - 300, 20);
const { size0, x1_stride0, x1_stride1, x2_stride0, x2_stride1 } = strided.params;
check({ size0, x1_stride0, x1_stride1 }, { size0: 15, x1_stride0: 1, x1_stride1: 15 });
check({ x2_stride0, x2_stride1 }, { x2_stride0: 20, x2_stride1: 1 });
set_tuning(null);

// ## Both launches, for the figure
drawn(
  "launches",
  "What the device was told",
  [launch, strided],
  [launch, strided].map(({ name, grid, workgroup_size, params }) => {
    const numbers = Object.entries(params).filter(([field]) => field !== "c0");
    return `  ${name}: ${grid[0]} workgroups of ${workgroup_size[0]}; ${numbers.map((pair) => pair.join(" ")).join(", ")}`;
  }),
);

// ## Step 5. Memory of a workgroup
// For a sum, invocations must exchange values. Those of one workgroup share a little memory, and at a barrier each waits until all have arrived.
const sum = launch_of(
  recorded_on_device("sum", "x.sum() of 300 elements", (x) => x.sum(), { setup: () => a.to("webgpu"), quiet: true }),
);
const barriers = ({ wgsl }: Launch): number => wgsl.split("workgroupBarrier()").length - 1;
const lanes = sum.workgroup_size[0] as number;
check(/var<workgroup> folded: array<acc_t, (\d+)>/.exec(sum.wgsl)?.[1], String(lanes));
check(barriers(sum), Math.log2(lanes)); // before each halving
if (live) check(a.to("webgpu").sum().item(), 44850);
// In a product of matrices a workgroup fetches a tile of both, so that each element is fetched once and used by eight invocations. A software
// device gains nothing by that, and uses another form of the kernel; this is the form for GPUs.
const mm = launch_of(
  recorded_on_device("mm", "torch.mm of 1024 by 8 and 8 by 128", ([x, y]) => x.mm(y), {
    setup: () => {
      set_tuning("hardware");
      return [torch.ones([1024, 8]).to("webgpu"), torch.ones([8, 128]).to("webgpu")];
    },
    quiet: true,
  }),
);
set_tuning(null);
check(mm.workgroup_size, [64, 1, 1]);
check(barriers(mm), 2); // when a tile is complete, and before it is overwritten

// ## Both kernels, for the figure
drawn(
  "workgroups",
  "Kernels in which invocations work together",
  [sum, mm],
  [sum, mm].map(
    (each) =>
      `  ${each.name}: ${each.grid.join(" x ")} workgroups of ${each.workgroup_size[0]}, ${barriers(each)} barriers in the text`,
  ),
);

// ## Step 6. Two clocks
// The caller finishes a call long before the device does. It waits only when the program needs a value.
const timelines = timelines_of(
  recorded_on_device("timeline", "Three products, a sum, and its value", (x) => x.mm(x).mm(x).mm(x).sum().item(), {
    setup: () => torch.full([256, 256], 1 / 256).to("webgpu"),
    quiet: true,
  }),
);
const names = (bars: readonly Bar[]): string[] => bars.map(({ name }) => name);
check(names(timelines.caller), ["mm", "mm", "mm", "sum", "item"]);
check(names(timelines.waits), ["item"]);
// Several workgroups compute the sum of so many elements; another launch adds their results.
check(names(timelines.device), ["gemm", "gemm", "gemm", "reduce_kernel_sum", "reduce_kernel_sum"]);
// The wait ends when the last of them is done.
check((timelines.waits[0] as Bar).end >= (timelines.device.at(-1) as Bar).end, true);

// ## Both clocks, for the figure
const ms = (us: number): string => `${(us / 1000).toFixed(2)} ms`.padStart(10);
drawn(
  "timelines",
  "Who works when",
  timelines,
  Object.entries(timelines).flatMap(([who, bars]) =>
    bars.map(({ name, start, end }) => `  ${who.padEnd(8)}${name.padEnd(20)}${ms(start)} to ${ms(end)}`),
  ),
);

// ## Step 7. An operator without a kernel
// The column's last entry is a fallback for all operators at once. It is boxed: arguments come as a list. It copies tensors to the CPU, calls the
// operator there, and copies the results back.
const fallback = recorded_on_device("fallback", "An operator that has no kernel on the device", (x) => x.bincount(), {
  setup: () => torch.tensor([1, 1, 0, 2]).to("webgpu"),
  quiet: true,
});
const copies = fallback.ops("aten::_copy_from").map((event) => event.keyset?.join(" "));
check(fallback.keysOf("aten::bincount"), ["AutogradPrivateUse1", "PrivateUse1", "CPU"]);
check(copies.length, 2); // there and back
const boxed = fallback.named("webgpu_fallback")[0] as TraceEvent;
const inside = fallback.children(boxed).map(({ name, op, keyset }) => ({ name, op, keyset }));
check(
  inside.map(({ op }) => op),
  ["aten::_to_cpu", "aten::bincount", "aten::to.dtype_layout"],
);
drawn("fallback", "What the fallback calls", inside, [
  ...inside.map(({ op, keyset }) => `  ${String(op).padEnd(24)}{${keyset?.join(", ")}}`),
  "  The whole path: --record fallback",
]);
if (live) check(torch.tensor([1, 1, 0, 2]).to("webgpu").bincount().tolist(), [1, 2, 1]);

finish({
  next: "npm run explain -- --wgsl add",
  tableOf: torch._C._dispatch_dump_table,
  python: `
import torch
device = torch.accelerator.current_accelerator() or "cpu"  # cuda, mps, xpu; without one there is only the CPU to see
a, b = torch.arange(300.), torch.ones(300)
x, y = a.to(device), b.to(device)
print(torch._C._dispatch_dump_table("aten::add.Tensor"))   # the columns CPU, CUDA, MPS
with torch.profiler.profile() as prof:
    x.add(y)                                               # on CUDA: cudaLaunchKernel, and the kernel on a lane of its own
    x.sum().item()                                         # cudaStreamSynchronize: here the caller waits
for e in prof.events(): print(e.device_type, e.name, e.time_range.elapsed_us())`,
});
