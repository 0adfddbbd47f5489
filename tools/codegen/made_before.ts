/**
 * @file A cache of results by their input texts. After one change most files of a tree need not be generated again, as
 * in a watch or in a test of many mistakes.
 * @original torchgen runs once in a process.
 */

export class MadeBefore<T> {
  private readonly last = new Map<string, { readonly from: readonly string[]; readonly made: T }>();

  /**
   * The result of `make`, or the cached one for `name` if its input texts are the same. It must depend only on them,
   * and nobody may change it.
   */
  of(name: string, from: readonly string[], make: () => T): T {
    const last = this.last.get(name);
    if (last !== undefined && last.from.length === from.length && last.from.every((text, i) => text === from[i]))
      return last.made;
    const made = make();
    this.last.set(name, { from, made });
    return made;
  }
}
