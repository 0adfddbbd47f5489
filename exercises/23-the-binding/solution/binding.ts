/**
 * @file The binding of two functions: from the arguments of a call to one overload and its values, or to an error.
 * @mirrors torch/csrc/utils/python_arg_parser.cpp
 */
import torch from "glasstorch";

type Tensor = ReturnType<typeof torch.tensor>;

/** One parameter. `name` and `type` are also the words of the errors. */
interface Parameter {
  readonly name: string;
  readonly type: "Tensor" | "Number";
  /** Whether None may be passed, as for `Tensor? min`. */
  readonly none: boolean;
  /** The value if nothing is passed; undefined for a parameter that is required. */
  readonly default?: unknown;
  readonly keyword_only: boolean;
}

/** One overload: a signature of native_functions.yaml. */
interface Signature {
  /** `(Tensor input, Tensor min = None, ...)`, as errors show it. */
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

/** A call: `torch.clamp(x, 0, max=1)` has the positional arguments [x, 0] and the keywords {max: 1}. */
interface Call {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly kwargs: Readonly<Record<string, unknown>>;
}

/** The chosen signature, by its number, and a value for each of its parameters. */
interface Chosen {
  readonly overload: number;
  readonly values: readonly unknown[];
}

/** A class whose instances take over the functions that get them. */
interface Overriding {
  readonly name: string;
  /** Returns the result, or NotImplemented if it leaves the call to others. */
  __torch_function__(name: string, types: readonly Overriding[], args: readonly unknown[], kwargs: object): unknown;
}

export const NotImplemented = Symbol("NotImplemented");

/** The type of a value, in the words of Python. torch.Float(2) is Python's 2.0. */
export function type_name(value: unknown): string {
  if (value === null) return "NoneType";
  if (torch.is_tensor(value)) return "Tensor";
  if (Array.isArray(value)) return "list";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "str";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float";
  if (value instanceof torch.Float) return "float";
  return (value as object).constructor.name;
}

/** The class of a value, if it has `__torch_function__`; otherwise null. */
export function overriding(value: unknown): Overriding | null {
  if (torch.is_tensor(value)) return null; // Tensor has it, too, for its subclasses
  const type = value === null || typeof value !== "object" ? undefined : (value.constructor as unknown as Overriding);
  return type !== undefined && "__torch_function__" in type ? type : null;
}

/** Whether a value fits the type of a parameter. */
export function fits({ type, none }: Parameter, value: unknown): boolean {
  if (overriding(value) !== null) return true; // it will take over the call, so its type does not matter
  // ex:begin(23.order)
  if (value === null) return none;
  if (type === "Tensor") return torch.is_tensor(value);
  if (torch.is_tensor(value)) return (value as Tensor).dim() === 0 && !(value as Tensor).requires_grad;
  return ["int", "float", "bool"].includes(type_name(value));
  // ex:stub
  // return type === "Tensor" && none === (value === null);
  // ex:end
}

/**
 * A value for each parameter, as they were passed.
 * @throws {TypeError} if the call does not fit this signature
 */
export function bind({ parameters }: Signature, { name, args, kwargs }: Call): unknown[] {
  const positional = parameters.filter(({ keyword_only }) => !keyword_only);
  const required = positional.filter((parameter) => parameter.default === undefined);
  // ex:begin(23.one_signature)
  if (args.length > positional.length) {
    const takes =
      required.length === positional.length
        ? `${positional.length}`
        : `from ${required.length} to ${positional.length}`;
    throw new TypeError(`${name}() takes ${takes} positional arguments but ${args.length} were given`);
  }
  const values: unknown[] = [];
  for (const [i, parameter] of parameters.entries()) {
    const by_position = i < args.length;
    const value = by_position
      ? args[i]
      : (kwargs[parameter.name] ?? (parameter.name in kwargs ? null : parameter.default));
    if (value === undefined) {
      const missing = required.slice(args.length).filter((each) => !(each.name in kwargs));
      const names = missing.map((each) => `"${each.name}"`).join(", ");
      throw new TypeError(`${name}() missing ${missing.length} required positional arguments: ${names}`);
    }
    const passed = by_position || parameter.name in kwargs;
    if (passed && !fits(parameter, value)) {
      const where = by_position ? `'${parameter.name}' (position ${i + 1})` : `'${parameter.name}'`;
      throw new TypeError(`${name}(): argument ${where} must be ${parameter.type}, not ${type_name(value)}`);
    }
    values.push(value);
  }
  for (const keyword of Object.keys(kwargs)) {
    const at = parameters.findIndex((parameter) => parameter.name === keyword);
    if (at === -1) throw new TypeError(`${name}() got an unexpected keyword argument '${keyword}'`);
    if (at < args.length) throw new TypeError(`${name}() got multiple values for argument '${keyword}'`);
  }
  return values;
  // ex:stub
  // if (args.length > positional.length) throw new TypeError(`${name}() takes ${positional.length} positional arguments`);
  // const missing = required.slice(args.length).filter((each) => !(each.name in kwargs));
  // if (missing.length > 0) throw new TypeError(`${name}() missing ${missing.length} required positional arguments`);
  // return parameters.map((parameter, i) => {
  //   const value = i < args.length ? args[i] : parameter.default;
  //   if (!fits(parameter, value)) throw new TypeError(`${name}(): argument '${parameter.name}' must be ${parameter.type}`);
  //   return value;
  // });
  // ex:end
}

/**
 * The signature that the call gets: the first one that fits.
 * @throws {TypeError} if none fits
 */
export function choose(signatures: readonly Signature[], call: Call): Chosen {
  // ex:begin(23.refused)
  if (signatures.length === 1)
    return { overload: 0, values: converted(signatures[0] as Signature, bind(signatures[0] as Signature, call)) };
  for (const [overload, signature] of signatures.entries()) {
    let values: unknown[];
    try {
      values = bind(signature, call);
    } catch (error) {
      if (error instanceof TypeError) continue;
      throw error;
    }
    return { overload, values: converted(signature, values) };
  }
  const got = [
    ...call.args.map(type_name),
    ...Object.entries(call.kwargs).map(([keyword, value]) => `${keyword}=${type_name(value)}`),
  ];
  const all = signatures.map(({ text }) => ` * ${text}\n`).join("");
  throw new TypeError(
    `${call.name}() received an invalid combination of arguments - got (${got.join(", ")}), but expected one of:\n${all}`,
  );
  // ex:stub
  // const [signature] = signatures as [Signature];
  // return { overload: 0, values: converted(signature, bind(signature, call)) };
  // ex:end
}

/** The values as C++ gets them: a tensor without dimensions that was passed for a number becomes that number. */
function converted({ parameters }: Signature, values: readonly unknown[]): unknown[] {
  // ex:begin(23.numbers)
  return values.map((value, i) => {
    const { type } = parameters[i] as Parameter;
    if (type !== "Number" || !torch.is_tensor(value)) return value;
    const tensor = value as Tensor;
    return tensor.is_floating_point() ? torch.Float(tensor.item() as number) : tensor.item();
  });
  // ex:stub
  // return [...values];
  // ex:end
}

/** Makes the call: with the result of `__torch_function__` if an argument has one, otherwise with that of `run`. */
export function call_function(signatures: readonly Signature[], call: Call, run: (chosen: Chosen) => unknown): unknown {
  const chosen = choose(signatures, call);
  // ex:begin(23.function)
  const types: Overriding[] = [];
  for (const value of chosen.values) {
    const type = overriding(value);
    if (type === null || types.includes(type)) continue;
    // A class comes before the classes that it extends, and otherwise in the order of the arguments.
    const before = types.findIndex(
      (other) => (type as unknown as typeof Object).prototype instanceof (other as unknown as typeof Object),
    );
    types.splice(before === -1 ? types.length : before, 0, type);
  }
  for (const type of types) {
    const result = type.__torch_function__(call.name, types, call.args, call.kwargs);
    if (result !== NotImplemented) return result;
  }
  if (types.length > 0) {
    const names = types.map((type) => `\n  - tensor subclass <class '${type.name}'>`).join("");
    throw new TypeError(
      `Multiple dispatch failed for 'torch.${call.name}'; all __torch_function__ handlers returned NotImplemented:\n${names}\n\nFor more information, try re-running with TORCH_LOGS=not_implemented`,
    );
  }
  // ex:stub
  // ex:end
  return run(chosen);
}
