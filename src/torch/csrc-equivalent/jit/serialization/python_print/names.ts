/**
 * @file Names of local variables in printed code: valid in Python, unique in the function, and not taken by the language.
 * @mirrors torch/csrc/jit/serialization/python_print.cpp#genName
 */

/** Names that would hide something which the code needs. */
const reserved_names: ReadonlySet<string> = new Set([
  // what the reader of the code knows
  ..."_ as aten attribute CONSTANTS fork getattr inf nan infj nanj ops __torch__ uninitialized unchecked_cast".split(
    " ",
  ),
  // keywords of Python
  ...(
    "and as assert async await break class continue def del elif else except False finally for from global if import in is " +
    "lambda None nonlocal not or pass raise return True try with while yield"
  ).split(" "),
]);

export function isValidIdentifier(name: string): boolean {
  return /^[A-Za-z_][A-Za-z_0-9]*$/.test(name);
}

/** Replaces what an identifier cannot have. Each byte of another script becomes a `_`. */
export function makeValidIdentifier(candidate: string): string {
  let name = candidate === "" || /^[0-9]/.test(candidate) ? "_" : "";
  for (const byte of new TextEncoder().encode(candidate)) {
    const char = String.fromCharCode(byte);
    name += /[A-Za-z0-9_]/.test(char) ? char : "_";
  }
  return name;
}

export class NameTable {
  private readonly used_names_ = new Set<string>();
  /** The next suffix of each name that was taken. It counts on in the functions that follow. */
  private readonly next_id_ = new Map<string, number>();

  /** A new function begins, which can use the names of the last one. */
  clear(): void {
    this.used_names_.clear();
  }

  genName(candidate: string): string {
    let name = candidate;
    while (this.used_names_.has(name) || reserved_names.has(name)) {
      const id = this.next_id_.get(name) ?? 0;
      this.next_id_.set(name, id + 1);
      name = `${candidate}${id}`;
    }
    this.used_names_.add(name);
    return name;
  }
}
