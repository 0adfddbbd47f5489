/**
 * @file The order of a set: a hash table as CPython keeps one. It knows where an element stands, not whether it is there; the set's dict knows that.
 * @mirrors Objects/setobject.c (CPython 3.11)
 */

// An idea in miniature
// ~~~~~~~~~~~~~~~~~~~~
//   slots of {3, 9, 1}, eight of them:   .  1  9  3  .  .  .  .       1 & 7 = 1; 9 & 7 = 1 is taken, so 9 goes one further
// A loop walks through the slots from left to right, and so the set prints as {1, 9, 3}. A full slot sends an element to one of the next nine; if
// they are all full, to another place that the higher bits of its hash name. When three fifths are full, the table grows and all is placed anew.

const EMPTY = Symbol("empty");
/** Where an element was: a search must go on behind it. */
const DUMMY = Symbol("dummy");

const SMALLEST = 8;
const LINEAR_PROBES = 9;
const PERTURB_SHIFT = 5n;

/** A hash as `hash` gives it: 64 bits with a sign. */
type Hash = number | bigint;

/** Places to try for a hash, in order, without end. */
function* probes(hash: Hash, mask: number): Generator<number> {
  let start = typeof hash === "number" ? (hash & mask) >>> 0 : Number(BigInt.asUintN(64, hash) & BigInt(mask));
  // The higher bits are needed only if the first places are full.
  let perturb: bigint | null = null;
  for (;;) {
    const last = start + LINEAR_PROBES <= mask ? start + LINEAR_PROBES : start;
    for (let i = start; i <= last; i++) yield i;
    perturb = (perturb ?? BigInt.asUintN(64, BigInt(hash))) >> PERTURB_SHIFT;
    start = Number((BigInt(start) * 5n + 1n + perturb) & BigInt(mask));
  }
}

export class SetTable {
  private slots: unknown[] = new Array<unknown>(SMALLEST).fill(EMPTY);
  private hashes: Hash[] = new Array<Hash>(SMALLEST).fill(0);
  /** Slots that are not empty. */
  private fill = 0;
  private used = 0;
  /** Where `pop` goes on. */
  private finger = 0;

  private get mask(): number {
    return this.slots.length - 1;
  }

  /** Places an element that is not in the table yet. The last dummy on the way to an empty slot is used again. */
  add(element: unknown, hash: Hash): void {
    let free = -1;
    for (const at of probes(hash, this.mask)) {
      if (this.slots[at] === DUMMY) free = at;
      if (this.slots[at] !== EMPTY) continue;
      if (free >= 0) break;
      free = at;
      this.fill++;
      break;
    }
    this.slots[free] = element;
    this.hashes[free] = hash;
    this.used++;
    if (this.fill * 5 >= this.mask * 3) this.grow();
  }

  private grow(): void {
    this.resize(this.used > 50_000 ? this.used * 2 : this.used * 4);
  }

  private place(element: unknown, hash: Hash): void {
    const { slots, mask } = this;
    let at = typeof hash === "number" ? (hash & mask) >>> 0 : -1;
    if (at < 0 || slots[at] !== EMPTY) {
      for (at of probes(hash, mask)) if (slots[at] === EMPTY) break;
    }
    slots[at] = element;
    this.hashes[at] = hash;
  }

  /** Removes the element with this hash that `matches` recognizes. */
  remove(hash: Hash, matches: (element: unknown) => boolean): void {
    const { slots } = this;
    for (const at of probes(hash, this.mask)) {
      const element = slots[at];
      if (element === EMPTY) return;
      if (element === DUMMY || this.hashes[at] !== hash || !matches(element)) continue;
      slots[at] = DUMMY;
      this.used--;
      return;
    }
  }

  private resize(least: number): void {
    let size = SMALLEST;
    while (size <= least) size *= 2;
    const { slots, hashes } = this;
    this.slots = new Array<unknown>(size).fill(EMPTY);
    this.hashes = new Array<Hash>(size).fill(0);
    slots.forEach((element, i) => {
      if (element !== EMPTY && element !== DUMMY) this.place(element, hashes[i] as Hash);
    });
    this.fill = this.used;
  }

  /** Makes room before `count` elements come at once. */
  reserve(count: number): void {
    if ((this.fill + count) * 5 >= this.mask * 3) this.resize((this.used + count) * 2);
  }

  /** Makes the table anew if many of its slots are dummies. */
  tidy(): void {
    if (this.fill - this.used > Math.floor(this.mask / 4)) this.grow();
  }

  /** Whether nothing was ever placed since the table was made. */
  get is_new(): boolean {
    return this.fill === 0;
  }

  /** An empty table for the same set: `pop` goes on where it was. */
  emptied(): SetTable {
    return this.handed_on(new SetTable());
  }

  /** Another table that the set gets instead of this one. */
  handed_on(table: SetTable): SetTable {
    table.finger = this.finger;
    return table;
  }

  /** Takes over all of another table; this one must be new and have room. */
  take(other: SetTable): void {
    if (this.mask === other.mask && other.fill === other.used) {
      this.slots = [...other.slots];
      this.hashes = [...other.hashes];
    } else {
      other.slots.forEach((element, i) => {
        if (element !== EMPTY && element !== DUMMY) this.place(element, other.hashes[i] as Hash);
      });
    }
    this.fill = other.used;
    this.used = other.used;
  }

  /** The element that `pop` removes next; undefined if there is none. */
  next_to_pop(): unknown {
    if (this.used === 0) return undefined;
    let at = this.finger & this.mask;
    while (this.slots[at] === EMPTY || this.slots[at] === DUMMY) at = at < this.mask ? at + 1 : 0;
    this.finger = at + 1;
    return this.slots[at];
  }

  /** The elements from the first slot to the last. */
  *[Symbol.iterator](): Generator<unknown> {
    for (let i = 0; i < this.slots.length; i++) {
      const element = this.slots[i];
      if (element !== EMPTY && element !== DUMMY) yield element;
    }
  }
}
