/**
 * @file Functions and methods that `__torch_function__` may override, declared by their signatures.
 * @original PyTorch writes the check by hand at the beginning of each function.
 */
import { traceCall, tracer } from "#c10/util/Trace";
import { Float } from "./_C.ts";
import { type AnyFunction, bind_calls, type Def, def_methods, dress, type Overrides, Signature } from "./_signature.ts";
import { handle_torch_function, has_torch_function, has_torch_function_unary } from "./overrides.ts";

// Note [Overridable functions]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// In PyTorch a function that is written in Python begins with
//
//     if has_torch_function_variadic(input, grid):
//         return handle_torch_function(grid_sample, (input, grid), input, grid, mode=mode, ...)
//
// and every copy can contain a mistake. Here the check is generated from the declaration. The parameters annotated `Tensor` are the
// relevant arguments. An argument is passed on by position if its parameter has no default, and by name if it has one. `HandedOver`
// says where a function of PyTorch does it differently.

/** Arguments of PyTorch's call of `handle_torch_function` that do not follow from the signature. */
interface HandedOver {
  /** The function that is handed over; the declared function if it is not given. */
  readonly public_api?: () => unknown;
  /** Names of the relevant arguments; the parameters annotated `Tensor` if it is not given. */
  readonly relevant_args?: readonly string[];
  /** Names of the arguments passed on by name, in their order; the parameters with a default if it is not given. */
  readonly kwargs?: readonly string[];
}

/**
 * The function `fn` behind Python's signature `text`, as `def` makes it, which a mode or the class of an argument annotated `Tensor`
 * may override.
 * @param event the name under which a recording shows its calls
 */
export function def_overridable<const Text extends string, F extends (...args: never[]) => unknown>(
  text: Text,
  fn: F,
  event: string | null = null,
  handed: HandedOver = {},
): Def<Text, F> {
  const signature = new Signature(text);
  const overrides = new FunctionOverrides(signature, handed, fn.name, event, () => wrapper);
  const wrapper = bind_calls(signature, fn as unknown as AnyFunction, event, null, overrides);
  return dress(wrapper, signature, signature.__qualname__) as unknown as Def<Text, F>;
}

/** The check of one function. A call's values arrive as `bound`, one for each parameter. */
class FunctionOverrides implements Overrides {
  readonly which: number;
  /** The parameters annotated `Tensor`, by place; `*tensors` is one of them, and holds a list. */
  private readonly checked: readonly number[];
  private readonly star: number;
  private readonly handle: (...bound: readonly unknown[]) => unknown;
  private readonly event: string | null;

  constructor(
    signature: Signature,
    handed: HandedOver,
    name_of_handle: string,
    event: string | null,
    itself: () => unknown,
  ) {
    const { parameters } = signature;
    const all = [...parameters.keys()];
    const named = (names: readonly string[]): number[] =>
      names.map((name) => parameters.findIndex((p) => p.name === name));
    this.checked = all.filter((i) => parameters[i].annotation === "Tensor");
    this.which = this.checked.reduce((bits, i) => bits | (1 << i), 0);
    this.star = parameters.findIndex((p) => p.kind === "VAR_POSITIONAL");
    this.event = event;

    const { public_api = itself } = handed;
    const relevant = handed.relevant_args === undefined ? this.checked : named(handed.relevant_args);
    const by_name =
      handed.kwargs === undefined ? all.filter((i) => parameters[i].default !== null) : named(handed.kwargs);
    const by_position = all.filter((i) => parameters[i].default === null && !by_name.includes(i));
    // A whole default such as `p=2.0` is a float for the function that receives it.
    const floats = new Map(
      all.filter((i) => /^-?\d+\.0*$/.test(parameters[i].default ?? "")).map((i) => [i, Number(parameters[i].default)]),
    );
    const handle = (...bound: readonly unknown[]): unknown => {
      const value = (i: number): unknown =>
        floats.has(i) && bound[i] === floats.get(i) ? Float(floats.get(i) as number) : bound[i];
      const kwargs = Object.fromEntries(by_name.map((i) => [parameters[i].name, value(i)]));
      return handle_torch_function(
        public_api(),
        this.values(relevant, bound),
        ...this.values(by_position, bound),
        kwargs,
      );
    };
    this.handle = Object.defineProperty(handle, "name", { value: name_of_handle });
  }

  asked_for(bound: readonly unknown[]): boolean {
    for (const i of this.checked)
      if (i === this.star ? has_torch_function(bound[i] as unknown[]) : has_torch_function_unary(bound[i])) return true;
    return false;
  }

  hand_over(bound: readonly unknown[]): unknown {
    if (this.event !== null && tracer !== null) return traceCall("python", this.event, this.handle, bound);
    return this.handle(...bound);
  }

  private values(places: readonly number[], bound: readonly unknown[]): unknown[] {
    return places.flatMap((i) => (i === this.star ? (bound[i] as unknown[]) : [bound[i]]));
  }
}

// Methods: `self` is the one relevant argument, and the function handed over is the method as it stands on the class.

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Declares methods of a tensor class, as `def_methods` does, and lets each ask for overrides first. */
export function def_overridable_methods(
  cls: Function & { readonly prototype: object },
  methods: Readonly<Record<string, string>>,
): void {
  const prototype = cls.prototype as Record<string, Method>;
  for (const [name, parameters] of Object.entries(methods)) {
    const value = ask_for_overrides(prototype, name, new Signature(name + parameters, cls));
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
  }
  def_methods(cls, methods);
}

function ask_for_overrides(prototype: Record<string, Method>, name: string, signature: Signature): Method {
  const method = prototype[name];
  const { parameters, required } = signature;
  return function (...bound) {
    if (!has_torch_function_unary(this)) return method.apply(this, bound);
    const kwargs: Record<string, unknown> = {};
    for (let i = required; i < parameters.length; i++) kwargs[parameters[i].name] = bound[i];
    return handle_torch_function(prototype[name], [this], this, ...bound.slice(0, required), kwargs);
  };
}
