/**
 * @file Anatomy of a kernel: five things that every kernel does, seen on `torch.mul`: it checks, allocates, picks the code for the dtype,
 * splits the work, and accesses the data.
 */
import torch from "glasstorch";
import { check, checkThrows, finish, recorded } from "./support/walkthrough.ts";

const a = torch.arange(12, { dtype: torch.float32 }).reshape(3, 4);
const row = torch.tensor([1.5, 2.5, 3.5, 4.5]);

// ## Step 1. Two halves: meta and impl
// `mul` is a structured kernel. `meta` decides everything that needs no element: it checks, finds shape and dtype, and announces the
// output, which is then allocated. `impl` computes into this output. Both are methods of one object, a TensorIterator.
// Ours: src/aten/native/BinaryOps/index.ts#structured_mul_Tensor     PyTorch: aten/src/ATen/native/BinaryOps.cpp
const kernel = recorded("kernel", "The anatomy of torch.mul(a, row)", () => torch.mul(a, row), {
  note: "a: float32 [3, 4], row: float32 [4]",
});
const below = (name: string) => {
  const above = kernel.named(name)[0];
  return above === undefined ? [] : kernel.children(above).map((e) => e.name);
};
check(below("wrapper_CPU_mul_Tensor"), [
  "at::meta::structured_mul_Tensor::meta",
  "at::native::structured_mul_out::impl",
]);
check(below("at::meta::structured_mul_Tensor::meta"), ["at::TensorIteratorBase::build"]);
check(below("at::TensorIteratorBase::build"), ["c10::alloc_cpu"]);
check(below("at::native::structured_mul_out::impl"), ["at::native::mul_stub"]);

// ## Step 2. Checks
// If meta refuses a call, no byte has been allocated or written. The messages are PyTorch's.
checkThrows(
  () => torch.mul(a, torch.ones([3])),
  "The size of tensor a (4) must match the size of tensor b (3) at non-singleton dimension 1",
);
checkThrows(
  () => torch.ones([4], { dtype: torch.int64 }).mul_(row),
  "result type Float can't be cast to the desired output type Long",
);
checkThrows(() => row.mul_(a), "output with shape [4] doesn't match the broadcast shape [3, 4]");
checkThrows(() => torch.ones([1]).expand(4).mul_(row), "more than one element of the written-to tensor refers to");
const three = torch.ones([3]);
const refused = recorded("refused", "torch.mul(a, three), refused", () => {
  try {
    torch.mul(a, three);
  } catch {
    // the trace shows the error at every function that it left
  }
});
check(
  refused.events.filter((e) => e.kind === "memory" || e.name.endsWith("::impl")),
  [],
);
check(refused.events.at(-1)?.name, "at::TensorIteratorBase::build");
check(row.tolist(), [1.5, 2.5, 3.5, 4.5]);

// ## Step 3. Allocation
// One impl serves three operators. They differ in the owner of the output: `mul` makes one, `mul_` writes into its first argument,
// `mul.out` writes into the caller's tensor, which may be resized.
const allocated = (trace: typeof kernel) => trace.events.filter((e) => e.kind === "memory").map((e) => e["nbytes"]);
check(allocated(kernel), [48]);
const inplace = recorded("inplace", "torch.mul in place: a.mul_(row)", (made) => made.mul_(row), {
  setup: () => a.clone(),
});
check(allocated(inplace), []);
const out = recorded("out", "torch.mul into the caller's tensor", (made) => torch.mul(a, row, { out: made }), {
  setup: () => torch.empty([0]),
});
check(allocated(out), [48]);
for (const trace of [kernel, inplace, out]) check(trace.named("at::native::structured_mul_out::impl").length, 1);
// A new output follows the inputs' memory order: transposed inputs give a transposed result.
check(torch.mul(a.t(), a.t()).stride(), [1, 4]);
// On the meta device impl does not run: tensors have shapes and dtypes, but no elements. The structured kernel's meta does not run either:
// for most operators PyTorch replaces it by a function written in Python.
const shapes = recorded("meta", "torch.mul on the meta device", (made) => torch.mul(made, made), {
  setup: () => torch.empty([3, 4], { device: "meta" }),
});
check(kernel.named("at::meta::structured_mul_Tensor::meta").length, 1);
check(shapes.named("at::meta::structured_mul_Tensor::meta").length, 0);
check(
  torch._C._dispatch_dump("aten::mul.Tensor").includes("Meta: registered at src/torch/_meta_registrations/index.ts"),
  true,
);
check(shapes.named("at::native::structured_mul_out::impl").length, 0);

