/**
 * @file The CPU's half: one line of arithmetic as a JavaScript loop, as a WebAssembly loop that computes several elements at once, and as this
 * loop on several threads; when each of them runs, and whether the result changes.
 */
import torch from "glasstorch";
import { check, finish, recorded } from "./support/walkthrough.ts";

/** The capability of this machine: DEFAULT, SIMD128 or RELAXED_SIMD. */
const machine = torch.backends.cpu.get_cpu_capability();
const vectors = machine !== "DEFAULT";

type Recording = ReturnType<typeof recorded>;
const loop = (trace: Recording) => trace.events.find((e) => e.kind === "loop");

// ## Step 1. One line, two loops
// A person wrote `input > 0 ? input : weight * input`. From that line codegen made a JavaScript loop for each dtype, and a graph of
// values, which becomes WebAssembly on first use. Both are in the library; the loop's event says which of them ran.
// Ours: src/aten/native/cpu/Activation/index.ts#prelu     PyTorch: aten/src/ATen/native/cpu/Activation.cpp
torch.manual_seed(0);
const x = torch.arange(-20, 20, { dtype: torch.float32 });
const weight = torch.tensor([0.25]);
const lanes = recorded("lanes", "torch.prelu of 40 elements", () => torch.prelu(x, weight), {
  note: "x: float32 [40], weight: float32 [1]",
});
check(loop(lanes)?.name, "at::native::prelu");
check(loop(lanes)?.["capability"], vectors ? "SIMD128" : "DEFAULT");
// The stub is another switch: it chooses among kernels. This kernel serves all machines, so the event names the capability of the machine.
check(lanes.named("at::native::prelu_stub")[0]?.["capability"], machine);

// ## Step 2. Why JavaScript, though there are lanes
// For a short row, a call into WebAssembly costs more than it saves; and a vector can only be loaded from neighbours in memory.
const short = recorded("short", "torch.prelu of 15 elements", (made) => torch.prelu(made, weight), {
  setup: () => torch.arange(-7, 8, { dtype: torch.float32 }),
});
const strided = recorded("strided", "torch.prelu of every second element", (made) => torch.prelu(made, weight), {
  setup: () => torch.randn([40, 2]).select(1, 0),
});
check(loop(short)?.["capability"], "DEFAULT");
check(loop(strided)?.["capability"], "DEFAULT");
if (vectors) {
  check(loop(short)?.["why"], "n < 16");
  check(loop(strided)?.["why"], "strides [1, 2, 0]");
}

// ## Step 3. The same numbers
// A comparison, a choice and one multiplication have only one possible result: the bits are the same in every loop.
const apart = torch.randn([1000, 2]).select(1, 0);
check(torch.equal(torch.prelu(apart, weight), torch.prelu(apart.contiguous(), weight)), true);
// `exp` is a polynomial in WebAssembly and Math.exp in JavaScript. Both have an error below two units in the last place.
const once = torch.exp(apart.contiguous());
const ratio = torch.exp(apart).div(once).sub(1).abs().max().item() as number;
check(ratio <= 2 ** -22, true);

// ## Step 4. Threads
// More than 32768 elements are worth a second thread. A range is split, but a sum never is: so the bits do not depend on the number of threads.
const many = torch.randn([200_000]);
const before = torch.get_num_threads();
torch.set_num_threads(1);
const alone = recorded("alone", "exp of 200000 elements, one thread", () => torch.exp(many));
torch.set_num_threads(2);
torch.exp(many); // a thread takes a moment to start
const together = recorded("together", "torch.exp(many) on two threads", () => torch.exp(many));
check(loop(alone)?.["chunks"], undefined);
const chunks = loop(together)?.["chunks"] as { begin: number; end: number; thread: number }[] | undefined;
// Undefined if there can be no threads: in a page that is not cross-origin isolated, or on a machine without vectors.
if (chunks !== undefined)
  check(
    chunks.map((c) => [c.begin, c.end]),
    [
      [0, 100_000],
      [100_000, 200_000],
    ],
  );
torch.set_num_threads(1);
const single = torch.exp(many);
torch.set_num_threads(2);
check(torch.equal(single, torch.exp(many)), true);
torch.set_num_threads(before);

// ## Step 5. Where PyTorch calls a library
// A product of matrices is not a loop over elements. PyTorch calls a library for it, MKL or OpenBLAS, and also for a dot product. The
// functions above this call are the same as in PyTorch; below it is a kernel of our own.
const a = torch.randn([64, 64]);
const mm = recorded("mm", "torch.mm of 64 by 64", () => torch.mm(a, a));
check(mm.named("at::native::gemm_stub")[0]?.["kernel"], vectors ? "gemm_vec" : "cpublas_gemm_impl");
if (vectors) check(loop(mm)?.["shape"], [64, 64, 64]);
const v = torch.randn([4096]);
const dot = recorded("dot", "torch.dot of 4096 elements", () => torch.dot(v, v));
check(dot.named("at::native::dot").length, 1);
check(loop(dot)?.name, vectors ? "at::native::dot_contiguous" : "at::native::dot_naive");

finish({
  next: "npm run explain -- --simd prelu",
  tableOf: torch._C._dispatch_dump_table,
  python: `
import torch
print(torch.backends.cpu.get_cpu_capability(), torch.get_num_threads())   # AVX2, AVX512 ...; ATEN_CPU_CAPABILITY=default chooses less
x, w = torch.randn(200_000), torch.tensor([0.25])
many = torch.prelu(x, w)
torch.set_num_threads(1)
print(torch.equal(many, torch.prelu(x, w)))
print(torch.__config__.parallel_info())                                   # OpenMP, MKL, oneDNN
with torch.profiler.profile() as prof: torch.mm(torch.randn(64, 64), torch.randn(64, 64))
print([e.name for e in prof.events()])`,
});
