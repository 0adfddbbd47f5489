/**
 * @file Lines of stack traces: what each line of a debugger's, PyTorch's or Python's own form names. Pure text; the command line tool
 * and the page with the box share it.
 * @original
 */

export interface StackLine {
  /** The line as given. */
  readonly text: string;
  /** What it names: `at::native::prelu`, `THPVariable_prelu`; of template glue, the function it wraps. */
  readonly symbol: string | null;
  /** A line of a Python traceback: file below the package, line, function. */
  readonly python: { readonly file: string; readonly line: number; readonly name: string } | null;
  /** The glue around `symbol`, where the line names template code that wraps it. */
  readonly wraps: boolean;
}

const PYTHON = /^\s*File "([^"]+)", line (\d+)(?:, in (\S+))?/;
/** gdb `#3  0x0 in at::native::f (...) at f.cpp:3`, lldb `frame #3: 0x0 lib`f(...)`, CapturedTraceback `#3 at::f(...) from f.cpp:3`. */
const NAMES = /((?:at|torch|c10|caffe2|pybind11)::[\w:~<>]+|THP\w+|_?Py\w+|wrapper_\w+|structured_\w+|\w+Backward\d+)/;

export function parseLine(text: string): StackLine {
  const python = PYTHON.exec(text);
  if (python !== null) {
    const file = below(python[1] as string);
    return {
      text,
      symbol: null,
      python: { file, line: Number(python[2]), name: python[3] ?? "<module>" },
      wraps: false,
    };
  }
  const bare = plain(text);
  const wrapped =
    /&\(?((?:at|torch)::[\w:]+)\(/.exec(bare) ?? /wrap_kernel_functor_unboxed_<((?:at|torch)::[\w:]+)>/.exec(bare);
  if (wrapped !== null) return { text, symbol: wrapped[1] as string, python: null, wraps: true };
  const found = NAMES.exec(withoutTemplates(bare));
  return { text, symbol: found === null ? null : (found[1] as string).replace(/::$/, ""), python: null, wraps: false };
}

/** Lines that name something; lines of other threads' headers, source excerpts and addresses alone are left out. */
export function parseTrace(text: string): StackLine[] {
  return text
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== "")
    .map(parseLine);
}

/** Is this a pasted trace, and not a word or a call? */
export function isTrace(text: string): boolean {
  const lines = text.split("\n").filter((l) => l.trim() !== "");
  return lines.length > 1 || /^\s*(#\d+|frame #\d+|File ")/.test(text);
}

export function plain(symbol: string): string {
  return symbol.replaceAll("(anonymous namespace)::", "").replaceAll("{anonymous}::", "").trim();
}

/** `f<A, B<C>>(x)` -> `f(x)`; what stands in angle brackets is never the name of the frame. */
function withoutTemplates(text: string): string {
  let out = "";
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string;
    const operator = /operator[<>-]*$/.test(text.slice(Math.max(0, i - 10), i));
    if (c === "<" && !operator && /[\w~]/.test(text[i - 1] ?? "")) depth++;
    else if (c === ">" && depth > 0 && text[i - 1] !== "-") depth--;
    else if (depth === 0) out += c;
  }
  return out;
}

/** `/usr/lib/python3/site-packages/torch/nn/modules/module.py` -> `torch/nn/modules/module.py`. */
function below(path: string): string {
  return /(?:^|\/)(torch\/.*)$/.exec(path)?.[1] ?? path;
}

/** A word on what a symbol is, from its shape. */
export function kindOf(symbol: string): string {
  const s = plain(symbol);
  if (/^at::_ops::\w+::call$/.test(s)) return "the dispatcher is entered: key set, table, kernel";
  if (/^at::_ops::\w+::redispatch$/.test(s)) return "handed down below the layer that called";
  if (/wrap_kernel_functor|KernelFunction|make_boxed_from_unboxed/.test(s))
    return "template glue between the dispatch table and the kernel; here a call through the table cell";
  if (/wrapper_\w+__?/.test(s))
    return "wrapper made from native_functions.yaml: device guard, structured meta and impl, the kernel";
  if (/VariableType::/.test(s)) return "autograd: saves inputs, makes the node; made from derivatives.yaml";
  if (/ADInplaceOrView::/.test(s)) return "version counters and view relations";
  if (/THPVariable_/.test(s)) return "binding: parses Python arguments; made from native_functions.yaml";
  if (/^THP/.test(s)) return "binding";
  if (/^_?Py[A-Z_]/.test(s)) return "the Python interpreter; here JavaScript's own call";
  if (/^pybind11::/.test(s)) return "pybind11, which hands a Python call to a C++ function; here JavaScript's own call";
  if (/structured_\w+::meta$/.test(s)) return "shape and dtype inference of a structured operator";
  if (/structured_\w+::impl$/.test(s)) return "the computation of a structured operator";
  if (/^at::meta::/.test(s)) return "shape and dtype inference of a structured operator";
  if (/^at::native::/.test(s)) return "a kernel or composite a person wrote";
  if (/Backward\d*(::apply)?$/.test(s)) return "the node's gradient formula, from derivatives.yaml";
  if (/^c10::Dispatcher|^c10::OperatorHandle|^c10::TypedOperatorHandle/.test(s)) return "the dispatcher";
  if (/^torch::autograd::Engine|^torch::autograd::python::PythonEngine/.test(s)) return "the engine that runs backward";
  if (/^torch::PythonArgParser|^torch::PythonArgs/.test(s)) return "reads Python arguments by the schema's signature";
  if (/^at::TensorIterator/.test(s)) return "the iterator: shapes, dtypes and strides of all operands before a loop";
  if (/^at::(parallel_for|internal::)/.test(s)) return "splits a range among threads; here one thread runs it";
  if (/^at::Tensor::/.test(s)) return "the C++ method; made from native_functions.yaml";
  return "";
}
