/**
 * @file The parts of a tensor: creation from a list, storage, views, the version counter.
 */
import torch from "glasstorch";
import { check, checkThrows, finish, recorded } from "./support/walkthrough.ts";

// ## Step 1. torch.tensor reads a nested list
// THPVariable_tensor -> tensor_ctor -> internal_new_from_data: it measures the nesting, infers a dtype, allocates, and stores each number.
// Then it calls `to`, `lift_fresh` and `detach_`: these are real operator calls, although they change nothing on the CPU.
// Ours: src/torch/csrc-equivalent/utils/tensor_new.ts     PyTorch: torch/csrc/utils/tensor_new.h
// #region the operators of torch.tensor
const made = recorded("tensor", "The path of torch.tensor([[1.5, 2.5], [3.5, 4.5]])", () =>
  torch.tensor([
    [1.5, 2.5],
    [3.5, 4.5],
  ]),
);
check(
  made
    .ops()
    .filter((e) => e.how === "call")
    .map((e) => e.op),
  ["aten::empty.memory_format", "aten::to.device", "aten::lift_fresh", "aten::detach_"],
);
// Everything before `detach_` runs below autograd.
check(
  ["aten::to.device", "aten::lift_fresh", "aten::detach_"].map((op) => made.keysOf(op)),
  [["CPU"], ["CPU"], ["AutogradCPU"]],
);
// #endregion
// The functions in between, from the real call stack at each of these events:
const functions = recorded(
  "functions",
  "torch.tensor(...) with every function in between",
  () =>
    torch.tensor([
      [1.5, 2.5],
      [3.5, 4.5],
    ]),
  { detail: "full" },
);
const at = (name: string) => functions.events.findIndex((e) => e.name.endsWith(name));
const order = ["THPVariable_tensor", "tensor_ctor", "internal_new_from_data", "at::empty", "alloc_cpu"];
check(
  order.map(at).every((place, i, places) => place > (places[i - 1] ?? -1)),
  true,
);
check(functions.parent(functions.events[at("internal_new_from_data")])?.name.endsWith("tensor_ctor"), true);

// ## Step 2. Numbers
// A JavaScript number without a fraction is a Python int, and makes an int64 tensor. Write torch.Float for the float 2.0.
check(torch.tensor([1, 2]).dtype === torch.int64, true);
check(torch.tensor([1, 2.5]).dtype === torch.float32, true);
check(torch.tensor([new torch.Float(2)]).dtype === torch.float32, true);
checkThrows(() => torch.tensor([[1, 2], [3]]), "expected sequence of length 2 at dim 1 (got 1)");

// ## Step 3. Three objects, and a fourth for the bytes
// Your variable is a front end object. Its `cdata` is an `at::Tensor`, the handle that operators pass along. Its `impl_` is the
// TensorImpl with sizes, strides, dtype and keys, and this holds the storage.
const p = torch.tensor([1.5, 2.5]);
const handle = p.cdata;
const impl = handle.unsafeGetTensorImpl();
check([p.constructor.name, handle.constructor.name, impl.constructor.name], ["Tensor", "Tensor", "TensorImpl"]);
check(impl.storage().unsafeGetStorageImpl().constructor.name, "StorageImpl");
check(impl.pyobj_slot().has_pyobj(), true); // and back: one front end object for one impl

// Its keys depend only on backend and dtype; inference mode leaves out the keys of autograd and of views.
const keys = (t: typeof p) => String(torch._C._dispatch_keys(t));
check(keys(p), "DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU, AutocastCPU)");
check(keys(torch.inference_mode(() => torch.ones([2]))), "DispatchKeySet(CPU, AutocastCPU)");

// ## Step 4. Storage: only bytes
// Shape, strides and dtype live in TensorImpl. A StorageImpl is a range of bytes.
// Ours: src/c10/core/StorageImpl.ts     PyTorch: c10/core/StorageImpl.h
const x = torch.arange(12, { dtype: torch.float32 }).reshape(3, 4);
check(x.untyped_storage().nbytes(), 48);
check(x.stride(), [4, 1]);
check(new Float32Array(x.untyped_storage().bytes().slice().buffer)[5], 5); // element (1, 1) is at 1 * 4 + 1 * 1

// ## Step 5. A view is other numbers over the same bytes
// A transpose swaps sizes and strides; a selection changes the offset; nothing is copied.
const t = x.t();
check([t.shape[0], t.shape[1], t.stride(), t.is_contiguous()], [4, 3, [1, 4], false]);
const second = x.__getitem__(1);
check([second.storage_offset(), second.stride()], [4, [1]]);
check(t.untyped_storage().data_ptr() === x.untyped_storage().data_ptr(), true);
check(second.data_ptr() - x.data_ptr(), 16);

const viewed = recorded("view", "The path of x.t()", () => x.t(), { note: "x: float32 [3, 4]" });
check(viewed.keysOf("aten::t"), ["AutogradCPU", "ADInplaceOrView", "CPU"]);
check(
  viewed.events.some((e) => e.kind === "memory"),
  false,
); // no bytes were allocated

// `view` needs strides that can describe the new shape; if there are none, `reshape` copies.
checkThrows(() => t.view(12), "view size is not compatible with input tensor's size and stride");
check(x.view(2, 6).stride(), [6, 1]);
check(t.reshape(12).untyped_storage().data_ptr() === x.untyped_storage().data_ptr(), false);

// ## Step 6. The version counter
// A view shares the counter of its base. An in-place operator on either increases the counter of both; so autograd notices that a
// saved tensor was changed.
check([x._version, t._version], [0, 0]);
t.add_(1);
check([x._version, t._version], [1, 1]);
check(second.tolist(), [5, 6, 7, 8]);

const w = torch.tensor([0.5, 1.5], { requires_grad: true });
const y = w.exp();
const z = y.mul(y).sum();
torch.no_grad(() => y.add_(1));
checkThrows(() => z.backward(), "has been modified by an inplace operation");

finish({
  next: "npx tsx walkthroughs/import-torch.ts",
  tableOf: torch._C._dispatch_dump_table,
  python: `
import torch
x = torch.arange(12, dtype=torch.float32).reshape(3, 4)
t = x.t()
print(x.stride(), t.stride(), t.untyped_storage().data_ptr() == x.untyped_storage().data_ptr())
t.add_(1)
print(x._version, t._version)`,
});
