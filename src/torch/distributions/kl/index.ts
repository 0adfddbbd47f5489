/**
 * @file Kullback-Leibler divergences: the function for a pair of distributions, found by their classes.
 * @mirrors torch/distributions/kl.py
 * @see same.ts, different.ts (the functions)
 */
import { NotImplementedError, TypeError_, warn } from "#c10/util/Exception";
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { is_class } from "#torch/_utils/index";
import type { Distribution } from "#torch/distributions/distribution";

type Class<D> = Function & { readonly prototype: D };
type Divergence<P, Q> = (p: P, q: Q) => Tensor;
type AnyDivergence = Divergence<Distribution, Distribution>;
type Pair = readonly [type_p: Function, type_q: Function];

/** Registered functions, in order of registration. */
const _KL_REGISTRY: [pair: Pair, fun: AnyDivergence][] = [];
/** Functions found for a pair of classes; null if there is none. */
const _KL_MEMOIZE = new Map<Function, Map<Function, AnyDivergence | null>>();

let registering: (() => void)[] = [];

/** Sets the function that registers the library's own pairs at first use, so that their classes are not imported before. */
export function own_pairs(register_all: () => void): void {
  registering.push(register_all);
}

function register_own_pairs(): void {
  const own = registering;
  registering = [];
  for (const register_all of own) register_all();
}

/**
 * `register_kl(P, Q)(fun)` registers `fun(p, q)` as `kl_divergence` of a `P` and a `Q`. If several functions fit, the one for the most
 * specific classes is used.
 */
export const register_kl = def("register_kl(type_p, type_q)", register) as typeof register;

function register<P extends Distribution, Q extends Distribution>(
  type_p: Class<P>,
  type_q: Class<Q>,
): <F extends Divergence<P, Q>>(fun: F) => F {
  for (const type of [type_p, type_q])
    if (typeof type !== "function" || !is_class(type)) throw new TypeError_("issubclass() arg 1 must be a class");
  register_own_pairs();
  return (fun) => {
    const found = _KL_REGISTRY.find(([pair]) => pair[0] === type_p && pair[1] === type_q);
    if (found !== undefined) found[1] = fun as unknown as AnyDivergence;
    else _KL_REGISTRY.push([[type_p, type_q], fun as unknown as AnyDivergence]);
    _KL_MEMOIZE.clear(); // the most specific function may change
    return fun;
  };
}

/** An object without a prototype has no class of its own. */
function class_of(object: Distribution): Function {
  return object.constructor ?? Object;
}

function issubclass(type: Function, of: Function): boolean {
  return type === of || Object.prototype.isPrototypeOf.call(of.prototype, type.prototype);
}

/** Whether pair `a` is more specific than `b`: compared by the first class, then by the second. */
function is_more_specific(a: Pair, b: Pair): boolean {
  for (const [i, type] of a.entries()) {
    if (!issubclass(type, b[i])) return false;
    if (type !== b[i]) return true;
  }
  return false;
}

function most_specific(pairs: readonly Pair[]): Pair {
  return pairs.reduce((least, pair) => (is_more_specific(pair, least) ? pair : least));
}

function registered(type_p: Function, type_q: Function): AnyDivergence | undefined {
  return _KL_REGISTRY.find(([pair]) => pair[0] === type_p && pair[1] === type_q)?.[1];
}

/** The most specific function for two classes. It warns if the choice depends on which class is compared first. */
function _dispatch_kl(type_p: Function, type_q: Function): AnyDivergence | null {
  const matches = _KL_REGISTRY
    .map(([pair]) => pair)
    .filter(([super_p, super_q]) => issubclass(type_p, super_p) && issubclass(type_q, super_q));
  if (matches.length === 0) return null;
  const [left_p, left_q] = most_specific(matches);
  const [right_q, right_p] = most_specific(matches.map(([p, q]) => [q, p]));
  const left_fun = registered(left_p, left_q) as AnyDivergence;
  if (left_fun !== registered(right_p, right_q))
    warn(
      "RuntimeWarning",
      `Ambiguous kl_divergence(${type_p.name}, ${type_q.name}). Please register_kl(${left_p.name}, ${right_q.name})`,
    );
  return left_fun;
}

function lookup(type_p: Function, type_q: Function): AnyDivergence | null {
  register_own_pairs();
  let of_p = _KL_MEMOIZE.get(type_p);
  if (of_p === undefined) _KL_MEMOIZE.set(type_p, (of_p = new Map()));
  let fun = of_p.get(type_q);
  if (fun === undefined) of_p.set(type_q, (fun = _dispatch_kl(type_p, type_q)));
  return fun;
}

/**
 * The divergence `KL(p || q)`: the mean under `p` of `log p(x) - log q(x)`, in nats.   `() -> batch_shape`
 * @throws {NotImplementedError} if no function is registered for the classes of `p` and `q`.
 */
export const kl_divergence = def("kl_divergence(p, q)", (p: Distribution, q: Distribution): Tensor => {
  const fun = lookup(class_of(p), class_of(q));
  if (fun === null)
    throw new NotImplementedError(
      `No KL(p || q) is implemented for p type ${p.constructor.name} and q type ${q.constructor.name}`,
    );
  return fun(p, q);
});
