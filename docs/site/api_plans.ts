/**
 * @file Which pages /api/ has, and which names stand on them.
 * @original
 */
import { type ApiItem, exportsOf, interfaceItems, named, objectItems } from "./api_model.ts";

export interface Plan {
  readonly id: string;
  readonly title: string;
  readonly words: string;
  readonly groups: readonly {
    readonly title: string;
    readonly words?: string;
    readonly prefix: string;
    readonly items: () => readonly ApiItem[];
    /** Its names may be operators. */
    readonly operators?: boolean;
    /** One table, no headings: names that need no words. */
    readonly table?: boolean;
  }[];
}

const TORCH = "src/torch/index.ts";
const FUNCTIONS = "src/torch/_C/generated/_VariableFunctions.ts";

export const plans: readonly Plan[] = [
  {
    id: "torch",
    title: "torch",
    words:
      'The default export of the package: `import torch from "glasstorch"`. Keyword arguments go into one object at the end.',
    groups: [
      {
        title: "Tensors from data",
        words: "Bound by hand, because they take more than tensors.",
        prefix: "torch.",
        items: () => interfaceItems(TORCH, "ManualFunctions"),
      },
      {
        title: "Settings, scopes, random numbers",
        prefix: "torch.",
        items: () => objectItems(TORCH, "functions").filter((item) => !["Tensor", "ops"].includes(item.name)),
      },
      {
        title: "Operators",
        words: "Functions that codegen made from native_functions.yaml.",
        prefix: "torch.",
        items: () => interfaceItems(FUNCTIONS),
        operators: true,
      },
      {
        title: "Dtypes, layouts, memory formats",
        prefix: "torch.",
        items: () => interfaceItems(TORCH, "ExtensionNames"),
        table: true,
      },
    ],
  },
  {
    id: "tensor",
    title: "torch.Tensor",
    words: "Attributes and methods of a tensor, here called `x`.",
    groups: [
      { title: "Attributes", prefix: "x.", items: () => manual().filter((item) => item.kind === "property") },
      {
        title: "Methods bound by hand or written in Python",
        prefix: "x.",
        items: () => [
          ...manual().filter((item) => item.kind === "function"),
          ...(named("src/torch/_tensor/index.ts", "Tensor")?.members ?? []),
        ],
        operators: true,
      },
      {
        title: "Operators",
        words:
          "Methods that codegen made from native_functions.yaml. A name that ends in `_` writes into the tensor it is called on.",
        prefix: "x.",
        items: () => interfaceItems("src/torch/_C/generated/TensorBase.ts"),
        operators: true,
      },
    ],
  },
  {
    id: "nn",
    title: "torch.nn",
    words: "Modules. An instance is called like a function: `net(x)`.",
    groups: [
      {
        title: "Modules",
        prefix: "torch.nn.",
        items: () => exportsOf("src/torch/nn/index.ts").filter((item) => item.kind !== "function"),
      },
      {
        title: "torch.nn.utils",
        prefix: "torch.nn.utils.",
        items: () => exportsOf("src/torch/nn/utils/index.ts"),
      },
      {
        title: "torch.nn.utils.rnn",
        prefix: "torch.nn.utils.rnn.",
        items: () => exportsOf("src/torch/nn/utils/rnn.ts"),
      },
      {
        title: "Hooks of all modules",
        prefix: "torch.nn.",
        items: () => exportsOf("src/torch/nn/index.ts").filter((item) => item.kind === "function"),
      },
    ],
  },
  {
    id: "nn-functional",
    title: "torch.nn.functional and init",
    words: "The functions behind the modules, and the first values of parameters.",
    groups: [
      {
        title: "torch.nn.functional",
        prefix: "torch.nn.functional.",
        items: () => exportsOf("src/torch/nn/functional/index.ts"),
      },
      { title: "torch.nn.init", prefix: "torch.nn.init.", items: () => exportsOf("src/torch/nn/init.ts") },
    ],
  },
  {
    id: "optim",
    title: "torch.optim",
    words: "Optimizers, schedules of their rates, averages of their parameters.",
    groups: [
      { title: "Optimizers and hooks", prefix: "torch.optim.", items: () => exportsOf("src/torch/optim/index.ts") },
      {
        title: "torch.optim.lr_scheduler",
        prefix: "torch.optim.lr_scheduler.",
        items: () => exportsOf("src/torch/optim/lr_scheduler/index.ts"),
      },
      {
        title: "torch.optim.swa_utils",
        prefix: "torch.optim.swa_utils.",
        items: () => exportsOf("src/torch/optim/swa_utils.ts"),
      },
    ],
  },
  {
    id: "distributions",
    title: "torch.distributions",
    words: "Distributions: samples, densities, entropies, divergences.",
    groups: [
      {
        title: "Distributions and transforms",
        prefix: "torch.distributions.",
        items: () => exportsOf("src/torch/distributions/index.ts"),
      },
      {
        title: "Constraints",
        prefix: "torch.distributions.constraints.",
        items: () => exportsOf("src/torch/distributions/constraints.ts"),
      },
    ],
  },
  {
    id: "autograd",
    title: "torch.autograd",
    words: "Gradients: asking for them, writing one's own, looking at the graph.",
    groups: [
      {
        title: "Gradients and scopes",
        prefix: "torch.autograd.",
        items: () => exportsOf("src/torch/autograd/index.ts"),
      },
      {
        title: "torch.autograd.functional",
        prefix: "torch.autograd.functional.",
        items: () => exportsOf("src/torch/autograd/functional.ts"),
      },
      {
        title: "Custom functions",
        prefix: "torch.autograd.function.",
        items: () => exportsOf("src/torch/autograd/function.ts").filter((item) => item.name !== "Function"),
      },
      {
        title: "The graph",
        prefix: "torch.autograd.graph.",
        items: () => exportsOf("src/torch/autograd/graph/index.ts"),
      },
      {
        title: "The profiler below",
        prefix: "torch.autograd.profiler.",
        items: () => exportsOf("src/torch/autograd/profiler.ts"),
      },
    ],
  },
  {
    id: "library",
    title: "torch.library",
    words: "New operators, and other kernels for those there are.",
    groups: [
      { title: "Operators of one's own", prefix: "torch.library.", items: () => exportsOf("src/torch/library.ts") },
    ],
  },
  {
    id: "profiler",
    title: "torch.profiler",
    words: "What ran, how often, how long.",
    groups: [{ title: "Profiles", prefix: "torch.profiler.", items: () => exportsOf("src/torch/profiler/index.ts") }],
  },
  {
    id: "linalg",
    title: "torch.linalg, special, fft",
    words:
      "Linear algebra and functions of mathematics. Transforms between time and frequency wait for complex numbers.",
    groups: [
      { title: "torch.linalg", prefix: "torch.linalg.", items: () => exportsOf("src/torch/linalg/index.ts") },
      { title: "torch.special", prefix: "torch.special.", items: () => exportsOf("src/torch/special/index.ts") },
      { title: "torch.fft", prefix: "torch.fft.", items: () => exportsOf("src/torch/fft/index.ts") },
    ],
  },
  {
    id: "amp",
    title: "torch.amp",
    words: "Operators in a lower precision, and losses scaled so that small gradients survive there.",
    groups: [{ title: "Mixed precision", prefix: "torch.amp.", items: () => exportsOf("src/torch/amp/index.ts") }],
  },
  {
    id: "utils",
    title: "torch.utils",
    words: "Datasets and loaders, recomputation, and names for a device of one's own.",
    groups: [
      {
        title: "torch.utils.data",
        prefix: "torch.utils.data.",
        items: () => exportsOf("src/torch/utils/data/index.ts"),
      },
      {
        title: "torch.utils.checkpoint",
        prefix: "torch.utils.checkpoint.",
        items: () => exportsOf("src/torch/utils/checkpoint.ts"),
      },
      {
        title: "A device of one's own",
        prefix: "torch.utils.",
        items: () => exportsOf("src/torch/utils/index.ts").filter((item) => item.name !== "deterministic"),
      },
    ],
  },
  {
    id: "files",
    title: "torch.serialization, safetensors",
    words: "Files: PyTorch's, byte for byte, and those of safetensors.",
    groups: [
      {
        title: "torch.serialization",
        words: "`torch.save` and `torch.load` are these.",
        prefix: "torch.serialization.",
        items: () => exportsOf("src/torch/serialization/index.ts"),
      },
      {
        title: "torch.safetensors",
        words: "In Python a package of its own, `safetensors.torch`.",
        prefix: "torch.safetensors.",
        items: () => exportsOf("src/torch/safetensors.ts"),
      },
    ],
  },
  {
    id: "overrides",
    title: "torch.overrides",
    words: "Calls of the library's functions that a class, or a mode, takes over.",
    groups: [
      { title: "Overrides and modes", prefix: "torch.overrides.", items: () => exportsOf("src/torch/overrides.ts") },
    ],
  },
  {
    id: "testing",
    title: "torch.testing",
    words: "Comparing tensors, and making some to compare.",
    groups: [{ title: "Comparisons", prefix: "torch.testing.", items: () => exportsOf("src/torch/testing/index.ts") }],
  },
  {
    id: "devices",
    title: "torch.accelerator, cpu, cuda, xpu, mps",
    words:
      "Devices. The accelerator is WebGPU where it is turned on. There is no CUDA, XPU or Metal in JavaScript: their modules answer as in a PyTorch that was built without, so that a program that asks goes on.",
    groups: [
      {
        title: "torch.accelerator",
        prefix: "torch.accelerator.",
        items: () => exportsOf("src/torch/accelerator/index.ts"),
      },
      { title: "torch.cpu", prefix: "torch.cpu.", items: () => exportsOf("src/torch/cpu/index.ts") },
      { title: "torch.cuda", prefix: "torch.cuda.", items: () => exportsOf("src/torch/cuda/index.ts") },
      { title: "torch.xpu", prefix: "torch.xpu.", items: () => exportsOf("src/torch/xpu/index.ts") },
      { title: "torch.mps", prefix: "torch.mps.", items: () => exportsOf("src/torch/mps/index.ts") },
    ],
  },
  {
    id: "backends",
    title: "torch.backends",
    words: "What the kernels were made for. Switches of libraries that are not here are kept, and change nothing.",
    groups: [
      {
        title: "torch.backends.cpu",
        prefix: "torch.backends.cpu.",
        items: () => exportsOf("src/torch/backends/cpu/index.ts"),
      },
      {
        title: "torch.backends.cuda",
        prefix: "torch.backends.cuda.",
        items: () => exportsOf("src/torch/backends/cuda/index.ts"),
      },
      {
        title: "torch.backends.cudnn",
        prefix: "torch.backends.cudnn.",
        items: () => objectItems("src/torch/backends/cudnn/index.ts", "cudnn"),
      },
      {
        title: "torch.backends.mha",
        prefix: "torch.backends.mha.",
        items: () => exportsOf("src/torch/backends/mha/index.ts"),
      },
      {
        title: "torch.backends.mkl",
        prefix: "torch.backends.mkl.",
        items: () => exportsOf("src/torch/backends/mkl/index.ts"),
      },
      {
        title: "torch.backends.mkldnn",
        prefix: "torch.backends.mkldnn.",
        items: () => objectItems("src/torch/backends/mkldnn/index.ts", "mkldnn"),
      },
      {
        title: "torch.backends.mps",
        prefix: "torch.backends.mps.",
        items: () => exportsOf("src/torch/backends/mps/index.ts"),
      },
      {
        title: "torch.backends.nnpack",
        prefix: "torch.backends.nnpack.",
        items: () => exportsOf("src/torch/backends/nnpack/index.ts"),
      },
      {
        title: "torch.backends.openmp",
        prefix: "torch.backends.openmp.",
        items: () => exportsOf("src/torch/backends/openmp/index.ts"),
      },
      {
        title: "torch.backends.opt_einsum",
        prefix: "torch.backends.opt_einsum.",
        items: () => objectItems("src/torch/backends/opt_einsum/index.ts", "opt_einsum"),
      },
    ],
  },
  {
    id: "graphs",
    title: "torch.compiler, jit, fx, export, onnx",
    words:
      "Models as graphs. What makes one waits: each of these names says so when it is called, and what code asks of them is answered. [Eager and graphs](/eager) shows where each would listen.",
    groups: [
      { title: "torch.compiler", prefix: "torch.compiler.", items: () => exportsOf("src/torch/compiler/index.ts") },
      { title: "torch.jit", prefix: "torch.jit.", items: () => exportsOf("src/torch/jit/index.ts") },
      { title: "torch.fx", prefix: "torch.fx.", items: () => exportsOf("src/torch/fx/index.ts") },
      { title: "torch.export", prefix: "torch.export.", items: () => exportsOf("src/torch/export/index.ts") },
      { title: "torch.onnx", prefix: "torch.onnx.", items: () => exportsOf("src/torch/onnx/index.ts") },
    ],
  },
  {
    id: "func",
    title: "torch.func, hub, distributed",
    words:
      "Modules as functions. Transforms of functions, models that others publish, and several processes wait: their names say so when they are called.",
    groups: [
      { title: "torch.func", prefix: "torch.func.", items: () => exportsOf("src/torch/func/index.ts") },
      { title: "torch.hub", prefix: "torch.hub.", items: () => exportsOf("src/torch/hub.ts") },
      {
        title: "torch.distributed",
        prefix: "torch.distributed.",
        items: () => exportsOf("src/torch/distributed/index.ts"),
      },
    ],
  },
  {
    id: "trace",
    title: "glasstorch/trace",
    words: 'Recording a call: `import { record } from "glasstorch/trace"`. PyTorch has no such module.',
    groups: [{ title: "Records and their forms", prefix: "", items: () => exportsOf("src/trace/index.ts") }],
  },
];

let manualItems: readonly ApiItem[] | null = null;
function manual(): readonly ApiItem[] {
  return (manualItems ??= interfaceItems("src/torch/_C/TensorBase.ts", "TensorBaseManualMethods"));
}
