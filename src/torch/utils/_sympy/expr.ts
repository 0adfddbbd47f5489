/**
 * @file Expressions over the symbols of sizes: sums of products with whole coefficients, and relations between them.
 * @mirrors torch/utils/_sympy/symbol.py
 * @differs Ours are polynomials in symbols and function applications, always multiplied out; PyTorch uses the package sympy and expands before it compares.
 *
 *     2*s0*s1 + (s1//2) - 1        three terms: 2 * s0 * s1, 1 * FloorDiv(s1, 2), -1
 *
 * Two expressions are equal exactly if their texts are equal, because terms and factors have one order.
 */

/** A part of a product: a symbol, or a function applied to expressions. */
export interface Atom {
  readonly name: string;
  /** Null for a symbol. */
  readonly args: readonly Expr[] | null;
  /** The text, by which atoms are told apart. */
  readonly text: string;
}

export type Factor = readonly [atom: Atom, power: number];

export interface Term {
  readonly coefficient: number;
  /** In the order of their texts, symbols first. */
  readonly factors: readonly Factor[];
}

function compare_atoms(a: Atom, b: Atom): number {
  if ((a.args === null) !== (b.args === null)) return a.args === null ? -1 : 1;
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}

const product_text = (factors: readonly Factor[]): string =>
  factors.map(([{ text }, power]) => (power === 1 ? text : `${text}**${power}`)).join("*");

function term_text({ coefficient, factors }: Term): string {
  const product = product_text(factors);
  if (product === "") return String(coefficient);
  if (coefficient === 1) return product;
  return coefficient === -1 ? `-${product}` : `${coefficient}*${product}`;
}

/** Higher powers of earlier atoms come first, as sympy prints sums. */
function compare_terms(a: Term, b: Term): number {
  for (let i = 0; ; i++) {
    const left = a.factors[i];
    const right = b.factors[i];
    if (left === undefined || right === undefined) return left === right ? 0 : left === undefined ? 1 : -1;
    const by_atom = compare_atoms(left[0], right[0]);
    if (by_atom !== 0) return by_atom;
    if (left[1] !== right[1]) return right[1] - left[1];
  }
}

/** A positive number stands before what is taken from it: `7 - s0`. */
function in_printing_order(terms: readonly Term[]): readonly Term[] {
  const [taken, number] = terms;
  const is_difference =
    terms.length === 2 &&
    number?.factors.length === 0 &&
    number.coefficient > 0 &&
    taken?.factors.length === 1 &&
    taken.coefficient < 0;
  return is_difference ? [number, taken as Term] : terms;
}

/** A sum of products. */
export class Expr {
  readonly terms: readonly Term[];
  private text: string | null = null;

  /** @param terms in printing order, no two with the same factors, none zero; `sum_of` makes such lists */
  constructor(terms: readonly Term[]) {
    this.terms = terms;
  }

  toString(): string {
    if (this.text !== null) return this.text;
    const [first, ...rest] = in_printing_order(this.terms).map(term_text);
    const signed = rest.map((text) => (text.startsWith("-") ? ` - ${text.slice(1)}` : ` + ${text}`));
    this.text = first === undefined ? "0" : first + signed.join("");
    return this.text;
  }

  __repr__(): string {
    return this.toString();
  }

  equals(other: Expr): boolean {
    return String(this) === String(other);
  }

  /** The number, if no symbol is left. */
  get constant(): number | null {
    if (this.terms.length === 0) return 0;
    const [term] = this.terms as [Term];
    return this.terms.length === 1 && term.factors.length === 0 ? term.coefficient : null;
  }

  /** The atom, if the expression is nothing else. */
  get atom(): Atom | null {
    const [term] = this.terms;
    if (this.terms.length !== 1 || term?.coefficient !== 1 || term.factors.length !== 1) return null;
    const [[atom, power]] = term.factors as [Factor];
    return power === 1 ? atom : null;
  }

  /** The name of the symbol, if the expression is one. */
  get symbol(): string | null {
    const { atom } = this;
    return atom !== null && atom.args === null ? atom.name : null;
  }

  /** The names of all symbols, also inside functions. */
  free_symbols(into: Set<string> = new Set()): Set<string> {
    for (const { factors } of this.terms)
      for (const [{ name, args }] of factors)
        if (args === null) into.add(name);
        else for (const arg of args) arg.free_symbols(into);
    return into;
  }
}

