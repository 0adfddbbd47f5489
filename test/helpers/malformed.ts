/**
 * @file Calls that are wrong: every public function, method and constructor, with values that no program should give it.
 */
import vm from "node:vm";
import torch from "glasstorch";
// The parts that have entries of their own are public, too.
import "glasstorch/fx";
import "glasstorch/jit";
import { PythonTorchFunctionTLS } from "#aten/PythonTorchFunctionTLS";
import { tracer } from "#c10/util/Trace";
import { signature } from "#torch/_signature";
import type { Any } from "./recorded.ts";

/** A list that holds itself. */
function cyclic(): Any[] {
  const list: Any[] = [];
  list[0] = list;
  return list;
}

/** A list 20,000 levels deep. */
function deep(): Any {
  let list: Any = 1;
  for (let i = 0; i < 20_000; i++) list = [list];
  return list;
}

/** The catalogue: made anew for each call, since a call may write to what it is given. */
export const values: Readonly<Record<string, () => Any>> = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  "0": () => 0,
  "-1": () => -1,
  "1.5": () => 1.5,
  nan: () => Number.NaN,
  inf: () => Number.POSITIVE_INFINITY,
  "2**53": () => 2 ** 53,
  "2**62": () => 2 ** 62,
  "2**70": () => 2 ** 70,
  "1n": () => 1n,
  "2n**70n": () => 2n ** 70n,
  "empty string": () => "",
  string: () => "a",
  dots: () => "...",
  "a symbol": () => Symbol("s"),
  "[]": () => [],
  "[1]": () => [1],
  "[-1]": () => [-1],
  "ragged list": () => [[1], [2, 3]],
  "list of strings": () => ["a"],
  "list of null": () => [null],
  "list of objects": () => [{}],
  "list of symbols": () => [Symbol("s")],
  "sparse list": () => new Array(3),
  "cyclic list": cyclic,
  "list of a cyclic list": () => [0, cyclic()],
  "deep list": deep,
  "{}": () => ({}),
  "{dim: 0}": () => ({ dim: 0 }),
  "{nothing: 1}": () => ({ nothing: 1 }),
  "object of a cyclic list": () => ({ out: cyclic() }),
  "cyclic object": () => {
    const object: Any = {};
    object.self = object;
    return object;
  },
  "slice of strings": () => ({ start: "a", stop: Symbol("s"), step: [] }),
  "slice of step 0": () => ({ start: 0, stop: 1, step: 0 }),
  "object without prototype": () => Object.create(null),
  "a map": () => new Map([[1, 2]]),
  "a set": () => new Set([1]),
  "a date": () => new Date(0),
  "a regular expression": () => /a/,
  "a function": () => () => 1,
  "a function of no value": () => () => {},
  "a class": () => class A {},
  "a promise": () => Promise.resolve(1),
  "an error": () => new Error("e"),
  "a boxed number": () => Object(1),
  "the class Tensor": () => torch.Tensor,
  "the class Linear": () => torch.nn.Linear,
  "no real tensor": () => Object.create(torch.Tensor.prototype),
  "no real module": () => Object.create(torch.nn.Linear.prototype),
  "a tensor": () =>
    torch.tensor([
      [1.5, 2, 3],
      [4, 5, 6],
    ]),
  "a tensor of 0 dims": () => torch.tensor(2.5),
  "a tensor of int64": () => torch.tensor([1, 0]),
  "a tensor of bool": () => torch.tensor([true, false]),
  "an empty tensor": () => torch.empty([0]),
  "a meta tensor": () => torch.empty([2, 3], { device: "meta" }),
  "a tensor with gradient": () => torch.tensor([1.5, 2], { requires_grad: true }),
  "a result with gradient": () => torch.tensor([1.5, 2], { requires_grad: true }).mul(2),
  "an expanded tensor": () => torch.zeros([1]).expand([3]),
  "a list of tensors": () => [torch.ones([2]), torch.ones([2])],
  "a list of a tensor and 1": () => [torch.ones([2]), 1],
  "a parameter": () => new torch.nn.Parameter(torch.ones([2])),
  "a module": () => new torch.nn.ReLU(),
  "a dtype": () => torch.float64,
  "a complex dtype": () => torch.complex64,
  "a device": () => torch.device("cpu"),
  "a layout": () => torch.sparse_coo,
  "a memory format": () => torch.channels_last,
  "a Float": () => torch.Float(2),
  "a generator": () => torch.default_generator,
  "a storage": () => torch.ones([2]).untyped_storage(),
  "a key set": () => torch._C._dispatch_keys(torch.ones([1])),
  "float32 array": () => new Float32Array([1, 2]),
  "int64 array": () => new BigInt64Array([1n]),
  "uint64 array": () => new BigUint64Array([1n]),
  "a buffer": () => new ArrayBuffer(3),
  "a view of a buffer": () => new DataView(new ArrayBuffer(8)),
  NotImplemented: () => torch.NotImplemented,
};

