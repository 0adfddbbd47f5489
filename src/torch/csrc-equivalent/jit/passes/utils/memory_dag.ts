/**
 * @file The graph of memory under a program: which element may be which other one, and which contains which.
 * @mirrors torch/csrc/jit/passes/utils/memory_dag.h
 *
 * An element stands for a value, or for all values of a type (a wildcard). An arrow means "may be": `y` of `if c: y = a else: y = b`
 * points to `a` and to `b`. Elements without arrows are memory locations. Two values may be the same memory if following their arrows
 * leads to a common location.
 */
import type { Value } from "../../ir/ir.ts";

export type MemoryLocations = Set<Element>;

export function intersects(a: ReadonlySet<Element>, b: ReadonlySet<Element>): boolean {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  for (const element of small) if (large.has(element)) return true;
  return false;
}

function addAll(to: MemoryLocations, from: ReadonlySet<Element>): void {
  for (const element of from) to.add(element);
}

/** Most elements point to nothing and contain nothing. */
const NO_ELEMENTS: ReadonlySet<Element> = new Set();

export class Element {
  /** Numbers elements in the order in which they were made. */
  readonly index: number;
  private pointsTo_: MemoryLocations | null = null;
  private containedElements_: MemoryLocations | null = null;
  /** Values that it stands for; none for a wildcard. */
  values: readonly Value[];
  cachedMemoryLocations_: MemoryLocations | null = null;
  cachedAllContainedMemoryLocations_: MemoryLocations | null = null;

  constructor(value: Value | null, index: number) {
    this.values = value === null ? [] : [value];
    this.index = index;
  }

  get pointsTo(): ReadonlySet<Element> {
    return this.pointsTo_ ?? NO_ELEMENTS;
  }
  get containedElements(): ReadonlySet<Element> {
    return this.containedElements_ ?? NO_ELEMENTS;
  }
  addPointerTo(to: Element): void {
    this.pointsTo_ ??= new Set();
    this.pointsTo_.add(to);
  }
  addContained(contained: Element): void {
    this.containedElements_ ??= new Set();
    this.containedElements_.add(contained);
  }
}

function locationsOf(element: Element): MemoryLocations {
  if (element.pointsTo.size === 0) return new Set([element]);
  const locations: MemoryLocations = new Set();
  const seen = new Set([element]);
  for (const current of seen) {
    if (current.pointsTo.size === 0) locations.add(current);
    addAll(seen, current.pointsTo);
  }
  return locations;
}

/** Elements while they are being connected. Nothing is cached yet. */
export class MemoryDAGBuilder {
  private readonly elements: Element[] = [];

  makePointerTo(from: Element, to: Element): void {
    if (from !== to) from.addPointerTo(to);
  }
  addToContainedElements(contained: Element, container: Element): void {
    container.addContained(contained);
  }
  /** An element that points to nothing. */
  makeFreshValue(value: Value | null): Element {
    const element = new Element(value, this.elements.length);
    this.elements.push(element);
    return element;
  }
  createMemoryDAG(): MemoryDAG {
    return new MemoryDAG(this.elements);
  }
}

export class MemoryDAG {
  private readonly elements: Element[];

  constructor(elements: Element[]) {
    this.elements = elements;
  }

  /** The locations that the arrows of an element lead to. */
  getMemoryLocations(element: Element): ReadonlySet<Element> {
    if (element.cachedMemoryLocations_ === null) {
      element.cachedMemoryLocations_ = locationsOf(element);
    }
    return element.cachedMemoryLocations_;
  }
  mayAlias(a: Element, b: Element): boolean {
    return intersects(this.getMemoryLocations(a), this.getMemoryLocations(b));
  }
  /** Whether something in `a` may be something in `b`; each contains itself. */
  mayContainAlias(a: Element | readonly Element[], b: Element | readonly Element[]): boolean {
    return intersects(this.containedOf(a), this.containedOf(b));
  }
  private containedOf(elements: Element | readonly Element[]): MemoryLocations {
    const all: MemoryLocations = new Set();
    for (const element of elements instanceof Element ? [elements] : elements)
      this.collectAllContainedMemoryLocations(element, all);
    return all;
  }
  /** Adds an element, its locations, its contents, and the same of each of those. */
  collectAllContainedMemoryLocations(element: Element, into: MemoryLocations): void {
    if (into.has(element)) return;
    if (element.cachedAllContainedMemoryLocations_ === null) {
      const all: MemoryLocations = new Set([element]);
      for (const current of all) {
        addAll(all, this.getMemoryLocations(current));
        addAll(all, current.containedElements);
      }
      element.cachedAllContainedMemoryLocations_ = all;
    }
    addAll(into, element.cachedAllContainedMemoryLocations_);
  }

  /**
   * Lets the locations of some values point to the wildcards of their types. Locations that were computed before keep the old ones
   * beside the wildcard.
   */
  setWildcards(
    wildcards: ReadonlySet<Value>,
    elementMap: ReadonlyMap<Value, Element>,
    getWildcardElement: (value: Value) => Element | null,
  ): void {
    const edited = new Map<Element, MemoryLocations>();
    for (const value of wildcards) {
      const wildcard = getWildcardElement(value) as Element;
      const locations = this.getMemoryLocations(elementMap.get(value) as Element);
      for (const location of locations) if (location !== wildcard) location.addPointerTo(wildcard);
      let all = edited.get(wildcard);
      if (all === undefined) edited.set(wildcard, (all = new Set()));
      addAll(all, locations);
    }
    for (const element of this.elements) {
      element.cachedAllContainedMemoryLocations_ = null;
      const [value] = element.values;
      if (value === undefined) continue;
      const wildcard = getWildcardElement(value);
      if (wildcard === null) continue;
      const changed = edited.get(wildcard);
      if (changed !== undefined && intersects(this.getMemoryLocations(element), changed))
        element.cachedMemoryLocations_?.add(wildcard);
    }
  }

  /** An element for a value that was made after the analysis. */
  unsafeMakeFreshValue(value: Value): Element {
    const element = new Element(value, this.elements.length);
    this.elements.push(element);
    return element;
  }
}