/** The sum of terms in any order. */
export function sum_of(terms: Iterable<Term>): Expr {
  const by_product = new Map<string, Term>();
  for (const term of terms) {
    const key = product_text(term.factors);
    const known = by_product.get(key);
    by_product.set(
      key,
      known === undefined ? term : { coefficient: known.coefficient + term.coefficient, factors: term.factors },
    );
  }
  return new Expr([...by_product.values()].filter(({ coefficient }) => coefficient !== 0).sort(compare_terms));
}

export const integer = (value: number): Expr => new Expr(value === 0 ? [] : [{ coefficient: value, factors: [] }]);
export const ZERO = integer(0);
export const ONE = integer(1);
export const of_atom = (atom: Atom): Expr => new Expr([{ coefficient: 1, factors: [[atom, 1]] }]);
export const symbol = (name: string): Expr => of_atom({ name, args: null, text: name });

export const add = (a: Expr, b: Expr): Expr => sum_of([...a.terms, ...b.terms]);
export const scale = (a: Expr, by: number): Expr =>
  sum_of(a.terms.map(({ coefficient, factors }) => ({ coefficient: coefficient * by, factors })));
export const neg = (a: Expr): Expr => scale(a, -1);
export const sub = (a: Expr, b: Expr): Expr => add(a, neg(b));

function multiply_factors(a: readonly Factor[], b: readonly Factor[]): Factor[] {
  const powers = new Map<string, Factor>();
  for (const [atom, power] of [...a, ...b]) powers.set(atom.text, [atom, power + (powers.get(atom.text)?.[1] ?? 0)]);
  return [...powers.values()].sort(([left], [right]) => compare_atoms(left, right));
}

export function mul(a: Expr, b: Expr): Expr {
  const terms: Term[] = [];
  for (const left of a.terms)
    for (const right of b.terms)
      terms.push({
        coefficient: left.coefficient * right.coefficient,
        factors: multiply_factors(left.factors, right.factors),
      });
  return sum_of(terms);
}

export function pow(base: Expr, exponent: number): Expr {
  let result = ONE;
  for (let i = 0; i < exponent; i++) result = mul(result, base);
  return result;
}

/** The expression with other expressions in place of some symbols. @param apply makes a function of new arguments */
export function substitute(
  expr: Expr,
  replacement: (name: string) => Expr | null,
  apply: (name: string, args: readonly Expr[]) => Expr,
): Expr {
  let result = ZERO;
  let changed = false;
  for (const { coefficient, factors } of expr.terms) {
    let product = integer(coefficient);
    for (const [atom, power] of factors) {
      const args = atom.args?.map((arg) => substitute(arg, replacement, apply)) ?? null;
      const same = args === null || args.every((arg, i) => arg === atom.args?.[i]);
      const other = args === null ? replacement(atom.name) : same ? null : apply(atom.name, args);
      changed ||= other !== null;
      product = mul(product, pow(other ?? of_atom(atom), power));
    }
    result = add(result, product);
  }
  return changed ? result : expr;
}

// ---- Relations --------------------------------------------------------------------------------------------------------

export type Operator = "Eq" | "Ne" | "<" | "<=" | ">" | ">=";

export const NEGATED: Readonly<Record<Operator, Operator>> = {
  Eq: "Ne",
  Ne: "Eq",
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
};

/** A condition: two expressions compared. */
export class Relation {
  readonly op: Operator;
  readonly lhs: Expr;
  readonly rhs: Expr;

  constructor(op: Operator, lhs: Expr, rhs: Expr) {
    this.op = op;
    this.lhs = lhs;
    this.rhs = rhs;
  }

  toString(): string {
    return this.op === "Eq" || this.op === "Ne"
      ? `${this.op}(${this.lhs}, ${this.rhs})`
      : `${this.lhs} ${this.op} ${this.rhs}`;
  }

  __repr__(): string {
    return this.toString();
  }

  negated(): Relation {
    return new Relation(NEGATED[this.op], this.lhs, this.rhs);
  }

  free_symbols(): Set<string> {
    return this.rhs.free_symbols(this.lhs.free_symbols());
  }

  /** The condition with its sides rewritten. */
  map(change: (side: Expr) => Expr): Relation {
    return new Relation(this.op, change(this.lhs), change(this.rhs));
  }
}

/** Whether two numbers stand in the relation. */
export function compare(op: Operator, a: number, b: number): boolean {
  switch (op) {
    case "Eq":
      return a === b;
    case "Ne":
      return a !== b;
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
  }
}
