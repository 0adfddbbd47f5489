/**
 * @file The header of a file in the format safetensors: JSON as strict as the reader in Rust, and in its words.
 * @original Python's package safetensors 0.8.0 (in Rust, with serde_json).
 */

/** An error in the header of a file. */
export class HeaderError extends Error {}

export interface TensorInfo {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [begin: number, end: number];
}

/** Names of dtypes in the order of the format, by which tensors are written, the last kind first; with bits per element. */
// biome-ignore format: table
export const BITS: ReadonlyMap<string, number> = new Map([
  ["BOOL", 8], ["F4", 4], ["F6_E2M3", 6], ["F6_E3M2", 6], ["U8", 8], ["I8", 8], ["F8_E5M2", 8], ["F8_E4M3", 8], ["F8_E8M0", 8],
  ["F8_E4M3FNUZ", 8], ["F8_E5M2FNUZ", 8], ["I16", 16], ["U16", 16], ["F16", 16], ["BF16", 16], ["I32", 32], ["U32", 32], ["F32", 32],
  ["C64", 64], ["F64", 64], ["I64", 64], ["U64", 64],
]);

/** Containers in one another. */
const RECURSION_LIMIT = 128;
const LARGEST_USIZE = 2n ** 64n - 1n;

/** A value of the header. An object keeps its pairs in order, also those with one name. */
type Json =
  | { readonly kind: "null" }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "integer"; readonly value: bigint }
  | { readonly kind: "float"; readonly value: number }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "sequence"; readonly items: readonly Json[] }
  | { readonly kind: "map"; readonly pairs: readonly (readonly [string, Json])[] };

/** The kind and value that was found, in the words of an error. */
function unexpected(json: Json): string {
  switch (json.kind) {
    case "boolean":
    case "integer":
      return `${json.kind} \`${json.value}\``;
    case "float":
      return `floating point \`${float_text(json.value)}\``;
    case "string":
      return `string ${JSON.stringify(json.value)}`;
    default:
      return json.kind;
  }
}

function float_text(value: number): string {
  if (value !== 0 && (Math.abs(value) >= 1e16 || Math.abs(value) < 1e-5)) return value.toExponential();
  const text = Object.is(value, -0) ? "-0" : String(value);
  return text.includes(".") ? text : `${text}.0`;
}

function wrong_type(json: Json, expected: string): string {
  return `invalid type: ${unexpected(json)}, expected ${expected}`;
}

const WHITESPACE = " \n\t\r";
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Reads JSON. Columns count bytes, from 1 for what comes next and up to the last byte read for what is behind. */
class Parser {
  private readonly bytes: Uint8Array;
  private pos = 0;
  private depth = RECURSION_LIMIT;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** An error at the end of what was read. */
  error(message: string, end = this.pos): never {
    let line = 1;
    let start = 0;
    for (let i = 0; i < end; i++) {
      if (this.bytes[i] !== 0x0a) continue;
      line++;
      start = i + 1;
    }
    throw new HeaderError(`invalid JSON in header: ${message} at line ${line} column ${end - start}`);
  }

  /** An error of the next byte. */
  private peek_error(message: string): never {
    return this.error(message, Math.min(this.pos + 1, this.bytes.length));
  }

  private peek(): string {
    return this.pos < this.bytes.length ? String.fromCharCode(this.bytes[this.pos]) : "";
  }

  private skip(): string {
    while (this.pos < this.bytes.length && WHITESPACE.includes(this.peek())) this.pos++;
    return this.peek();
  }

  end(): void {
    if (this.skip() !== "") this.peek_error("trailing characters");
  }

  value(): Json {
    const next = this.skip();
    if (next === "") this.peek_error("EOF while parsing a value");
    if (next === "{") return { kind: "map", pairs: this.map(() => this.value()) };
    if (next === "[") return { kind: "sequence", items: this.sequence() };
    if (next === '"') return { kind: "string", value: this.string() };
    if (next === "-" || /\d/.test(next)) return this.number();
    for (const [word, json] of WORDS) if (next === word[0]) return this.word(word, json);
    return this.peek_error("expected value");
  }

  private word(word: string, json: Json): Json {
    for (const letter of word) {
      if (this.pos === this.bytes.length) this.peek_error("EOF while parsing a value");
      this.pos++;
      if (this.bytes[this.pos - 1] !== letter.charCodeAt(0)) this.error("expected ident");
    }
    return json;
  }

