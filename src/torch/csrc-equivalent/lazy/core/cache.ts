/**
 * @file A table that forgets the entry that was used least recently.
 * @mirrors torch/csrc/lazy/core/cache.h
 */
export class Cache<K, V> {
  private readonly max_size_: () => number;
  /** In the order of use: the most recent is last. */
  private readonly elements = new Map<K, V>();

  /** @param max_size the number of entries that are kept; it is asked at every insertion */
  constructor(max_size: () => number) {
    this.max_size_ = max_size;
  }

  Add(key: K, value: V): V {
    this.elements.delete(key);
    this.elements.set(key, value);
    for (const oldest of this.elements.keys()) {
      if (this.elements.size <= this.max_size_()) break;
      this.elements.delete(oldest);
    }
    return value;
  }

  Get(key: K): V | null {
    const value = this.elements.get(key);
    if (value === undefined) return null;
    this.elements.delete(key);
    this.elements.set(key, value);
    return value;
  }

  Erase(key: K): boolean {
    return this.elements.delete(key);
  }

  Clear(): void {
    this.elements.clear();
  }
}
