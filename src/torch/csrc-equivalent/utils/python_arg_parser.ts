/**
 * @file The argument parser: it matches a Python call's arguments with one of the function's signatures.
 * @mirrors torch/csrc/utils/python_arg_parser.cpp
 * @differs Keyword arguments are one trailing plain object, `null` is None, and `undefined` means "not given"; Python
 * has its own syntax.
 *
 * Note [Overload resolution]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~
 * A function is a list of signatures, tried in order; the first that accepts every argument wins. Codegen sorts them: a
 * Tensor overload before the Scalar one that would also accept tensors, deprecated ones last. If there is one
 * signature, or the number of arguments leaves only one plausible, the error says which argument is wrong; otherwise it
 * is a table of all signatures.
 */
import { get_warnAlways, TypeError_, warn } from "#c10/util/Exception";
import { TensorBase, THPVariable_CheckExact } from "#torch/csrc-equivalent/autograd/python_variable/type";
import { check_has_torch_function } from "./disable_torch_function.ts";
import { format_invalid_args } from "./invalid_arguments.ts";
import { PythonArgs } from "./python_arg_parser_args.ts";
import { append_overloaded_arg, FunctionParameter, is_int_list, ParameterType } from "./python_arg_parser_parameter.ts";
import { isDict, python_type } from "./python_numbers.ts";

export type KwArgs = Readonly<Record<string, unknown>>;

/** Removes the trailing plain object from `args`: the call's keyword arguments. */
export function take_kwargs(args: unknown[]): KwArgs | null {
  const last = args.length > 0 ? args[args.length - 1] : null;
  if (typeof last !== "object" || last === null || last instanceof TensorBase) return null;
  if (Object.getPrototypeOf(last) !== Object.prototype && !isDict(last)) return null;
  args.pop();
  return last as KwArgs;
}

function kwargs_size(kwargs: KwArgs): number {
  let size = 0;
  for (const name in kwargs) if (kwargs[name] !== undefined) size++;
  return size;
}

export class FunctionSignature {
  readonly name: string;
  readonly params: FunctionParameter[] = [];
  readonly min_args: number;
  readonly max_args: number;
  readonly max_pos_args: number;
  readonly index: number;
  readonly hidden: boolean;
  readonly deprecated: boolean;
  /** One more than the index of the last parameter without a default. */
  private readonly num_required_args: number;
  /** Number of leading parameters that are positional and take a tensor; -1 in a deprecated signature. */
  private readonly num_tensor_args: number;
  /** Whether the only positional parameter is a list of ints: `view(2, 3)` then means `view([2, 3])`. */
  private readonly allow_varargs_intlist: boolean;

  /** @param fmt `name(Type name, *, Type name=default)`, optionally followed by `|deprecated` or `|hidden`. */
  constructor(fmt: string, index: number) {
    const open = fmt.indexOf("(");
    const close = fmt.lastIndexOf(")");
    this.name = fmt.slice(0, open);
    let max_pos_args = -1;
    for (const part of fmt.slice(open + 1, close).split(", ")) {
      if (part === "") continue;
      if (part === "*") max_pos_args = this.params.length;
      else this.params.push(new FunctionParameter(part, max_pos_args !== -1, this.name));
    }
    const marks = fmt.slice(close + 1).split("|");
    this.deprecated = marks.includes("deprecated");
    this.hidden = this.deprecated || marks.includes("hidden");
    this.max_args = this.params.length;
    this.max_pos_args = max_pos_args === -1 ? this.params.length : max_pos_args;
    this.min_args = this.params.filter((param) => !param.optional).length;
    this.index = index;
    this.num_required_args = this.params.findLastIndex((param) => !param.optional) + 1;
    const other = this.params.findIndex((param) => param.keyword_only || param.type_ !== ParameterType.TENSOR);
    this.num_tensor_args = this.deprecated ? -1 : other === -1 ? this.params.length : other;
    const type = this.params[0]?.type_;
    this.allow_varargs_intlist =
      this.max_pos_args === 1 && (type === ParameterType.INT_LIST || type === ParameterType.SYM_INT_LIST);
  }

  /** Handles the usual call: only plain tensors, all positional. Returns false for any other call. */
  parse_tensors(args: readonly unknown[], dst: unknown[]): boolean {
    const params = this.params;
    const nargs = args.length;
    if (nargs > this.num_tensor_args || nargs < this.num_required_args) return false;
    for (let i = 0; i < nargs; i++) {
      const obj = args[i];
      if (!THPVariable_CheckExact(obj)) return false;
      dst[i] = obj;
    }
    for (let i = nargs; i < params.length; i++) dst[i] = null;
    return true;
  }