/** One function under its name, and what may stand in front of a wrong value. */
interface Callee {
  readonly name: string;
  readonly call: (...args: Any[]) => unknown;
  readonly good: () => Any;
  /** The function or the class, if it is one of a namespace. */
  readonly value?: Any;
}

const tensor = () =>
  torch.tensor([
    [1.5, 2],
    [3, 4],
  ]);

function is_class(value: Any): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

/** Functions whose work is to change what lasts, or to write to the console. */
const lasting =
  /^_?(set_|_set_|manual_seed|seed$|initial_seed|_rename_privateuse1|_initExtension|_push_saved|_pop_saved|_saved_tensors_hooks|_dispatch_tls_set|_dispatch_set_report|_dispatch_print|_C\._dispatch_print|_enable_profiler|register_module_|register_optimizer_|register_package|register_kl|rename_privateuse1|generate_methods_for|(?:add_|clear_)?safe_globals)|Guard$|AutoDispatch|InferenceMode|DisableTorchFunction|detect_anomaly|TorchFunctionMode|print/;

/** Names that a program does not call: those that begin with an underscore, except the dispatcher's; and those that `torch._C` has for the front end only. */
const inner =
  /^_(?!dispatch_|parse_|jit_|get_|C\b)|^(THP|set_register_hook|FunctionSchema|Argument)|^(?:Unpickling|Pickling|Safetensor|Checkpoint|LinAlg|Accelerator|OutOfMemory|[A-Z]\w+)Error$|^_dispatch_check_all/;

function functions_of(namespace: string, holder: object): Callee[] {
  const found: Callee[] = [];
  for (const name of Object.keys(holder)) {
    const value = (holder as Any)[name];
    if (typeof value !== "function" || lasting.test(name) || inner.test(name)) continue;
    const call = is_class(value) ? (...args: Any[]) => new value(...args) : (...args: Any[]) => value(...args);
    found.push({ name: `${namespace}.${name}`, call, good: tensor, value });
  }
  return found;
}

/** Methods that only their own class calls. */
const hidden = /^_[a-z]|^(update|step_all|refuseMetaOfComposite|alive)$/;

/** The methods of one object and of its classes. */
function methods_of(namespace: string, make: () => Any, good: () => Any = tensor): Callee[] {
  const names = new Set<string>();
  for (let p = Object.getPrototypeOf(make()); p !== null && p !== Object.prototype && p !== Function.prototype; ) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(p)))
      if (typeof value === "function" && name !== "constructor" && !lasting.test(name) && !hidden.test(name))
        names.add(name);
    p = Object.getPrototypeOf(p);
  }
  return [...names].map((name) => ({ name: `${namespace}.${name}`, call: (...args) => make()[name](...args), good }));
}

