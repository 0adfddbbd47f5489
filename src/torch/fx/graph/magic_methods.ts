/**
 * @file How generated code writes the functions of `operator`: `{} + {}` for `operator.add`.
 * @mirrors torch/fx/graph.py#magic_methods
 */

/** Operators that also have a method for the right operand. */
export const reflectable_magic_methods: Readonly<Record<string, string>> = {
  add: "{} + {}",
  sub: "{} - {}",
  mul: "{} * {}",
  floordiv: "{} // {}",
  truediv: "{} / {}",
  div: "{} / {}",
  mod: "{} % {}",
  pow: "{} ** {}",
  lshift: "{} << {}",
  rshift: "{} >> {}",
  and_: "{} & {}",
  or_: "{} | {}",
  xor: "{} ^ {}",
  getitem: "{}[{}]",
  matmul: "{} @ {}",
};

export const magic_methods: Readonly<Record<string, string>> = {
  eq: "{} == {}",
  ne: "{} != {}",
  lt: "{} < {}",
  gt: "{} > {}",
  le: "{} <= {}",
  ge: "{} >= {}",
  pos: "+{}",
  neg: "-{}",
  invert: "~{}",
  ...reflectable_magic_methods,
};

/** Operators that change their first operand, whose value the node then is. */
export const inplace_methods: Readonly<Record<string, string>> = {
  iadd: "{} += {}",
  iand: "{} &= {}",
  ifloordiv: "{} //= {}",
  ilshift: "{} <<= {}",
  imod: "{} %= {}",
  imul: "{} *= {}",
  imatmul: "{} @= {}",
  ior: "{} |= {}",
  ipow: "{} **= {}",
  irshift: "{} >>= {}",
  isub: "{} -= {}",
  itruediv: "{} /= {}",
  ixor: "{} ^= {}",
  setitem: "{}[{}] = {}",
};

/** Fills the braces in order. */
export function filled(pattern: string, values: readonly string[]): string {
  let next = 0;
  return pattern.replace(/\{\}/g, () => values[next++] ?? "");
}