  /** Fills `dst`. If the arguments do not fit, it returns false, or throws an error that says why. */
  parse(
    self: unknown,
    args: readonly unknown[],
    kwargs: KwArgs | null,
    dst: unknown[],
    overloaded_args: unknown[],
    raise_exception: boolean,
  ): boolean {
    const nargs = args.length;
    if (nargs > this.max_pos_args && !this.allow_varargs_intlist) {
      if (raise_exception) extra_args(this, nargs);
      return false;
    }
    if (overloaded_args.length > 0) overloaded_args.length = 0;
    if (self !== null && check_has_torch_function(self, true)) append_overloaded_arg(overloaded_args, self);

    let remaining_kwargs = kwargs === null ? 0 : kwargs_size(kwargs);
    failed_idx[0] = -1;
    let arg_pos = 0;
    const params = this.params;
    for (let i = 0; i < params.length; i++) {
      const param = params[i];
      let obj: unknown;
      let is_kwd = false;
      if (arg_pos < nargs) {
        if (param.keyword_only) {
          if (raise_exception) extra_args(this, nargs);
          return false;
        }
        obj = args[arg_pos];
      } else if (kwargs !== null) {
        obj = kwargs[param.name];
        for (let n = 0; obj === undefined && n < param.numpy_python_names.length; n++)
          obj = kwargs[param.numpy_python_names[n]];
        is_kwd = true;
      }

      if (obj === undefined ? param.optional : obj === null && param.allow_none) {
        dst[i] = null;
      } else if (obj === undefined) {
        if (raise_exception) missing_args(this, i);
        return false;
      } else if (param.check(obj, overloaded_args, i, failed_idx)) {
        dst[i] = obj;
      } else if (check_has_torch_function(obj, true)) {
        append_overloaded_arg(overloaded_args, obj); // an object of any kind may override the call
        dst[i] = obj;
      } else if (this.allow_varargs_intlist && arg_pos === 0 && !is_kwd && is_int_list(args, param.size, failed_idx)) {
        dst[i] = args; // all positional arguments are this parameter
        arg_pos = nargs;
        continue;
      } else if (raise_exception) {
        if (nargs > this.max_pos_args) extra_args(this, nargs);
        wrong_type(this, param, is_kwd, arg_pos, obj);
      } else {
        return false;
      }
      if (!is_kwd) arg_pos++;
      else if (obj !== undefined) remaining_kwargs--;
    }

    if (arg_pos < nargs) {
      if (raise_exception) extra_args(this, nargs); // `view([2], 3)`
      return false;
    }
    if (remaining_kwargs > 0) {
      if (raise_exception) extra_kwargs(this, kwargs as KwArgs, nargs);
      return false;
    }
    return true;
  }

  toString(): string {
    const parts: string[] = [];
    let keyword_already = false;
    for (const param of this.params) {
      if (param.keyword_only && !keyword_already) {
        parts.push("*");
        keyword_already = true;
      }
      parts.push(param.toString());
    }
    return `(${parts.join(", ")})`;
  }
}

/** `FunctionParameter.check` stores the index of a list's bad element here: one cell for all calls, read immediately. */
const failed_idx: number[] = [-1];

function extra_args(signature: FunctionSignature, nargs: number): never {
  const { name, max_pos_args, min_args } = signature;
  if (min_args !== max_pos_args) {
    throw new TypeError_(
      `${name}() takes from ${min_args} to ${max_pos_args} positional arguments but ${nargs} were given`,
    );
  }
  throw new TypeError_(
    `${name}() takes ${max_pos_args} positional argument${max_pos_args === 1 ? "" : "s"} but ${nargs} ${nargs === 1 ? "was" : "were"} given`,
  );
}

function missing_args(signature: FunctionSignature, idx: number): never {
  const missing = signature.params.slice(idx).filter((param) => !param.optional);
  const names = missing.map((param) => `"${param.name}"`).join(", ");
  // The plural "s" is in the wrong place, as in PyTorch.
  throw new TypeError_(
    `${signature.name}() missing ${missing.length} required positional argument${missing.length === 1 ? "s" : ""}: ${names}`,
  );
}

function extra_kwargs(signature: FunctionSignature, kwargs: KwArgs, num_pos_args: number): never {
  for (const key of Object.keys(kwargs)) {
    const param_idx = signature.params.findIndex((param) => param.name === key);
    if (param_idx < 0) throw new TypeError_(`${signature.name}() got an unexpected keyword argument '${key}'`);
    if (param_idx < num_pos_args) throw new TypeError_(`${signature.name}() got multiple values for argument '${key}'`);
  }
  throw new TypeError_("invalid keyword arguments");
}