export function callees(): Callee[] {
  const { nn, optim, autograd, library, overrides, random, profiler, functional, _C, ops } = torch as Any;
  const { distributions, serialization, utils } = torch as Any;
  const parameter = () => new nn.Parameter(torch.ones([2]));
  return [
    ...functions_of("torch", torch),
    ...functions_of("torch.functional", functional),
    ...functions_of("torch.nn.functional", nn.functional),
    ...functions_of("torch.nn.init", nn.init),
    ...functions_of("torch.nn", nn),
    ...functions_of("torch.optim", optim),
    ...functions_of("torch.autograd", autograd),
    ...functions_of("torch.autograd.graph", autograd.graph),
    ...functions_of("torch.library", library),
    ...functions_of("torch.overrides", overrides),
    ...functions_of("torch.random", random),
    ...functions_of("torch.profiler", profiler),
    ...functions_of("torch.nn.utils", nn.utils),
    ...functions_of("torch.nn.utils.parametrize", nn.utils.parametrize ?? {}),
    ...functions_of("torch.nn.utils.parametrizations", nn.utils.parametrizations ?? {}),
    ...functions_of("torch.nn.utils.rnn", nn.utils.rnn),
    ...functions_of("torch.optim.lr_scheduler", optim.lr_scheduler),
    ...functions_of("torch.optim.swa_utils", optim.swa_utils),
    ...functions_of("torch.distributions", distributions),
    ...functions_of("torch.distributions.transforms", distributions.transforms ?? {}),
    ...functions_of("torch.distributions.kl", distributions.kl ?? {}),
    ...functions_of("torch.distributions.constraints", distributions.constraints ?? {}),
    ...functions_of("torch.serialization", serialization),
    ...functions_of("torch.safetensors", (torch as Any).safetensors),
    ...functions_of("torch.utils", utils),
    ...functions_of("torch.utils.checkpoint", utils.checkpoint),
    ...functions_of("torch.utils.data", utils.data),
    ...functions_of("torch.utils.hooks", utils.hooks ?? {}),
    ...["linalg", "fft", "special", "func", "amp", "testing", "accelerator", "cpu"].flatMap((name) =>
      functions_of(`torch.${name}`, (torch as Any)[name]),
    ),
    ...["backends", "jit", "fx", "export", "compiler", "hub", "onnx", "distributed", "cuda", "mps", "xpu"].flatMap(
      (name) => functions_of(`torch.${name}`, (torch as Any)[name]),
    ),
    ...functions_of("torch._C", _C),
    ...functions_of("torch._C._nn", _C._nn),
    ...methods_of("Tensor", tensor),
    ...methods_of("Parameter", parameter),
    ...methods_of("Linear", () => new nn.Linear(2, 2)),
    // 2**70 times a module takes as long as it says, in PyTorch too.
    ...methods_of("Sequential", () => new nn.Sequential(new nn.ReLU())).filter(({ name }) => !name.endsWith("mul__")),
    ...methods_of("Optimizer", () => new optim.SGD([parameter()], { lr: 0.1 })),
    ...methods_of("Generator", () => new torch.Generator()),
    ...methods_of("UntypedStorage", () => torch.ones([2]).untyped_storage()),
    ...methods_of("dtype", () => torch.float32),
    ...methods_of("torch.ops.aten.add", () => ops.aten.add),
    ...methods_of("torch.ops.aten.add.Tensor", () => ops.aten.add.Tensor),
    { name: "torch.ops.aten.add", call: (...args: Any[]) => ops.aten.add(...args), good: tensor },
    {
      name: "torch.ops.aten.sum.dim_IntList",
      call: (...args: Any[]) => ops.aten.sum.dim_IntList(...args),
      good: tensor,
    },
    { name: "torch.ops.aten.cat", call: (...args: Any[]) => ops.aten.cat(...args), good: tensor },
    { name: "Linear()", call: (...args: Any[]) => new nn.Linear(2, 2)(...args), good: tensor },
    { name: "Library", call: (...args: Any[]) => new library.Library(...args)._destroy(), good: () => "malformed" },
    ...methods_of(
      "Library",
      () => new library.Library("malformed", "FRAGMENT"),
      () => "f(Tensor x) -> Tensor",
    ),
  ];
}

/** Values that parameters of these names need, so that a call gets as far as the wrong one. */
const good_by_name: Readonly<Record<string, () => Any>> = (() => {
  const { nn, optim, distributions } = torch as Any;
  const params = () => [new nn.Parameter(torch.ones([2]))];
  const optimizer = () => new optim.SGD(params(), { lr: 0.1 });
  const normal = () => new distributions.Normal(tensor(), tensor());
  const linear = () => new nn.Linear(2, 2);
  const schedulers = () => {
    const one = optimizer();
    return [new optim.lr_scheduler.StepLR(one, 1), new optim.lr_scheduler.StepLR(one, 1)];
  };
  const numbers =
    "in_features out_features in_channels out_channels kernel_size num_features num_groups num_channels step_size T_max T_0 max_lr total_steps num_embeddings embedding_dim input_size hidden_size dim total_count normalized_shape output_size upscale_factor padding d_model nhead dim_feedforward embed_dim num_heads";
  const ones = "base_lr swa_lr lr num_encoder_layers num_decoder_layers num_layers";
  return {
    ...Object.fromEntries(numbers.split(" ").map((name) => [name, () => 2])),
    ...Object.fromEntries(ones.split(" ").map((name) => [name, () => 1])),
    params,
    parameters: params,
    optimizer,
    module: linear,
    model: linear,
    base_distribution: normal,
    base_dist: normal,
    transforms: () => [new distributions.ExpTransform()],
    schedulers,
    milestones: () => [1],
    lr_lambda: () => () => 1,
    concentration: () => torch.tensor([1, 2]),
    name: () => "weight",
    covariance_matrix: () => torch.eye(2),
    loc: () => torch.zeros(2),
    scale: () => torch.ones(2),
    df: () => torch.tensor(3),
  };
})();

/** Parameters with a default that makes a large model. */
const large = new Set("d_model nhead dim_feedforward num_encoder_layers num_decoder_layers".split(" "));

