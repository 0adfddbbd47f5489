/**
 * @file Values by name in the order of insertion, as modules hold their parameters.
 * @mirrors torch/csrc/api/include/torch/ordered_dict.h
 */
import { TORCH_CHECK } from "#c10/util/Exception";

/** A name and its value. It can be unpacked: `const [name, value] = item`. */
export class Item<Value> {
  private readonly pair_: [string, Value];

  constructor(key: string, value: Value) {
    this.pair_ = [key, value];
  }
  key(): string {
    return this.pair_[0];
  }
  value(): Value {
    return this.pair_[1];
  }
  pair(): readonly [key: string, value: Value] {
    return this.pair_;
  }
  [Symbol.iterator](): ArrayIterator<string | Value> {
    return this.pair_[Symbol.iterator]();
  }
}

export class OrderedDict<Value> {
  private readonly items_ = new Map<string, Item<Value>>();
  private readonly key_description_: string;

  /** @param key_description the kind of key, for messages: `Parameter` */
  constructor(key_description = "Key") {
    this.key_description_ = key_description;
  }

  key_description(): string {
    return this.key_description_;
  }
  size(): number {
    return this.items_.size;
  }
  is_empty(): boolean {
    return this.items_.size === 0;
  }
  items(): Item<Value>[] {
    return [...this.items_.values()];
  }
  keys(): string[] {
    return [...this.items_.keys()];
  }
  values(): Value[] {
    return this.items().map((item) => item.value());
  }
  pairs(): (readonly [string, Value])[] {
    return this.items().map((item) => item.pair());
  }
  [Symbol.iterator](): IterableIterator<readonly [key: string, value: Value]> {
    return this.pairs()[Symbol.iterator]();
  }
  front(): Item<Value> {
    TORCH_CHECK(!this.is_empty(), "Called front() on an empty OrderedDict");
    return this.items()[0];
  }
  back(): Item<Value> {
    TORCH_CHECK(!this.is_empty(), "Called back() on an empty OrderedDict");
    return this.items()[this.size() - 1];
  }

  contains(key: string): boolean {
    return this.items_.has(key);
  }
  /** The value, or null. */
  find(key: string): Value | null {
    return this.items_.get(key)?.value() ?? null;
  }
  /** C++'s `operator[]`: the value of a name, or the item at a position. */
  at(key: string): Value;
  at(index: number): Item<Value>;
  at(key: string | number): Value | Item<Value> {
    if (typeof key === "number") {
      TORCH_CHECK(key >= 0 && key < this.size(), "Index ", key, " is out of bounds");
      return this.items()[key];
    }
    const item = this.items_.get(key);
    TORCH_CHECK(item !== undefined, this.key_description_, " '", key, "' is not defined");
    return item.value();
  }

  insert(key: string, value: Value): Value {
    TORCH_CHECK(!this.contains(key), this.key_description_, " '", key, "' already defined");
    this.items_.set(key, new Item(key, value));
    return value;
  }
  /** Gives a name that exists another value; its place stays. */
  assign(key: string, value: Value): void {
    this.at(key);
    this.items_.set(key, new Item(key, value));
  }
  update(other: OrderedDict<Value>): void {
    for (const [key, value] of other) this.insert(key, value);
  }
  erase(key: string): void {
    TORCH_CHECK(this.contains(key), "Key '", key, "' doesn't exist");
    this.items_.delete(key);
  }
  clear(): void {
    this.items_.clear();
  }
}