  private enter(): void {
    if (--this.depth === 0) this.peek_error("recursion limit exceeded");
    this.pos++;
  }

  private leave(): void {
    this.depth++;
    this.pos++;
  }

  /** Pairs of an object, each value read by `read`. */
  map(read: (name: string) => Json): (readonly [string, Json])[] {
    const pairs: (readonly [string, Json])[] = [];
    this.enter();
    for (let next = this.skip(); next !== "}"; next = this.skip()) {
      if (pairs.length > 0) {
        if (next === "") this.peek_error("EOF while parsing an object");
        if (next !== ",") this.peek_error("expected `,` or `}`");
        this.pos++;
        next = this.skip();
        if (next === "}") this.peek_error("trailing comma");
        if (next === "") this.peek_error("EOF while parsing a value");
      }
      if (next === "") this.peek_error("EOF while parsing an object");
      if (next !== '"') this.peek_error("key must be a string");
      const name = this.string();
      const colon = (): void => {
        const found = this.skip();
        if (found === "") this.peek_error("EOF while parsing an object");
        if (found !== ":") this.peek_error("expected `:`");
        this.pos++;
      };
      this.before_colon(name);
      colon();
      pairs.push([name, read(name)]);
    }
    this.leave();
    return pairs;
  }

  /** Asked after each name; the header's own fields may stand only once. */
  before_colon: (name: string) => void = () => undefined;

  private sequence(): Json[] {
    const items: Json[] = [];
    this.enter();
    for (let next = this.skip(); next !== "]"; next = this.skip()) {
      if (items.length > 0) {
        if (next === "") this.peek_error("EOF while parsing a list");
        if (next !== ",") this.peek_error("expected `,` or `]`");
        this.pos++;
        next = this.skip();
        if (next === "]") this.peek_error("trailing comma");
      }
      if (next === "") this.peek_error(items.length > 0 ? "EOF while parsing a value" : "EOF while parsing a list");
      items.push(this.value());
    }
    this.leave();
    return items;
  }

  private number(): Json {
    const start = this.pos;
    const digits = (): number => {
      const from = this.pos;
      while (/\d/.test(this.peek())) this.pos++;
      return this.pos - from;
    };
    const some_digits = (): void => {
      if (digits() > 0) return;
      if (this.pos === this.bytes.length) this.peek_error("EOF while parsing a value");
      this.pos++;
      this.error("invalid number");
    };
    if (this.peek() === "-") this.pos++;
    if (this.peek() === "0") {
      this.pos++;
      if (/\d/.test(this.peek())) this.peek_error("invalid number");
    } else some_digits();
    let is_integer = true;
    if (this.peek() === ".") {
      is_integer = false;
      this.pos++;
      if (digits() === 0) this.peek_error(this.peek() === "" ? "EOF while parsing a value" : "invalid number");
    }
    if (this.peek() === "e" || this.peek() === "E") {
      is_integer = false;
      this.pos++;
      if (this.peek() === "+" || this.peek() === "-") this.pos++;
      some_digits();
    }
    const text = String.fromCharCode(...this.bytes.subarray(start, this.pos));
    if (is_integer && text !== "-0") {
      const value = BigInt(text);
      if (value <= LARGEST_USIZE && value >= -(2n ** 63n)) return { kind: "integer", value };
    }
    const value = Number(text);
    if (!Number.isFinite(value)) this.error("number out of range");
    return { kind: "float", value };
  }

  private string(): string {
    const parts: string[] = [];
    this.pos++;
    let from = this.pos;
    const flush = (): void => {
      parts.push(new TextDecoder("utf-8", { ignoreBOM: true }).decode(this.bytes.subarray(from, this.pos)));
    };
    for (;;) {
      if (this.pos === this.bytes.length) this.error("EOF while parsing a string");
      const byte = this.bytes[this.pos];
      if (byte === 0x22) break;
      if (byte < 0x20) {
        this.pos++;
        this.error("control character (\\u0000-\\u001F) found while parsing a string");
      }
      if (byte !== 0x5c) {
        this.pos++;
        continue;
      }
      flush();
      this.pos++;
      parts.push(this.escape());
      from = this.pos;
    }
    flush();
    this.pos++;
    return parts.join("");
  }

  private take(): string {
    if (this.pos === this.bytes.length) this.error("EOF while parsing a string");
    return String.fromCharCode(this.bytes[this.pos++]);
  }

