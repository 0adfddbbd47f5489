/**
 * @file What was made of the same texts before. A tree with one change is generated anew for most of its files: a watch, a test of many mistakes.
 * @original torchgen runs once in a process.
 */

export class MadeBefore<T> {
  private readonly last = new Map<string, { readonly from: readonly string[]; readonly made: T }>();

  /** What `make` gives, or gave for `name` the last time, if that was from the same texts. It must follow from them alone, and nobody may change it. */
  of(name: string, from: readonly string[], make: () => T): T {
    const last = this.last.get(name);
    if (last !== undefined && last.from.length === from.length && last.from.every((text, i) => text === from[i]))
      return last.made;
    const made = make();
    this.last.set(name, { from, made });
    return made;
  }
}
