/**
 * @file Alias annotations of an operator's schema: `Tensor(a!)` is "alias set a, written to".
 * @mirrors aten/src/ATen/core/alias_info.h
 */

/** The set that may alias anything, written `*`. */
export const wildcardSet = "*";

/** An annotation on one type, together with those on the types it contains (`Tensor(a!)[]` annotates the element). */
export class AliasInfo {
  /** Alias sets to which the value belongs on entry. */
  private readonly beforeSets_ = new Set<string>();
  /** Alias sets on exit; they differ from `beforeSets_` only for `(a -> *)`. */
  private readonly afterSets_ = new Set<string>();
  private readonly containedTypes_: AliasInfo[] = [];
  private isWrite_: boolean;

  constructor(isWrite = false, beforeSets: Iterable<string> = [], afterSets: Iterable<string> = []) {
    this.isWrite_ = isWrite;
    for (const set of beforeSets) this.beforeSets_.add(set);
    for (const set of afterSets) this.afterSets_.add(set);
  }

  isWrite(): boolean {
    return this.isWrite_;
  }
  setIsWrite(isWrite: boolean): void {
    this.isWrite_ = isWrite;
  }
  beforeSets(): ReadonlySet<string> {
    return this.beforeSets_;
  }
  afterSets(): ReadonlySet<string> {
    return this.afterSets_;
  }
  addBeforeSet(set: string): void {
    this.beforeSets_.add(set);
  }
  addAfterSet(set: string): void {
    this.afterSets_.add(set);
  }
  containedTypes(): readonly AliasInfo[] {
    return this.containedTypes_;
  }
  addContainedType(info: AliasInfo): void {
    this.containedTypes_.push(info);
  }
  isWildcardBefore(): boolean {
    return this.beforeSets_.has(wildcardSet);
  }
  isWildcardAfter(): boolean {
    return this.afterSets_.has(wildcardSet);
  }

  equals(other: AliasInfo): boolean {
    return (
      this.toString() === other.toString() &&
      this.containedTypes_.length === other.containedTypes_.length &&
      this.containedTypes_.every((info, i) => info.equals(other.containedTypes_[i]))
    );
  }

  /** `(a!)`, `(a -> *)`, `(b|a)`. */
  toString(): string {
    const before = joinSets(this.beforeSets_);
    const after = joinSets(this.afterSets_);
    return `(${before}${this.isWrite_ ? "!" : ""}${before === after ? "" : ` -> ${after}`})`;
  }
}

// The C++ sets are hash sets, and libstdc++ iterates a small one from the newest element to the oldest: `(a|b)` prints as `(b|a)`.
function joinSets(sets: ReadonlySet<string>): string {
  return [...sets].reverse().join("|");
}