  private escape(): string {
    const letter = this.take();
    if (letter !== "u") return ESCAPES[letter] ?? this.error("invalid escape");
    const first = this.hex();
    if (first >= 0xdc00 && first <= 0xdfff) this.error("lone leading surrogate in hex escape");
    if (first < 0xd800 || first > 0xdfff) return String.fromCharCode(first);
    if (this.take() !== "\\" || this.take() !== "u") this.error("unexpected end of hex escape");
    const second = this.hex();
    if (second < 0xdc00 || second > 0xdfff) this.error("lone leading surrogate in hex escape");
    return String.fromCharCode(first, second);
  }

  private hex(): number {
    if (this.pos + 4 > this.bytes.length) {
      this.pos = this.bytes.length;
      this.error("EOF while parsing a string");
    }
    const text = String.fromCharCode(...this.bytes.subarray(this.pos, this.pos + 4));
    this.pos += 4;
    if (!/^[0-9a-fA-F]{4}$/.test(text)) this.error("invalid escape");
    return Number.parseInt(text, 16);
  }

  /** The value of `__metadata__`: strings by name, or null. */
  metadata(): Json {
    const next = this.skip();
    if (next === "[") this.error(wrong_type({ kind: "sequence", items: [] }, "a map"));
    if (next !== "{") {
      const json = this.value();
      if (json.kind !== "null") this.error(wrong_type(json, "a map"));
      return json;
    }
    const text = (): Json => {
      const found = this.skip();
      if (found === "{" || found === "[")
        this.error(
          wrong_type(found === "{" ? { kind: "map", pairs: [] } : { kind: "sequence", items: [] }, "a string"),
        );
      const json = this.value();
      if (json.kind !== "string") this.error(wrong_type(json, "a string"));
      return json;
    };
    const before = this.before_colon;
    this.before_colon = () => undefined;
    const pairs = this.map(text);
    this.before_colon = before;
    return { kind: "map", pairs };
  }

  /** The whole header. */
  header(): (readonly [string, Json])[] {
    const next = this.skip();
    if (next === "[") this.error(wrong_type({ kind: "sequence", items: [] }, "struct HashMetadata"));
    if (next !== "{") this.error(wrong_type(this.value(), "struct HashMetadata"));
    let metadata_seen = false;
    const top = this.depth;
    this.before_colon = (name) => {
      if (this.depth !== top - 1 || name !== "__metadata__") return;
      if (metadata_seen) this.error("duplicate field `__metadata__`");
      metadata_seen = true;
    };
    return this.map((name) => (name === "__metadata__" ? this.metadata() : this.value()));
  }
}

const WORDS: readonly (readonly [string, Json])[] = [
  ["null", { kind: "null" }],
  ["true", { kind: "boolean", value: true }],
  ["false", { kind: "boolean", value: false }],
];

/** A failed check of a value that was read before: the parser's place is added. */
class ValueProblem extends Error {}

function dtype_of(json: Json): string {
  let name: string;
  if (json.kind === "string") name = json.value;
  else if (json.kind !== "map") throw new ValueProblem(wrong_type(json, "string or map"));
  else {
    if (json.pairs.length !== 1) throw new ValueProblem("invalid value: map, expected map with a single key");
    name = json.pairs[0][0];
  }
  if (!BITS.has(name)) {
    const known = [...BITS.keys()].map((kind) => `\`${kind}\``).join(", ");
    throw new ValueProblem(`unknown variant \`${name}\`, expected one of ${known}`);
  }
  if (json.kind === "map" && json.pairs[0][1].kind !== "null")
    throw new ValueProblem(wrong_type(json.pairs[0][1], "unit"));
  return name;
}

function usize(json: Json): bigint {
  if (json.kind !== "integer") throw new ValueProblem(wrong_type(json, "usize"));
  if (json.value < 0n) throw new ValueProblem(`invalid value: ${unexpected(json)}, expected usize`);
  return json.value;
}

function shape_of(json: Json): bigint[] {
  if (json.kind !== "sequence") throw new ValueProblem(wrong_type(json, "a sequence"));
  return json.items.map(usize);
}

function offsets_of(json: Json): readonly [bigint, bigint] {
  if (json.kind !== "sequence") throw new ValueProblem(wrong_type(json, "a tuple of size 2"));
  const [begin, end] = json.items.slice(0, 2).map(usize);
  if (json.items.length < 2) throw new ValueProblem(`invalid length ${json.items.length}, expected a tuple of size 2`);
  if (json.items.length > 2)
    throw new ValueProblem(`invalid length ${json.items.length}, expected 2 elements in sequence`);
  return [begin, end];
}

