/**
 * @file Which import graphs the house pages show, and which files share a node in them. Files that no line names stand alone, or with their
 * folder; what imports what is read from the sources.
 */

export interface GraphPlan {
  /** As a page names it: `<ImportGraph of="src/c10" />`. */
  readonly id: string;
  readonly title: string;
  readonly files: RegExp;
  /** Files that stand in one node, first match first. */
  readonly nodes?: readonly NodePlan[];
  /** One band for each layer. */
  readonly bands?: boolean;
}

export interface NodePlan {
  readonly label: string;
  readonly match: RegExp;
  /** Where its link leads. */
  readonly path: string;
  readonly note?: string;
}

/** From the highest to the lowest. Imports go from the earlier to the later. */
export const layers: readonly { readonly name: string; readonly holds: RegExp }[] = [
  { name: "code generator", holds: /^tools\/codegen\// },
  { name: "trace", holds: /^src\/trace\// },
  {
    name: "front end",
    holds:
      /^src\/((index|webgpu|python|python_modules|fx|func|export|compile|jit|lazy|cpp)\.ts$|torch\/(?!csrc-equivalent\/))/,
  },
  { name: "binding and autograd", holds: /^src\/torch\/csrc-equivalent\// },
  { name: "files", holds: /^src\/caffe2\// },
  { name: "aten", holds: /^src\/aten\// },
  { name: "c10", holds: /^src\/c10\// },
  { name: "Python", holds: /^src\/python\// },
];

/** File name of a graph's data: `src/aten/core` -> `src-aten-core.json`. */
export function graphFile(id: string): string {
  return `${id.replaceAll("/", "-")}.json`;
}

/** A node of files below `folder`: `names` is what follows, as a pattern. */
function node(label: string, folder: string, names: string, file: string, note?: string): NodePlan {
  const pattern = new RegExp(`^${folder}/(${names})`);
  return { label, match: pattern, path: `${folder}/${file}`, ...(note === undefined ? {} : { note }) };
}

const fallbacks =
  "ConjugateFallback|Functional(ize|Inverses|Storage|Tensor)|RegisterFunctionalization|LegacyBatching|Vmap|ZeroTensor|autocast|functorch/|core/\\w+FallbackKernel|native/Negate|native/MathBit";
const stubless = "native/cpu/(NonzeroKernel|SortingKernel/Line|batch_norm_(kernel|channels)|mixed_data_type)";
const with_loops =
  "native/(Activation/Random|ReduceOps/Equal|LossMulti|SoftMax/Masked|ReduceOps/Cummax|SummaryOps)\\.ts";
const shared =
  "EmptyTensor|ScalarOps|TensorIndexing|core/Generator|CPUGeneratorImpl|native/(Resize|TypeProperties|Math/index|Math/Igamma|TensorFactories/fill_empty_deterministic|cpu/avx_mathfun)\\.ts";

const webgpu = node("webgpu", "src/aten", "(native/)?webgpu/", "native/webgpu/Loops.ts", "a second device's kernels");

const aten: readonly NodePlan[] = [
  webgpu,
  node(
    "Register….ts",
    "src/aten",
    "generated/Register|Structured(Kernels|Outputs)",
    "generated/RegisterCPU_0.ts",
    "generated registrations",
  ),
  node(
    "NativeFunctions.ts",
    "src/aten",
    "generated/(NativeFunctions|Composite|UfuncCPU_)",
    "generated/NativeFunctions.ts",
    "generated: what the YAML names",
  ),
  node("fallbacks", "src/aten", fallbacks, "core/VariableFallbackKernel.ts", "one kernel for a whole key"),
  node("LossMulti, …", "src/aten", with_loops, "native/LossMulti.ts", "call their loops themselves"),
  node("NonzeroKernel, …", "src/aten", stubless, "native/cpu/NonzeroKernel.ts", "called without a stub"),
  node(
    "native/cpu",
    "src/aten",
    "native/cpu/(?!generated|avx_mathfun)|generated/UfuncCPUKernel",
    "native/cpu/Activation/index.ts",
    "loops of the stubs",
  ),
  node(
    "native/cpu/generated",
    "src/aten",
    "native/(cpu|ufunc)/generated/",
    "native/cpu/generated/Activation/index.ts",
    "one function for each dtype",
  ),
  node("shared by kernels", "src/aten", shared, "EmptyTensor.ts", "EmptyTensor, Resize, …"),
  node(
    "DispatchStub.ts",
    "src/aten",
    "native/(DispatchStub|batch_norm\\.)",
    "native/DispatchStub.ts",
    "the switch by device",
  ),
  node("native", "src/aten", "native/", "native/Activation/index.ts", "native functions"),
  node("TensorIterator", "src/aten", "TensorIterator|iterator/|TensorMeta", "TensorIterator.ts", "and TensorMeta"),
  node(
    "Functions, TensorBody",
    "src/aten",
    "generated/(Functions|core/TensorBody)",
    "generated/Functions.ts",
    "generated: at::add, Tensor::add",
  ),
  node("Operators.ts", "src/aten", "generated/Operators", "generated/Operators.ts", "generated: at::_ops"),
  node("library.ts", "src/aten", "core/library", "core/library.ts", "def, impl, fallback"),
  node("core/dispatch", "src/aten", "core/(dispatch|boxing)/", "core/dispatch/Dispatcher.ts", "the dispatcher, boxing"),
  node("core", "src/aten", "core/", "core/function_schema.ts", "schemas, values, handles"),
  node(
    "record_function.ts",
    "src/aten",
    "record_function|SequenceNumber",
    "record_function.ts",
    "where a profiler listens",
  ),
  node("shapes, dtypes, ranges", "src/aten", "", "ExpandUtils.ts", "ExpandUtils, Dispatch, cpu/vec, …"),
];

const csrc = "src/torch/csrc-equivalent";

/** The part of TorchScript's folder that `torch.ops` needs. */
const jit_of_core = "python/(file_reader|init|pybind_utils)|runtime/register_(c10|metadata)_ops|frontend/tracing\\.ts";

const bindings: readonly NodePlan[] = [
  node(
    "Module.ts",
    csrc,
    "Module|stub|cpu/|Event|Stream\\.impl|TypeInfo|DeviceAccelerator",
    "Module.ts",
    "PyInit__C, initModule",
  ),
  node(
    "THPVariable",
    csrc,
    "autograd/python_variable(/(index|subclass)|_methods_manual|_indexing)\\.ts|autograd/python_torch_functions_manual",
    "autograd/python_variable/index.ts",
    "the tensor type, by hand",
  ),
  node(
    "generated bindings",
    csrc,
    "autograd/generated/(python_|variable_factories)|autograd/python_torch_functions\\.ts",
    "autograd/generated/python_torch_functions.ts",
    "THPVariable_add, …",
  ),
  node(
    "THPFunction, THPEngine",
    csrc,
    "autograd/(python_(engine|function|cpp_function|hook|saved|anomaly|variable/hooks)|init)",
    "autograd/python_engine.ts",
    "autograd for Python",
  ),
  node(
    "TorchScript",
    csrc,
    `api/|lazy/|jit/(?!${jit_of_core})|autograd/(TraceTypeKernels|generated/TraceType)`,
    "jit/ir/ir/graph.ts",
    "compiler, graphs, passes, interpreter; lazy tensors",
  ),
  node(
    "_dispatch_…, jit",
    csrc,
    "jit/(?!frontend/tracing)|PyInterpreter|utils/(PythonKernelHolder|python_dispatch)|autograd/handed_over",
    "utils/python_dispatch.ts",
    "the dispatcher for Python",
  ),
  node(
    "tensor_new",
    csrc,
    "utils/(tensor_|python_sequences|python_scalars|pycfunction|out_types)|autograd/utils/wrap",
    "utils/tensor_new.ts",
    "torch.tensor, results",
  ),
  node(
    "argument parser",
    csrc,
    "utils/(python_arg_parser|invalid_arguments)",
    "utils/python_arg_parser.ts",
    "PythonArgParser",
  ),
  node(
    "Python's objects",
    csrc,
    "[A-Z]|utils/|tensor/|autograd/python_variable/(type|wrap)|jit/frontend/tracing",
    "Dtype.ts",
    "dtype, device, Size, numbers",
  ),
];

const autograd: readonly NodePlan[] = [
  node(
    "RegisterAll.ts",
    csrc,
    "autograd/generated/RegisterAll|autograd/variable/hooks|autograd/TraceTypeManual",
    "autograd/generated/RegisterAll.ts",
    "registers kernels, hooks",
  ),
  node(
    "VariableType",
    csrc,
    "autograd/(generated/(VariableType|ADInplace|ViewFuncs)|VariableTypeManual|autograd_not)",
    "autograd/generated/VariableType_0.ts",
    "generated: recording kernels",
  ),
  node(
    "Functions.ts",
    csrc,
    "autograd/(generated/Functions|FunctionsManual)",
    "autograd/generated/Functions.ts",
    "generated: the nodes",
  ),
  node(
    "engine",
    csrc,
    "autograd/(engine/|autograd\\.ts|input_buffer/index)",
    "autograd/engine/index.ts",
    "and its queue",
  ),
  node("profiler", csrc, "profiler/|autograd/profiler", "profiler/collection.ts"),
  node("nodes and variables", csrc, "autograd/", "autograd/node.ts", "Node, AutogradMeta, SavedVariable"),
];

const files = node(
  "torch.save, torch.load",
  "src/torch",
  "serialization(?!/tls)|_pickle/(values|unpickler|module)|_weights_only|safetensors",
  "serialization/index.ts",
  "files: the pickle, its reader",
);
const data = node("torch.utils.data", "src/torch", "utils/data/", "utils/data/index.ts", "datasets, loaders");

/** Folders beside torch.fx: containers, decompositions for graphs, fake and functional tensors, AOTAutograd. */
const below_fx =
  "utils/(_dtype_abbrs|_sympy/|_pytree/(?!lists))|_decomp/(core_aten|for_graphs)|_dispatch/|_subclasses/|_dynamo/|_export/|_higher_order_ops/|export/|_inductor/|_functorch/(?!loading|apis|functional_call|batch_norm|eager_transforms/index)";

const front: readonly NodePlan[] = [
  node(
    "torch.fx, export, jit",
    "src",
    `(fx|func|export|compile|jit|lazy|cpp)\\.ts|torch/(fx|_lazy/|_bodies/|_sym_functions|jit/(?!_is_tracing)|${below_fx})`,
    "fx.ts",
    "capture programs",
  ),
  node(
    "index.ts",
    "src",
    "index\\.ts|(webgpu|python|python_modules)\\.ts|torch/(index\\.ts|_python\\w*\\.ts|webgpu/|generated/python|testing/_internal)",
    "torch/index.ts",
    "import torch, webgpu, python",
  ),
  node(
    "torch.nn, torch.optim, torch.save",
    "src/torch",
    "nn/|optim/|distributions/|func/|_functorch/(?!loading)|testing/|utils/(data/|index|backend_registration|_?checkpoint)|serialization(?!/tls)|_pickle/(values|unpickler|module)|_weights_only|safetensors",
    "nn/index.ts",
    "modules, optimizers, loaders, files, torch.distributions, torch.func",
  ),
  node(
    "torch.autograd",
    "src/torch",
    "autograd/|profiler/|utils/swap_tensors|_decomp/decompositions_for_jvp",
    "autograd/index.ts",
    "and torch.profiler",
  ),
  node(
    "torch.library, torch._refs",
    "src/torch",
    "library\\.ts|_library/|_ops\\.ts|_meta_|_decomp/|_refs/|_prims",
    "library.ts",
    "torch.ops; kernels for Meta, in Python",
  ),
  node("Tensor", "src/torch", "(?!_C)", "_tensor/index.ts", "and the functions beside it"),
  node("_C.ts", "src/torch", "_C", "_C.ts", "one entrance"),
];

export const graphPlans: readonly GraphPlan[] = [
  {
    id: "src",
    title: "The whole house",
    files: /^src\//,
    bands: true,
    nodes: [
      node("trace", "src", "trace/", "trace/index.ts", "the recorder, forms of a trace"),
      ...front.map((n) => (n.label === "Tensor" ? { ...n, match: /^src\/torch\/(?!_C|csrc)/ } : n)),
      ...bindings.slice(0, 6),
      node(
        "argument parser",
        csrc,
        "utils/|dynamo/|functorch/|autograd/utils/wrap|[A-Z]|tensor/|autograd/python_variable/(type|wrap)|jit/frontend/tracing",
        "utils/python_arg_parser.ts",
        "and Python's objects",
      ),
      ...autograd
        .filter(({ label }) => label !== "profiler")
        .map((n) =>
          n.label === "nodes and variables" ? { ...n, match: new RegExp(`^${csrc}/(autograd|profiler)/`) } : n,
        ),
      ...aten
        .filter(({ label }) => label !== "record_function.ts" && label !== "LossMulti, …")
        .map((n) =>
          n.label === "native/cpu" ? { ...n, match: new RegExp(`${n.match.source}|^src/aten/${with_loops}`) } : n,
        )
        .filter(({ label }) => label !== "library.ts")
        .map((n) => (n.label === "core/dispatch" ? { ...n, match: /^src\/aten\/core\/(dispatch|boxing|library)/ } : n))
        .map((n) => (n.label === "core" ? { ...n, match: /^src\/aten\/(core\/|record_function|SequenceNumber)/ } : n)),
      node(
        "c10, caffe2/serialize",
        "src",
        "c10/|caffe2/serialize/",
        "c10/core/TensorImpl/index.ts",
        "tensors, storages, keys; errors; the archive of a file",
      ),
      node("python", "src/python", "", "vm/ceval.ts", "Python: parser, compiler, machine, values"),
    ],
  },
  {
    id: "src/c10",
    title: "c10",
    files: /^src\/c10\//,
    nodes: [
      node("webgpu", "src/c10/webgpu", "", "KernelLaunch.ts", "memory and queue of a second device"),
      node(
        "guards, streams, events",
        "src/c10/core",
        "CachingDevice|DeviceCapability|DeviceGuard|Event|Stream|impl/(DeviceGuard|Inline|NoOp|Virtual)",
        "DeviceGuard.ts",
        "for devices with streams",
      ),
      node(
        "PyInterpreter",
        "src/c10/core",
        "impl/(PyInterpreter|TorchDispatchMode)",
        "impl/PyInterpreter.ts",
        "runs a mode's handler",
      ),
      node("CPUHeap", "src/c10/core", "CPUHeap", "CPUHeap.ts", "the CPU's memory"),
      node("TensorImpl", "src/c10/core", "TensorImpl/", "TensorImpl/index.ts", "the tensor"),
      node("Scalar, SymInt", "src/c10/core", "Scalar\\.|SymInt", "Scalar.ts", "numbers of a call"),
      node("Exception", "src/c10/util", "Exception|warnings|whole_numbers", "Exception.ts", "errors, hints, warnings"),
      node(
        "number formats",
        "src/c10/util",
        "BFloat16|Half|libm|math|accumulate",
        "Half.ts",
        "Half, BFloat16, libm, math",
      ),
    ],
  },
  { id: "src/aten", title: "aten", files: /^src\/aten\//, nodes: aten },
  {
    id: "src/aten/core",
    title: "The dispatcher and its helpers",
    files:
      /^src\/aten\/(core\/(?!Distrib|MT19|Transf|Reduction|TensorBase|Generator|VariableHooks)|record_function|SequenceNumber|generated\/Operators)/,
    nodes: [
      node("Operators.ts", "src/aten/generated", "Operators", "Operators.ts", "generated: at::_ops"),
      node(
        "fallback kernels",
        "src/aten/core",
        "\\w+FallbackKernel",
        "VariableFallbackKernel.ts",
        "one kernel for a whole key",
      ),
      node("function_schema.ts", "src/aten/core", "function_schema(_inl)?\\.ts", "function_schema.ts", "and its calls"),
      node(
        "schema parser",
        "src/aten/core",
        "function_schema_parser|schema_|source_range",
        "function_schema_parser.ts",
        "reads a schema line",
      ),
    ],
  },
  {
    id: "src/aten/native",
    title: "Native functions and kernels",
    files:
      /^src\/aten\/(native\/|TensorIterator|iterator\/|TensorMeta|Dispatch\.ts|generated\/(Native|Ufunc|Composite|RegisterCPU_|RegisterAll))/,
    nodes: [
      webgpu,
      node(
        "RegisterKernels.ts",
        "src/aten",
        "native/cpu/RegisterKernels",
        "native/cpu/RegisterKernels.ts",
        "imports every kernel file",
      ),
      node("RegisterAll.ts", "src/aten", "generated/RegisterAll", "generated/RegisterAll.ts", "generated"),
      node("RegisterCPU.ts", "src/aten", "generated/RegisterCPU", "generated/RegisterCPU_0.ts", "generated: wrappers"),
      node(
        "NativeFunctions.ts",
        "src/aten",
        "generated/(NativeFunctions|Composite|UfuncCPU_)",
        "generated/NativeFunctions.ts",
        "generated: what the YAML names",
      ),
      node(
        "ufunc of add",
        "src/aten",
        "generated/UfuncCPUKernel|native/ufunc/(?!gen)",
        "generated/UfuncCPUKernel_add.ts",
        "generated from native/ufunc",
      ),
      node("LossMulti, …", "src/aten", with_loops, "native/LossMulti.ts", "call their loops themselves"),
      node("NonzeroKernel, …", "src/aten", stubless, "native/cpu/NonzeroKernel.ts", "called without a stub"),
      node(
        "generated loops",
        "src/aten",
        "native/(cpu|ufunc)/generated/",
        "native/cpu/generated/Activation/index.ts",
        "one function for each dtype",
      ),
      node(
        "Loops.ts, Reduce.ts",
        "src/aten",
        "native/cpu/(Loops/|default_loop|Reduce\\.|vec/(driver|(generated/)?copy/(kernel|driver)))",
        "native/cpu/Loops/index.ts",
        "cpu_kernel: runs a loop",
      ),
      node(
        "random numbers",
        "src/aten",
        "native/cpu/(Distribution|Randperm|NormalFill)",
        "native/cpu/DistributionTemplates/index.ts",
        "DistributionTemplates, …",
      ),
      node(
        "cpu/…Kernel.ts",
        "src/aten",
        "native/cpu/(?!avx)",
        "native/cpu/Activation/index.ts",
        "scalar functions, stubs filled",
      ),
      node(
        "DispatchStub.ts",
        "src/aten",
        "native/(DispatchStub|batch_norm\\.)",
        "native/DispatchStub.ts",
        "the switch by device",
      ),
      node(
        "fallbacks of bits",
        "src/aten",
        "native/(Negate|MathBit)",
        "native/MathBitsFallback.ts",
        "conjugate, negative",
      ),
      node(
        "Resize, Math, …",
        "src/aten",
        "native/(Resize|TypeProperties|TensorFactories/fill_empty_deterministic|Math/|cpu/avx)",
        "native/Resize.ts",
        "helpers",
      ),
      node(
        "CPUBlas, BlasKernel",
        "src/aten",
        "native/(?:generated/)?(CPUBlas|BlasKernel)",
        "native/CPUBlas.ts",
        "matrix products",
      ),
      node("native functions", "src/aten", "native/", "native/Activation/index.ts", "Activation, BinaryOps, …"),
      node("TensorIterator", "src/aten", "TensorIterator|iterator/|TensorMeta", "TensorIterator.ts", "and TensorMeta"),
      node("Dispatch.ts", "src/aten", "Dispatch", "Dispatch.ts", "a loop for a dtype"),
    ],
  },
  {
    id: "tools/codegen",
    title: "The code generator",
    files: /^tools\/codegen\//,
    nodes: [
      node("api", "tools/codegen", "api/", "api/cpp.ts", "names and types of each level"),
      node("kernels", "tools/codegen", "kernels/(?!main)", "kernels/typing.ts", "from scalar function to loop"),
      node(
        "register_schema, prim_ops",
        "tools/codegen",
        "dest/(register_schema|prim_ops)",
        "dest/register_schema.ts",
        "schemas of operators",
      ),
      node(
        "function_schema",
        "tools/codegen",
        "function_schema|arguments|operator_name",
        "function_schema.ts",
        "the func: line",
      ),
      node(
        "kernels of views, writes, traces",
        "tools/codegen",
        "autograd/(gen_(view_funcs|inplace|trace)|view_info)",
        "autograd/gen_inplace_or_view_type.ts",
      ),
      node(
        "load_derivatives",
        "tools/codegen",
        "autograd/(load|saved|node_names|forward_derivatives)",
        "autograd/load_derivatives.ts",
        "derivatives.yaml",
      ),
      node("formulas", "tools/codegen", "autograd/(\\w*formula|cpp_)", "autograd/formula.ts", "read, typed, printed"),
      node(
        "writers of VariableType",
        "tools/codegen",
        "autograd/variable_type_writer",
        "autograd/variable_type_writer.ts",
        "recording kernels",
      ),
      node("lazy tensors", "tools/codegen", "gen_lazy|dest/lazy", "gen_lazy_tensor.ts", "nodes and their kernels"),
      node("ufunc, structured", "tools/codegen", "dest/(ufunc|structured|device_guard)", "dest/structured.ts"),
      node(
        "helpers",
        "tools/codegen",
        "errors|utils|shards|types|file_system|made_before|code_template|context|model|view_copies|ufunc_dtypes|autograd/folders",
        "code_template.ts",
        "errors, templates, types",
      ),
      node(
        "sources",
        "tools/codegen",
        "source_index|parameters|dispatch_stubs",
        "source_index.ts",
        "our own declarations",
      ),
    ],
  },
  {
    id: "src/torch/csrc-equivalent",
    title: "The binding",
    files: new RegExp(`^${csrc}/`),
    nodes: [
      ...bindings.slice(0, 7),
      node(
        "python_arg_parser.ts",
        csrc,
        "utils/(python_arg_parser\\.|invalid)",
        "utils/python_arg_parser.ts",
        "signatures, and which one fits",
      ),
      node(
        "…_torch_function.ts",
        csrc,
        "utils/python_arg_parser_torch",
        "utils/python_arg_parser_torch_function.ts",
        "__torch_function__",
      ),
      node(
        "…_args.ts",
        csrc,
        "utils/python_arg_parser_args",
        "utils/python_arg_parser_args.ts",
        "r.tensor(0), r.scalar(1)",
      ),
      node(
        "…_parameter.ts",
        csrc,
        "utils/python_arg_parser_param",
        "utils/python_arg_parser_parameter.ts",
        "one parameter of a signature",
      ),
      node("dtype, device, …", csrc, "[A-Z]|tensor/", "Dtype.ts", "objects that Python sees"),
      node(
        "tensor ↔ THPVariable",
        csrc,
        "autograd/python_variable/(type|wrap)|utils/disable",
        "autograd/python_variable/wrap.ts",
        "wrap and unwrap",
      ),
      node(
        "numbers",
        csrc,
        "utils/(python_numbers|python_repr|structseq|device_lazy)",
        "utils/python_numbers.ts",
        "Python's ints and floats",
      ),
      node("autograd", csrc, "(autograd|profiler)/", "autograd/engine/index.ts", "see the page on autograd"),
    ],
  },
  {
    id: "src/torch/csrc-equivalent/autograd",
    title: "Autograd",
    files: new RegExp(`^${csrc}/autograd/(?!python_|init|profiler|generated/(python_|variable_f)|utils/wrap)`),
    nodes: [
      node("RegisterAll.ts", csrc, "autograd/generated/RegisterAll", "autograd/generated/RegisterAll.ts", "generated"),
      node(
        "VariableType.ts",
        csrc,
        "autograd/generated/VariableType",
        "autograd/generated/VariableType_0.ts",
        "generated: recording kernels",
      ),
      node(
        "ADInplaceOrViewType.ts",
        csrc,
        "autograd/generated/ADInplaceOrViewType",
        "autograd/generated/ADInplaceOrViewType_0.ts",
        "generated: versions, views",
      ),
      node(
        "Functions.ts",
        csrc,
        "autograd/generated/Functions",
        "autograd/generated/Functions.ts",
        "generated: the nodes",
      ),
      node(
        "forward mode",
        csrc,
        "autograd/(forward_grad|autograd_meta|jit_decomp)",
        "autograd/forward_grad.ts",
        "tangents by level",
      ),
      node("hooks", csrc, "autograd/(cpp_hook|function_hook|custom_function/check_variable)", "autograd/cpp_hook.ts"),
      node(
        "FunctionsManual/index.ts",
        csrc,
        "autograd/FunctionsManual",
        "autograd/FunctionsManual/index.ts",
        "helpers of formulas",
      ),
      node(
        "input_buffer, ready_queue",
        csrc,
        "autograd/(input_buffer|engine/ready_queue)",
        "autograd/engine/ready_queue.ts",
      ),
      node(
        "custom_function/index.ts",
        csrc,
        "autograd/(custom_function|variable_info)",
        "autograd/custom_function/index.ts",
        "autograd.Function",
      ),
      node(
        "small files",
        csrc,
        "autograd/(error_messages|use_count|edge|saved_variable_hooks|functions/check)",
        "autograd/edge.ts",
        "edge, use_count, …",
      ),
    ],
  },
  {
    id: "src/torch",
    title: "The front end",
    files: /^src\/(index|webgpu|(python|python_modules|fx|func|export|compile|jit|lazy|cpp)\.ts|torch\/(?!csrc))/,
    nodes: [
      node(
        "torch.jit",
        "src",
        "jit\\.ts|torch/(_bodies/|jit/(?!_is_tracing))",
        "torch/jit/_script/index.ts",
        "scripts",
      ),
      node("torch._lazy", "src", "lazy\\.ts|torch/_lazy/", "torch/_lazy/index.ts", "lazy tensors"),
      node(
        "torch.fx",
        "src",
        `(fx|func|export|compile)\\.ts|torch/(fx/|_sym_functions|${below_fx})`,
        "torch/fx/index.ts",
        "graphs",
      ),
      node(
        "index.ts",
        "src",
        "index\\.ts|(webgpu|python|python_modules|fx|export|jit|cpp)\\.ts|torch/(index\\.ts|_python\\w*\\.ts|webgpu/|generated/python|testing/_internal)",
        "torch/index.ts",
        "import torch, webgpu, python",
      ),
      node("_C.ts", "src/torch", "_C", "_C.ts", "entrance to the binding"),
      node(
        "names and values",
        "src/torch",
        "__future__|_absent|_doors|_functorch/loading|_length|_slice|_value_classes|_torch\\.ts|generated/absent",
        "_absent.ts",
        "names that are not built, slices, types of values",
      ),
      node(
        "nn.functional",
        "src/torch/nn",
        "functional/|_reduction|_size|modules/(utils|linear_cross_entropy)",
        "functional/index.ts",
      ),
      node("Module", "src/torch/nn/modules", "module", "module/index.ts", "5 files"),
      node(
        "layers",
        "src/torch",
        "nn/((modules|utils|parallel|attention)/|grad)|func/|_functorch/",
        "nn/modules/activation/index.ts",
        "PReLU, …, nn.utils, func",
      ),
      node(
        "torch.linalg, torch.special, …",
        "src/torch",
        "_check|linalg/|special/|compiler/|distributed/|export/|fft/|hub|onnx/",
        "special/index.ts",
        "and packages not built",
      ),
      node(
        "torch.optim, torch.distributions",
        "src/torch",
        "optim/|distributions/",
        "optim/optimizer/index.ts",
        "SGD, …; Normal, …",
      ),
      files,
      data,
      node(
        "torch.testing, torch.utils",
        "src/torch",
        "testing/|utils/(index|backend_registration)",
        "utils/index.ts",
        "a backend's name, its methods",
      ),
      node("checkpoint", "src/torch", "utils/_?checkpoint", "utils/checkpoint.ts"),
      node(
        "contexts, modes",
        "src/torch",
        "utils/(_contextlib|_python_dispatch|_pytree|hooks)",
        "utils/_contextlib.ts",
      ),
      node(
        "pickles",
        "src/torch",
        "_pickle|serialization/tls|_utils/rebuild|_tensor/reduce|_collections|_complex",
        "_pickle/index.ts",
      ),
      node("parameters", "src/torch/nn", "parameter", "parameter/index.ts"),
      node("torch.amp", "src/torch", "amp/", "amp/autocast_mode.ts", "autocast, GradScaler"),
      node("torch.profiler", "src/torch", "profiler/|autograd/profiler", "profiler/profiler.ts"),
      node(
        "torch.autograd",
        "src/torch",
        "autograd/|utils/swap_tensors|_decomp/decompositions_for_jvp",
        "autograd/index.ts",
        "backward, grad, Function",
      ),
      node("torch.library", "src/torch", "library\\.ts|_library/", "library.ts", "operators of your own"),
      node(
        "_signature.ts",
        "src/torch",
        "_signature|_inner_errors|_jit_internal|jit/_is_tracing|_not_built|_linalg_utils|_node_builtins",
        "_signature.ts",
        "Python's arguments",
      ),
      node("_tensor_str.ts", "src/torch", "_tensor_str|_tensor/dim_order", "_tensor_str.ts", "and the order of dims"),
      node("functional", "src/torch", "functional/", "functional/index.ts", "einsum, unique, lu, …"),
      node("storage", "src/torch", "storage/", "storage/untyped.ts", "bytes, typed bytes"),
      node("docstrings, types", "src/torch", "_torch_docs|_tensor_docs|types|_utils/metadata", "_torch_docs.ts"),
      node(
        "torch.cuda, torch.backends, …",
        "src/torch",
        "backends/|cpu/|cuda/|xpu/|mps/|accelerator/|_deterministic|utils/(deterministic|_device)|_default_device",
        "backends/index.ts",
        "settings of this machine",
      ),
      node(
        "torch._refs",
        "src/torch",
        "_meta_|_decomp/|_refs/|_prims",
        "_meta_registrations/index.ts",
        "kernels for Meta",
      ),
    ],
  },
  { id: "src/trace", title: "Trace", files: /^src\/trace\// },
];
