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
        words: "These bindings are written by hand, because they take more than tensors.",
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
        words: "Codegen made these functions from native_functions.yaml.",
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
          "Codegen made these methods from native_functions.yaml. A method whose name ends in `_` changes its tensor in place.",
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
    words: "The functions behind the modules, and the initial values of parameters.",
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
    words: "Optimizers, learning rate schedulers, and averages of parameters.",
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
    words: "Gradients: compute them, write your own, look at the graph.",
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
    words: "New operators, and new kernels for existing operators.",
    groups: [{ title: "Your own operators", prefix: "torch.library.", items: () => exportsOf("src/torch/library.ts") }],
  },
  {
    id: "profiler",
    title: "torch.profiler",
    words: "Which operators ran, how often, and for how long.",
    groups: [{ title: "Profiles", prefix: "torch.profiler.", items: () => exportsOf("src/torch/profiler/index.ts") }],
  },
  {
    id: "linalg",
    title: "torch.linalg, special, fft",
    words: "Linear algebra and special functions. Fourier transforms are missing, because they need complex numbers.",
    groups: [
      { title: "torch.linalg", prefix: "torch.linalg.", items: () => exportsOf("src/torch/linalg/index.ts") },
      { title: "torch.special", prefix: "torch.special.", items: () => exportsOf("src/torch/special/index.ts") },
      { title: "torch.fft", prefix: "torch.fft.", items: () => exportsOf("src/torch/fft/index.ts") },
    ],
  },
  {
    id: "amp",
    title: "torch.amp",
    words: "Operators in a lower precision, and scaled losses, so that small gradients do not become zero.",
    groups: [{ title: "Mixed precision", prefix: "torch.amp.", items: () => exportsOf("src/torch/amp/index.ts") }],
  },
  {
    id: "utils",
    title: "torch.utils",
    words: "Datasets and loaders, checkpoints, and names for your own device.",
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
        title: "Your own device",
        prefix: "torch.utils.",
        items: () => exportsOf("src/torch/utils/index.ts").filter((item) => item.name !== "deterministic"),
      },
    ],
  },
  {
    id: "files",
    title: "torch.serialization, safetensors",
    words: "Files in PyTorch's format, byte for byte, and in the safetensors format.",
    groups: [
      {
        title: "torch.serialization",
        words: "`torch.save` and `torch.load` are defined here.",
        prefix: "torch.serialization.",
        items: () => exportsOf("src/torch/serialization/index.ts"),
      },
      {
        title: "torch.safetensors",
        words: "In Python this is a separate package, `safetensors.torch`.",
        prefix: "torch.safetensors.",
        items: () => exportsOf("src/torch/safetensors.ts"),
      },
    ],
  },
  {
    id: "overrides",
    title: "torch.overrides",
    words: "How a class or a mode overrides the functions of the library.",
    groups: [
      { title: "Overrides and modes", prefix: "torch.overrides.", items: () => exportsOf("src/torch/overrides.ts") },
    ],
  },
  {
    id: "testing",
    title: "torch.testing",
    words: "Compare tensors, and make tensors to compare.",
    groups: [{ title: "Comparisons", prefix: "torch.testing.", items: () => exportsOf("src/torch/testing/index.ts") }],
  },
  {
    id: "devices",
    title: "torch.accelerator, cpu, cuda, xpu, mps",
    words:
      "Devices. The accelerator is WebGPU, if it is turned on. There is no CUDA, XPU or Metal in JavaScript: their modules answer as in a PyTorch that was built without them, so that a program that only asks can go on.",
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
    words:
      "The capabilities that the kernels use. Switches of libraries that are not here keep their values, but have no effect.",
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
      "Models as graphs. No graph can be made yet: each of these functions raises an error that says so, but questions such as `torch.jit.is_scripting()` are answered. [Eager and graphs](/eager) shows where each would capture a program.",
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
      "Modules as functions. Function transforms, published models and several processes are not implemented yet: their functions raise an error that says so.",
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
    groups: [{ title: "Recordings and their formats", prefix: "", items: () => exportsOf("src/trace/index.ts") }],
  },
];

let manualItems: readonly ApiItem[] | null = null;
function manual(): readonly ApiItem[] {
  return (manualItems ??= interfaceItems("src/torch/_C/TensorBase.ts", "TensorBaseManualMethods"));
}
