/**
 * @file Context managers: what opens a scope, as a function.
 * @mirrors torch/utils/_contextlib.py
 * @differs Python's `with` and decorators are `torch.no_grad(() => ...)`, which returns what the function returns, and
 * `using _ = torch.no_grad()`, which ends with the block.
 */
import { isDict } from "#torch/_C";
import { type Args, dress, Signature } from "#torch/_signature";

/** A scope that is open; disposing of it puts back what was. */
export interface Scope {
  [Symbol.dispose](): void;
}

type Body<R> = () => R;
/** The arguments, and the body behind them; those with a default may be left out before it. */
type WithBody<A extends unknown[], R, Given extends unknown[] = []> = A extends []
  ? [...Given, body: Body<R>]
  : number extends A["length"]
    ? never
    :
        | ([] extends A ? [...Given, body: Body<R>] : never)
        | (A extends [(infer H)?, ...infer T] ? WithBody<T, R, [...Given, H]> : never);

/** Opens a scope, for `using` or for a body. */
export interface ContextManager<A extends unknown[]> {
  (...args: A): Scope;
  <R>(...args: WithBody<A, R>): R;
}

/** Runs `body` inside the scope, or hands the open scope to the caller. */
function in_scope<R>(scope: Scope, body: Body<R> | null): R | Scope {
  if (body === null) return scope;
  try {
    return body();
  } finally {
    scope[Symbol.dispose]();
  }
}

/** Takes the body off: a last argument that is a function and stands for no parameter annotated `Callable`. */
function take_body(signature: Signature, args: unknown[]): Body<unknown> | null {
  const at = args.length - 1;
  if (at < 0 || typeof args[at] !== "function") return null;
  const behind_keywords = at > 0 && isDict(args[at - 1]);
  if (signature.parameters[at]?.annotation === "Callable" && !behind_keywords) return null;
  return args.pop() as Body<unknown>;
}

/** The context manager whose constructor has Python's signature `text`, and whose scope `open` opens. */
export function def_context<const Text extends string, T extends unknown[]>(
  text: Text,
  open: (...bound: T) => Scope,
): ContextManager<Args<Text, T>> {
  const signature = new Signature(text);
  const context = (...args: unknown[]): unknown => {
    const body = take_body(signature, args);
    return in_scope(open(...(signature.bind(args) as T)), body);
  };
  const [name] = text.split(/[.(]/);
  return dress(context, signature, name) as unknown as ContextManager<Args<Text, T>>;
}