/** Functions that register what they are given, that read another thread, or that trace. */
const not_by_name = /^torch\.(?:jit|fx|export|_C|ops)\b|\.(?:register_\w+|fork_rng|DataLoader)$/;

/** Numbers of steps: PyTorch takes them, too, however many they are. */
const steps = /\{n_power_iterations\}$/;

/** One callee for each parameter of `callee`, which gets the wrong value by its name; the others have good ones. */
export function by_name({ name, value }: { name: string; value: Any }): Callee[] {
  const parameters = not_by_name.test(name) ? [] : (signature(value)?.parameters ?? []);
  const plain = parameters.filter(({ kind }) => !kind.startsWith("VAR"));
  return plain.map((wrong) => ({
    name: `${name}{${wrong.name}}`,
    good: tensor,
    call: (given: Any) => {
      const positional: Any[] = [];
      const keywords: Any = {};
      for (const parameter of plain) {
        const { name: p, kind } = parameter;
        if (parameter !== wrong && parameter.default !== null && !large.has(p)) continue;
        const chosen = parameter === wrong ? given : (good_by_name[p] ?? tensor)();
        if (kind === "POSITIONAL_ONLY") positional.push(chosen);
        else keywords[p] = chosen;
      }
      return is_class(value) ? new value(...positional, keywords) : value(...positional, keywords);
    },
  }));
}

/** Where the wrong value stands. */
const places: Readonly<Record<string, (good: () => Any, value: Any) => Any[]>> = {
  "(value)": (_, value) => [value],
  "(good, value)": (good, value) => [good(), value],
  "(good, value, value)": (good, value) => [good(), value, value],
  "([value])": (_, value) => [[value]],
  "(good, {dim: value})": (good, value) => [good(), { dim: value }],
  "(good, {dtype: value, out: value})": (good, value) => [good(), { dtype: value, out: value }],
};

/** All that a call must leave as it was. */
function state(): string {
  const { _C } = torch as Any;
  return String([
    torch.is_grad_enabled(),
    torch.is_inference_mode_enabled(),
    _C._dispatch_tls_local_include_set(),
    _C._dispatch_tls_local_exclude_set(),
    PythonTorchFunctionTLS.stack_len(),
    PythonTorchFunctionTLS.get_disabled_state(),
    tracer === null,
    torch.get_default_dtype(),
    _C.is_anomaly_enabled(),
    _C._current_graph_task_id(),
  ]);
}

export interface Fault {
  readonly call: string;
  readonly what: string;
}

/** How long the calls of one function may take, in milliseconds. A loop without end is ended by the watchdog of `vm`, a thread. */
const LIMIT = 60_000;

/**
 * Calls `callee` with the values named, at the places named, and says what went wrong: a call that does not end, an error of
 * JavaScript instead of one of PyTorch's, a state that is not what it was.
 */
export function malformed_calls(callee: Callee, names: readonly string[], at: readonly string[]): Fault[] {
  const faults: Fault[] = [];
  let call = callee.name;
  const calls = (): void => {
    const before = state();
    for (const place of at)
      for (const name of names) {
        if (name.startsWith("2**") && steps.test(callee.name)) continue;
        call = `${callee.name}${place.replaceAll("value", `<${name}>`)}`;
        try {
          callee.call(...places[place](callee.good, values[name]()));
        } catch (error) {
          if (is_from_inside(error)) faults.push({ call, what: stack_of(error) });
        }
        const after = state();
        if (after !== before) return void faults.push({ call, what: `state ${before} became ${after}` });
      }
  };
  try {
    in_time(calls);
  } catch (error) {
    faults.push({ call, what: stack_of(error) });
  }
  return faults;
}

const of_javascript = [TypeError, RangeError, ReferenceError, SyntaxError, URIError];

/** An error that JavaScript raised itself; but not for calling a class, which is the caller's. */
function is_from_inside(error: Any): boolean {
  if (/^Class constructor \w* ?cannot be invoked/.test(error?.message)) return false;
  return !(error instanceof Error) || of_javascript.includes(error.constructor as Any) || "code" in error;
}

function stack_of(error: unknown): string {
  if (!(error instanceof Error)) return `threw ${typeof error}`;
  const lines = (error.stack ?? "").split("\n");
  return lines.slice(0, 4).join("\n").slice(0, 600);
}

const call_now = new vm.Script("globalThis.malformed_calls()");

function in_time(run: () => void): void {
  (globalThis as Any).malformed_calls = run;
  call_now.runInThisContext({ timeout: LIMIT });
}

export const place_names = Object.keys(places);
export const value_names = Object.keys(values);