function wrong_type(
  signature: FunctionSignature,
  param: FunctionParameter,
  is_kwd: boolean,
  arg_pos: number,
  obj: unknown,
): never {
  const place = is_kwd ? "" : ` (position ${arg_pos + 1})`;
  const start = `${signature.name}(): argument '${param.name}'${place} must be ${param.type_name()}`;
  const idx = failed_idx[0];
  if (!is_kwd && idx !== -1 && Array.isArray(obj)) {
    throw new TypeError_(`${start}, but found element of type ${python_type(obj[idx])} at pos ${idx}`);
  }
  throw new TypeError_(`${start}, not ${python_type(obj)}`);
}

/** The signatures of one function. Made once per function (`static` in C++) and filled at its first call. */
export class PythonArgParser {
  private readonly fmts: readonly string[];
  private readonly traceable: boolean;
  private signatures_: FunctionSignature[] = [];
  private function_name = "";
  private r: PythonArgs | null = null;

  constructor(fmts: readonly string[], traceable = false) {
    this.fmts = fmts;
    this.traceable = traceable;
  }

  private initialize(): PythonArgs {
    const parsed = this.fmts.map((fmt, index) => new FunctionSignature(fmt, index));
    // Deprecated signatures are tried last; otherwise codegen's order holds.
    this.signatures_ = [...parsed.filter((s) => !s.deprecated), ...parsed.filter((s) => s.deprecated)];
    const first = this.signatures_[0];
    this.function_name = first.name;
    return (this.r = new PythonArgs(first, Math.max(...parsed.map((s) => s.max_args))));
  }

  /** @param self the tensor on which a method was called, null for a function */
  parse(self: unknown, args: readonly unknown[], kwargs: KwArgs | null): PythonArgs {
    const r = this.r ?? this.initialize();
    const plain = kwargs === null && (self === null || THPVariable_CheckExact(self));
    const first = this.signatures_[0]; // nearly every call fits it
    if (plain && first.parse_tensors(args, r.args)) return r.of_tensors(first);
    return this.parse_any(self, args, kwargs, r, plain);
  }

  private parse_any(
    self: unknown,
    args: readonly unknown[],
    kwargs: KwArgs | null,
    r: PythonArgs,
    plain: boolean,
  ): PythonArgs {
    const given = args.length > 0 && args[args.length - 1] === undefined ? without_undefined(args) : args;
    const signatures = this.signatures_;
    const raise_exception = signatures.length === 1;
    for (let i = 0; i < signatures.length; i++) {
      const signature = signatures[i];
      if (plain && (i > 0 || given !== args) && signature.parse_tensors(given, r.args)) return r.of_tensors(signature);
      if (signature.parse(self, given, kwargs, r.args, r.overloaded_args, raise_exception)) {
        if (signature.deprecated) this.check_deprecated(signature);
        r.signature = signature;
        r.idx = signature.index;
        r.only_tensors = false;
        return r;
      }
    }
    return this.print_error(self, given, kwargs, r);
  }

  /** Signatures a message may suggest. */
  get_signatures(): string[] {
    if (this.r === null) this.initialize();
    return this.signatures_
      .filter((signature) => !signature.hidden)
      .map((signature) => `${signature.name}${signature.toString()}`);
  }

  isTraceable(): boolean {
    return this.traceable;
  }

  private check_deprecated(signature: FunctionSignature): void {
    if (warned_deprecated.has(signature) && !get_warnAlways()) return;
    warned_deprecated.add(signature);
    const suggested = this.signatures_.find((s) => !s.deprecated && s.name === signature.name);
    let msg = `This overload of ${signature.name} is deprecated:\n\t${signature.name}${signature.toString()}`;
    const signatures = this.get_signatures();
    if (suggested !== undefined && signatures.length > 0) {
      msg += "\nConsider using one of the following signatures instead:";
      for (const candidate of signatures) msg += `\n\t${candidate}`;
    }
    warn("UserWarning", msg);
  }

  private print_error(self: unknown, args: readonly unknown[], kwargs: KwArgs | null, r: PythonArgs): never {
    const num_args = args.length + (kwargs === null ? 0 : kwargs_size(kwargs));
    const plausible = this.signatures_.filter((s) => num_args >= s.min_args && num_args <= s.max_args && !s.hidden);
    if (plausible.length === 1) plausible[0].parse(self, args, kwargs, r.args, r.overloaded_args, true);
    const options = this.signatures_.filter((s) => !s.hidden).map((s) => s.toString());
    throw new TypeError_(format_invalid_args(args, kwargs, `${this.function_name}()`, options));
  }
}

const warned_deprecated = new WeakSet<FunctionSignature>();

function without_undefined(args: readonly unknown[]): readonly unknown[] {
  let end = args.length;
  while (end > 0 && args[end - 1] === undefined) end--;
  return args.slice(0, end);
}
