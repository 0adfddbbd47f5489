/**
 * @file The parser of stack traces: the function in each line, in a debugger's, PyTorch's or Python's format. It only
 * uses text; the command line tool and the page share it.
 * @original
 */

export interface StackLine {
  /** The line as given. */
  readonly text: string;
  /** The function in the line: `at::native::prelu`, `THPVariable_prelu`; for template glue, the function it wraps. */
  readonly symbol: string | null;
  /** File below the package, line and function, if it is a line of a Python traceback. */
  readonly python: { readonly file: string; readonly line: number; readonly name: string } | null;
  /** Whether the line names template code that wraps `symbol`. */
  readonly wraps: boolean;
}

const PYTHON = /^\s*File "([^"]+)", line (\d+)(?:, in (\S+))?/;
/** gdb and PyTorch number their frames; lldb writes `frame #3: 0x.. library` and a backtick before the name. */
const FRAME = /^\s*(?:frame )?#\d+:?\s+(?:0x[0-9a-f]+ (?:in )?)?(?:[^`\s]+`)?(.*)$/;
const GATHERED_PYTHON = /^(\S+) from (\S+\.py):(\d+)$/;
/** The function that the dispatcher's template glue wraps: `&at::wrapper_CPU_mm>` in the template's arguments. */
const WRAPPED =
  /(?:WrapFunctionIntoFunctor_|wrap_kernel_functor|make_boxed_f\w+).*?&\(?((?:\w+::)*\w+)\(?[>,(]|wrap_kernel_functor_unboxed_<((?:at|torch)::[\w:]+)>/;

export function parseLine(text: string): StackLine {
  const python = PYTHON.exec(text);
  if (python !== null) return pythonLine(text, python[1], python[2], python[3] ?? "<module>");
  const frame = FRAME.exec(text);
  const rest = plain(frame?.[1] ?? text);
  const gathered = frame === null ? null : GATHERED_PYTHON.exec(rest);
  if (gathered !== null) return pythonLine(text, gathered[2], gathered[3], gathered[1]);
  const wrapped = WRAPPED.exec(rest);
  if (wrapped !== null) return { text, symbol: wrapped[1] ?? wrapped[2], python: null, wraps: true };
  // In a line that is no frame, only a name in the form of C++ or of a binding counts.
  const head = /^[^(]*/.exec(withoutTemplates(rest).replace(/ (?:from|at) \S*$/, ""))?.[0] ?? "";
  const name = /([\w:~]+)\s*$/.exec(head)?.[1] ?? null;
  const symbol = name !== null && (frame !== null || /::|^THP|^_?wrapper_|Backward\d+$/.test(name)) ? name : null;
  return { text, symbol: symbol === null || /^:|:$/.test(symbol) ? null : symbol, python: null, wraps: false };
}

function pythonLine(text: string, file: string, line: string, name: string): StackLine {
  return { text, symbol: null, python: { file: below(file), line: Number(line), name }, wraps: false };
}

/** Lines that contain a name; headers of other threads, source excerpts and bare addresses are omitted. */
export function parseTrace(text: string): StackLine[] {
  return text
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== "")
    .map(parseLine);
}

/** Whether the text is a pasted trace, and not a word or a call. */
export function isTrace(text: string): boolean {
  const lines = text.split("\n").filter((l) => l.trim() !== "");
  return lines.length > 1 || /^\s*(#\d+|frame #\d+|File ")/.test(text);
}

export function plain(symbol: string): string {
  return symbol.replaceAll("(anonymous namespace)::", "").replaceAll("{anonymous}::", "").trim();
}

/** `f<A, B<C>>(x)` -> `f(x)`: text in angle brackets is never the name of the frame. */
function withoutTemplates(text: string): string {
  let out = "";
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
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

/** The meaning of a frame by its file: Python's own C code, the C library. */
export function kindOfLine(text: string): string {
  if (/\b(?:Objects|Python|Modules|Include)\/(?:\w+\/)*\w+\.[ch]:\d+/.test(text))
    return "the Python interpreter; here JavaScript's own call";
  if (/__libc_start|\b_start\b|libc-start/.test(text)) return "the start of the process";
  return "";
}

/** The meaning of a line that is no frame; `previous` is the line above it. */
export function kindOfText(text: string, previous: StackLine | null): string {
  if (/^\s*Traceback \(most recent call last\)/.test(text)) return "Python's frames follow, the innermost last";
  if (/C\+\+ (CapturedTraceback|stack ?trace)|frame #0|Exception raised from/i.test(text))
    return /Exception raised from (\S+) at (\S+?):\d+/.test(text)
      ? "the check that failed, in PyTorch's file; C++ frames follow, the innermost first"
      : "C++ frames follow, the innermost first";
  if (/^\s*[\w.]*(Error|Exception|Warning|Interrupt)\b/.test(text)) return "the error's message";
  if (/^\s*[\^~]+\s*$/.test(text)) return "marks the part of the line above";
  if (previous?.python !== undefined && previous?.python !== null) return "the source of the frame above";
  return "no frame: a part of the message";
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^std::/, "C++'s standard library"],
  [/^at::_ops::\w+::call$/, "the dispatcher is entered: key set, table, kernel"],
  [/^at::_ops::\w+::redispatch$/, "handed down below the layer that called"],
  [/wrapper_\w+__?/, "wrapper made from native_functions.yaml: device guard, structured meta and impl, the kernel"],
  [/VariableType::/, "autograd: saves inputs, makes the node; made from derivatives.yaml"],
  [/ADInplaceOrView::/, "version counters and view relations"],
  [/THPVariable_/, "binding: parses Python arguments"],
  [/^(?:torch::autograd::)?THPEngine_/, "binding of the engine: from Python's backward to C++"],
  [/^THP/, "binding"],
  [/^_?Py[A-Z_]/, "the Python interpreter; here JavaScript's own call"],
  [/^pybind11::/, "pybind11, which hands a Python call to a C++ function; here JavaScript's own call"],
  [/structured_\w+::meta$|^at::meta::/, "shape and dtype inference of a structured operator"],
  [/structured_\w+::impl$/, "the computation of a structured operator"],
  [/^at::native::/, "a kernel or composite a person wrote"],
  [/Backward\d*(?:::apply)?$/, "the node's gradient formula, from derivatives.yaml"],
  [/BoxedKernelWrapper::call|make_boxed|BoxedKernel/, "glue: puts the arguments on a stack for a boxed kernel"],
  [
    /wrap_kernel_functor|KernelFunction/,
    "glue between the dispatch table and the kernel; here a call through the table cell",
  ],
  [/pythonTLSSnapshotFallback$/, "notes the thread's key sets before a Python mode sees the call"],
  [/pythonFallback$/, "hands the call to Python: __torch_dispatch__"],
  [/^c10::(?:Dispatcher|OperatorHandle|TypedOperatorHandle)/, "the dispatcher"],
  [/^c10::(?:detail::torchCheck|Error::Error)/, "a failed TORCH_CHECK makes its error"],
  [/^torch::autograd::(?:python::Python)?Engine::/, "the engine that runs backward"],
  [/^torch::autograd::Node::operator/, "a node of the backward graph is run"],
  [/^torch::PythonArg/, "reads Python arguments by the schema's signature"],
  [/^torch::(?:CapturedTraceback|unwind)/, "takes the stack trace itself"],
  [/handle_torch_function/, "asks the arguments' __torch_function__ or __torch_dispatch__"],
  [/PyInterpreter/, "the way from C++ back to Python"],
  [/^at::TensorIterator/, "the iterator: shapes, dtypes and strides of all operands before a loop"],
  [/^at::(?:parallel_for|internal::)/, "splits a range among the threads of the pool"],
  [/^at::Tensor::/, "the C++ method; made from native_functions.yaml"],
  [/^at::[A-Z]\w*$/, "a class of C++"],
  [/^at::\w+$/, "the C++ function"],
];

/** A short description of a symbol, from its form. */
export function kindOf(symbol: string): string {
  const s = plain(symbol);
  return KINDS.find(([shape]) => shape.test(s))?.[1] ?? "";
}