// ## Step 4. The text for the dtype
// First the inputs are brought to one dtype: here int32 and float32 give float32, and the ints are converted into a temporary. Then the
// loop for that dtype runs. A kernel lists the dtypes for which loops are made; other dtypes raise an error.
const mixed = recorded("mixed", "int32 times float32", (made) => torch.mul(made, row), {
  setup: () => torch.arange(4, { dtype: torch.int32 }),
});
check(mixed.ops("aten::_to_copy").length, 2); // call and redispatch
const loops = (trace: typeof kernel) => trace.events.filter((e) => e.kind === "loop");
check(loops(mixed).at(-1)?.["dtype"], "Float");
check(loops(mixed).at(-1)?.name, "at::native::mul");
checkThrows(() => torch.prelu(torch.arange(4), torch.tensor([2])), `"prelu_cpu" not implemented for 'Long'`);
// That check comes last, inside the loop's driver, when the output has been allocated. The kernel's own checks come earlier:
checkThrows(() => torch.prelu(torch.arange(4), torch.tensor([2.5])), "prelu: Type promoting not supported");

// ## Step 5. Splitting the work
// PyTorch splits a range of more than 32768 elements between threads, and so does this library, if the loop is WebAssembly. The recording
// shows one loop in both cases: if it was split, `chunks` says which thread ran which part.
const big = torch.ones([200, 200]);
const long = recorded("long", "40000 elements", () => torch.mul(big, big));
check(
  loops(long).map((e) => e["shape"]),
  [[40000]],
);

// ## Step 6. Getting at the data
// An operand is a typed array, an offset and one stride for each dimension. The iterator has put the dimension with the smallest strides
// first, so the loop goes through [3, 4] as 4 by 3; `row` is repeated along the second dimension, and has stride 0 there.
const iterator = kernel.named("at::TensorIteratorBase::build")[0];
check(iterator?.["shape"], [4, 3]);
check(iterator?.["strides"], [
  [1, 4], // the output
  [1, 4], // a
  [1, 0], // row
]);
// If nothing is broadcast and the memory has no gaps, the dimensions are joined into one.
const flat = recorded("flat", "torch.mul(a, a): one dimension is enough", () => torch.mul(a, a));
check(flat.named("at::TensorIteratorBase::build")[0]?.["shape"], [12]);
const transposed = recorded(
  "transposed",
  "torch.mul(a.t(), a.t()): one dimension too",
  (made) => torch.mul(made, made),
  {
    setup: () => a.t(),
  },
);
check(transposed.named("at::TensorIteratorBase::build")[0]?.["shape"], [12]);
check(torch.mul(a, row).tolist()[1], [6, 12.5, 21, 31.5]);

finish({
  next: "npx tsx walkthroughs/simd.ts",
  tableOf: torch._C._dispatch_dump_table,
  python: `
import torch
a, row = torch.arange(12, dtype=torch.float32).reshape(3, 4), torch.tensor([1.5, 2.5, 3.5, 4.5])
print(torch.mul(a.t(), a.t()).stride(), torch.mul(a.to("meta"), row.to("meta")).shape)
for call in (lambda: torch.mul(a, torch.ones(3)), lambda: torch.prelu(torch.arange(4), torch.tensor([2]))):
    try: call()
    except Exception as error: print(type(error).__name__, error)`,
});
