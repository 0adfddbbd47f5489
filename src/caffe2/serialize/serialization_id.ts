/**
 * @file The serialization id, which differs between archives: a hash of the records' names and one of their checksums,
 * twenty digits each.
 * @mirrors caffe2/serialize/inline_container.h#PyTorchStreamWriter
 *
 * Note [The order of a hash table is in the file]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * PyTorch combines the names' hashes in the iteration order of its `std::unordered_set`. To write equal files we need
 * the same hash (libstdc++'s, MurmurHash2 with 64 bits), the same bucket counts, and the same positions of new entries
 * in the list of all entries.
 */

const MASK = (1n << 64n) - 1n;

/** `c10::hash_combine`: not symmetric, so the order matters. */
export function hash_combine(seed: bigint, value: bigint): bigint {
  return (seed ^ (value + 0x9e3779b9n + ((seed << 6n) & MASK) + (seed >> 2n))) & MASK;
}

const MULTIPLIER = 0xc6a4a7935bd1e995n;
const SEED = 0xc70f6907n;

function shift_mix(value: bigint): bigint {
  return value ^ (value >> 47n);
}

/** `std::hash<std::string>` of libstdc++. */
export function hash_string(text: string): bigint {
  const bytes = new TextEncoder().encode(text);
  const view = new DataView(bytes.buffer);
  const aligned = bytes.length & ~7;
  let hash = SEED ^ ((BigInt(bytes.length) * MULTIPLIER) & MASK);
  for (let i = 0; i < aligned; i += 8) {
    const data = (shift_mix((view.getBigUint64(i, true) * MULTIPLIER) & MASK) * MULTIPLIER) & MASK;
    hash = ((hash ^ data) * MULTIPLIER) & MASK;
  }
  if (aligned < bytes.length) {
    let data = 0n;
    for (let i = bytes.length - 1; i >= aligned; i--) data = (data << 8n) | BigInt(bytes[i]);
    hash = ((hash ^ data) * MULTIPLIER) & MASK;
  }
  hash = (shift_mix(hash) * MULTIPLIER) & MASK;
  return shift_mix(hash);
}

/** Bucket counts; each is the first of libstdc++'s primes that is at least twice the previous one. */
const BUCKET_COUNTS = [
  13, 29, 59, 127, 257, 541, 1109, 2357, 5087, 10273, 20753, 42043, 85229, 172933, 351061, 712697, 1447153, 2938679,
];

interface ListNode {
  readonly hash: bigint;
  next: ListNode | null;
}

/** Hashes, iterated in the order of a `std::unordered_set`. */
class UnorderedSet {
  private readonly before_begin: ListNode = { hash: 0n, next: null };
  /** The node before each bucket's first one. */
  private buckets = new Map<number, ListNode>();
  private bucket_count = 1;
  private size = 0;

  insert(hash: bigint): void {
    if (this.size === 0 || this.size + 1 > this.bucket_count) this.grow();
    this.size++;
    this.link({ hash, next: null });
  }

  private grow(): void {
    this.bucket_count = BUCKET_COUNTS.find((count) => count > this.bucket_count) ?? this.bucket_count * 2 + 1;
    this.buckets = new Map();
    let node = this.before_begin.next;
    this.before_begin.next = null;
    while (node !== null) {
      const { next } = node;
      this.link(node);
      node = next;
    }
  }

  private bucket_of(node: ListNode): number {
    return Number(node.hash % BigInt(this.bucket_count));
  }

  /** Inserts a node at the beginning of its bucket; a bucket's first node goes to the beginning of the list. */
  private link(node: ListNode): void {
    const bucket = this.bucket_of(node);
    const before = this.buckets.get(bucket);
    if (before !== undefined) {
      node.next = before.next;
      before.next = node;
      return;
    }
    node.next = this.before_begin.next;
    this.before_begin.next = node;
    if (node.next !== null) this.buckets.set(this.bucket_of(node.next), node);
    this.buckets.set(bucket, this.before_begin);
  }

  *[Symbol.iterator](): IterableIterator<bigint> {
    for (let node = this.before_begin.next; node !== null; node = node.next) yield node.hash;
  }
}

/**
 * @param names of the records, in the order in which they were written
 * @param combined_crc32 their checksums, combined in that order
 */
export function serialization_id(names: Iterable<string>, combined_crc32: bigint): string {
  const files_written = new UnorderedSet();
  for (const name of names) files_written.insert(hash_string(name));
  let combined_name_hash = 0n;
  for (const hash of files_written) combined_name_hash = hash_combine(combined_name_hash, hash);
  return String(combined_name_hash).padStart(20, "0") + String(combined_crc32).padStart(20, "0");
}
