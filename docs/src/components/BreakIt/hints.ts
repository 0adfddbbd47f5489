/**
 * @file Changes that break something in each layer, and what the reader then sees. test/claims/break_it.test.ts makes each change, runs the program before and after,
 * and compares what it prints.
 * @original
 */

export interface Hint {
  /** The house page it stands on. */
  readonly page: string;
  /** The change, as a sentence that begins with a verb. */
  readonly change: string;
  readonly file: string;
  /** This text, once in the file, is replaced. */
  readonly find: string;
  readonly replace: string;
  readonly program: string;
  readonly before: string;
  /** The last line printed, or the error's message. */
  readonly after: string;
  /** Why. */
  readonly because: string;
}

export const hints: readonly Hint[] = [
  {
    page: "front-end",
    change: "Let PReLU call another function",
    file: "src/torch/nn/modules/activation/index.ts",
    find: "return F.prelu(input, this.weight);",
    replace: "return F.relu(input);",
    program: `import torch from "glasstorch";
const x = torch.tensor([-1.5, 2.5], { requires_grad: true });
console.log(new torch.nn.PReLU()(x).grad_fn.name());`,
    before: "PreluKernelBackward0",
    after: "ReluBackward0",
    because: "A module is a class with a forward; the node depends only on the operators that forward calls.",
  },
  {
    page: "front-end",
    change: "Do not copy one function when torch is filled",
    file: "src/torch/index.ts",
    find: `if (!name.startsWith("__") && !PRIVATE_OPS.includes(name)) namespace[name] = fn;`,
    replace: `if (!name.startsWith("__") && name !== "prelu") namespace[name] = fn;`,
    program: `import torch from "glasstorch";
console.log(typeof torch.prelu, typeof torch.nn.functional.prelu);`,
    before: "function function",
    after: "undefined function",
    because:
      "torch.prelu is a copy of torch._C._VariableFunctions.prelu; torch.nn.functional takes it from there by itself.",
  },
  {
    page: "binding",
    change: "Forget the Python object that wraps a tensor",
    file: "src/torch/csrc-equivalent/autograd/python_variable/wrap.ts",
    find: "if (obj !== null) return obj as TensorBase;",
    replace: "",
    program: `import torch from "glasstorch";
const x = torch.ones([2], { requires_grad: true });
x.sum().backward();
console.log(x.grad === x.grad);`,
    before: "true",
    after: "false",
    because:
      "The engine holds C++ tensors. This line makes sure that you always get the same Python object for one of them.",
  },
  {
    page: "dispatcher",
    change: "Ignore the excluded set",
    file: "src/aten/core/dispatch/DispatchKeyExtractor.ts",
    find: "return ks.orSubAnd(tls_included, tls_excluded, key_mask);",
    replace: "return ks.orSubAnd(tls_included, EMPTY_KS, key_mask);",
    program: `import torch from "glasstorch";
import { record } from "glasstorch/trace";
const x = torch.ones([2]);
const trace = record(() => torch.inference_mode(() => torch.add(x, x)));
console.log(trace.keysOf("aten::add.Tensor").join(", "));`,
    before: "CPU",
    after: "AutogradCPU, CPU",
    because:
      "inference_mode works by excluding the autograd keys from every call. It does nothing else to avoid autograd.",
  },
  {
    page: "dispatcher",
    change: "Put a new kernel behind the old ones",
    file: "src/aten/core/dispatch/OperatorEntry.ts",
    find: "else list.unshift(kernel);",
    replace: "else list.push(kernel);",
    program: `import torch from "glasstorch";
const lib = new torch.library.Library("aten", "IMPL");
lib.impl("add.Tensor", (a, b) => torch.mul(a, b), "CPU");
console.log(torch.add(torch.tensor([2.5]), torch.tensor([4.5])).item());`,
    before: "11.25",
    after: "7",
    because:
      "A cell uses the first kernel of its list. The newest is first, so an override works and can be removed again.",
  },
  {
    page: "codegen",
    change: "Write another derivative",
    file: "tools/codegen/autograd/derivatives.yaml",
    find: "- name: exp(Tensor self) -> Tensor\n  self: grad * result.conj()",
    replace: "- name: exp(Tensor self) -> Tensor\n  self: grad",
    program: `import torch from "glasstorch";
const x = torch.tensor([0.5], { requires_grad: true });
x.exp().backward();
console.log(x.grad.item().toFixed(3));`,
    before: "1.649",
    after: "1.000",
    because:
      "ExpBackward0 is written from this line, and no longer saves the result. The page runs the generator again before it runs your program.",
  },
  {
    page: "autograd",
    change: "Reverse the ready queue",
    file: "src/torch/csrc-equivalent/autograd/engine/ready_queue.ts",
    find: "t1.sequence_nr_ < t2.sequence_nr_ :",
    replace: "t1.sequence_nr_ > t2.sequence_nr_ :",
    program: `import torch from "glasstorch";
import { record } from "glasstorch/trace";
const a = torch.tensor([2.5], { requires_grad: true });
const y = a.exp().add(a.tanh());
const nodes = record(() => y.backward()).nodes();
console.log(nodes.map((name) => name.replace(/(Backward0)?::apply/, "")).join(" "));`,
    before: "Add Tanh Exp AccumulateGrad",
    after: "Add Exp Tanh AccumulateGrad",
    because:
      "The gradients are the same: a node still waits for all gradients it needs. Only the order of the ready nodes has changed.",
  },
  {
    page: "autograd",
    change: "Do not compare versions",
    file: "src/torch/csrc-equivalent/autograd/saved_variable.ts",
    find: "if (current_version !== this.saved_version_) this.throw_modified(saved, current_version, grad_fn);",
    replace: "",
    program: `import torch from "glasstorch";
const w = torch.tensor([1.5], { requires_grad: true });
const y = w.mul(w);
torch.no_grad(() => w.mul_(10));
try {
  y.backward();
  console.log(w.grad.item());
} catch (error) {
  console.log("refused");
}`,
    before: "refused",
    after: "30",
    because:
      "y was 1.5 squared, and the derivative at 1.5 is 3. The saved tensor had been changed to 15 in the meantime, and without the comparison the wrong value was used.",
  },
  {
    page: "aten",
    change: "Call the kernel directly, not through the dispatcher",
    file: "src/aten/native/Activation/index.ts",
    find: "return at._prelu_kernel(self, weight);",
    replace: "return _prelu_kernel(self, weight);",
    program: `import torch from "glasstorch";
const x = torch.tensor([-1.5, 2.5], { requires_grad: true });
console.log(torch.prelu(x, torch.tensor([0.25])).requires_grad);`,
    before: "true",
    after: "false",
    because: "The numbers are right, but autograd's kernel was never entered, so nothing was recorded.",
  },
  {
    page: "aten",
    change: "Leave out coalescing",
    file: "src/aten/iterator/TensorIteratorBuild.ts",
    find: "if (!this.is_meta_) this.coalesce_dimensions();",
    replace: "",
    program: `import torch from "glasstorch";
import { record } from "glasstorch/trace";
const x = torch.ones([3, 4]), row = torch.ones([1]);
const trace = record(() => torch.prelu(x, row));
console.log(String(trace.events.find((e) => e.kind === "loop").shape));`,
    before: "12",
    after: "4,3",
    because: "The result is the same. The loop now runs over rows of 4, three times, instead of once over 12.",
  },
  {
    page: "native",
    change: "Return 0 for negative inputs",
    file: "src/aten/native/cpu/Activation/index.ts",
    find: "return input > 0 ? input : weight * input;",
    replace: "return input > 0 ? input : 0;",
    program: `import torch from "glasstorch";
console.log(String(torch.prelu(torch.tensor([-1.5, 2.5]), torch.tensor([0.25])).tolist()));`,
    before: "-0.375,2.5",
    after: "0,2.5",
    because:
      "The loops of all dtypes are generated from this one line. The page generates them again before it runs your program.",
  },
  {
    page: "native",
    change: "Register no loop",
    file: "src/aten/native/cpu/Activation/index.ts",
    find: `REGISTER_DISPATCH(prelu_stub, prelu_kernel, "prelu_kernel");`,
    replace: "",
    program: `import torch from "glasstorch";
try {
  torch.prelu(torch.tensor([-1.5]), torch.tensor([0.25]));
  console.log("fine");
} catch (error) {
  console.log(error.message);
}`,
    before: "fine",
    after: "DispatchStub: missing kernel for cpu (stub prelu_stub, called by wrapper_CPU___prelu_kernel)",
    because: "A stub is an empty place until the file of the kernel is imported; the import fills it.",
  },
  {
    page: "c10",
    change: "Do not count in-place changes",
    file: "src/c10/core/TensorImpl/VariableVersion.ts",
    find: "if (this.enabled_) this.version_++;",
    replace: "",
    program: `import torch from "glasstorch";
const x = torch.ones([2]);
x.add_(1);
console.log(x._version);`,
    before: "1",
    after: "0",
    because: "Autograd sees in-place changes only through this number.",
  },
  {
    page: "c10",
    change: "Exclude autograd by default",
    file: "src/c10/core/DispatchKeySet.ts",
    find: "export const default_excluded_set = autocast_dispatch_keyset;",
    replace: "export const default_excluded_set = DispatchKeySet.of(DispatchKey.AutogradCPU);",
    program: `import torch from "glasstorch";
const x = torch.tensor([1.5], { requires_grad: true });
console.log(String(x.exp().grad_fn?.name() ?? "no node"));`,
    before: "ExpBackward0",
    after: "no node",
    because: "Autograd is a key like any other. If it is masked out, the call goes directly to the CPU.",
  },
  {
    page: "trace",
    change: "Keep three events only",
    file: "src/trace/recorder.ts",
    find: "this.cap = options.cap ?? 200_000;",
    replace: "this.cap = options.cap ?? 3;",
    program: `import torch from "glasstorch";
import { record } from "glasstorch/trace";
const trace = record(() => torch.ones([2]).add(1));
console.log(trace.dropped > 0, trace.events.length === 3);`,
    before: "false false",
    after: "true true",
    because: "Events past the limit are counted but not kept.",
  },
];

/** The hints of a page. */
export function hintsOf(page: string): readonly Hint[] {
  const own = hints.filter((hint) => hint.page === page);
  if (own.length === 0) throw new Error(`<BreakIt page="${page}" />: no hint is for this page`);
  return own;
}

/** The change as a fence: the lines that go, then those that come, each with the mark that the colouring reads. */
export function changeOf({ file, find, replace }: Hint): { readonly lang: string; readonly text: string } {
  const lang = file.endsWith(".yaml") ? "yaml" : "ts";
  const comment = lang === "yaml" ? "#" : "//";
  const marked = (text: string, mark: string): string[] =>
    text === "" ? [] : text.split("\n").map((line) => `${line} ${comment} [!code ${mark}]`);
  return { lang, text: [...marked(find, "--"), ...marked(replace, "++")].join("\n") };
}