interface Info {
  readonly dtype: string;
  readonly shape: readonly bigint[];
  readonly data_offsets: readonly [bigint, bigint];
}

const FIELDS = ["dtype", "shape", "data_offsets"] as const;

/** A tensor's entry: an object with three fields and any others, or a list of the three. */
function info_of(json: Json): Info {
  const read = { dtype: dtype_of, shape: shape_of, data_offsets: offsets_of };
  const found: Partial<Record<(typeof FIELDS)[number], unknown>> = {};
  if (json.kind === "sequence") {
    for (const [i, field] of FIELDS.entries()) {
      if (i >= json.items.length)
        throw new ValueProblem(`invalid length ${i}, expected struct TensorInfo with 3 elements`);
      found[field] = read[field](json.items[i]);
    }
    if (json.items.length > 3)
      throw new ValueProblem(`invalid length ${json.items.length}, expected 3 elements in sequence`);
  } else if (json.kind === "map") {
    for (const [name, value] of json.pairs) {
      const field = FIELDS.find((known) => known === name);
      if (field === undefined) continue;
      if (field in found) throw new ValueProblem(`duplicate field \`${field}\``);
      found[field] = read[field](value);
    }
    for (const field of FIELDS) if (!(field in found)) throw new ValueProblem(`missing field \`${field}\``);
  } else throw new ValueProblem(wrong_type(json, "struct TensorInfo"));
  return found as unknown as Info;
}

/** The tensors in the order of their bytes, which follow one another without a gap. */
function check_layout(infos: ReadonlyMap<string, Info>, length: number): [string, TensorInfo][] {
  const by_offsets = ([, a]: [string, Info], [, b]: [string, Info]): number =>
    Number(a.data_offsets[0] - b.data_offsets[0]) || Number(a.data_offsets[1] - b.data_offsets[1]);
  let start = 0n;
  const sorted = [...infos].sort(by_offsets);
  for (const [name, { dtype, shape, data_offsets }] of sorted) {
    const [begin, end] = data_offsets;
    if (begin !== start || end < begin) throw new HeaderError(`invalid offset for tensor \`${name}\``);
    start = end;
    let bits = 1n;
    for (const factor of [...shape, BigInt(BITS.get(dtype) as number)]) {
      bits *= factor;
      if (bits > LARGEST_USIZE) throw new HeaderError("overflow computing buffer size from shape and/or element type");
    }
    if (bits % 8n !== 0n)
      throw new HeaderError(
        "The slice is slicing for subbytes dtypes, and the slice does not end up at a byte boundary, this is invalid.",
      );
    if (bits / 8n !== end - begin) throw new HeaderError("invalid shape, data type, or offset for tensor");
  }
  if (start !== BigInt(length)) throw new HeaderError("incomplete metadata, file not fully covered");
  return sorted.map(([name, { dtype, shape, data_offsets }]) => [
    name,
    { dtype, shape: shape.map(Number), data_offsets: [Number(data_offsets[0]), Number(data_offsets[1])] },
  ]);
}

function check_utf8(bytes: Uint8Array): void {
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i];
    const length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    let valid = Math.min(1, length);
    while (valid > 0 && valid < length && i + valid < bytes.length) {
      const byte = bytes[i + valid];
      if (byte < (valid === 1 ? lowest : 0x80) || byte > (valid === 1 ? highest : 0xbf)) break;
      valid++;
    }
    if (valid < length && i + valid === bytes.length)
      throw new HeaderError(`invalid UTF-8 in header: incomplete utf-8 byte sequence from index ${i}`);
    if (length === 0 || valid < length)
      throw new HeaderError(
        `invalid UTF-8 in header: invalid utf-8 sequence of ${Math.max(1, valid)} bytes from index ${i}`,
      );
    i += length;
  }
}

/** The tensors that a header describes, in the order of their bytes. `data_length`: bytes behind the header. */
export function parse_header(bytes: Uint8Array, data_length: number): [string, TensorInfo][] {
  check_utf8(bytes);
  const parser = new Parser(bytes);
  const pairs = parser.header();
  const infos = new Map<string, Info>();
  try {
    for (const [name, json] of pairs) if (name !== "__metadata__") infos.set(name, info_of(json));
  } catch (error) {
    if (error instanceof ValueProblem) parser.error(error.message);
    throw error;
  }
  parser.end();
  return check_layout(infos, data_length);
}
