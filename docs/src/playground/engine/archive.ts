/**
 * @file The library's sources as one file: a table of paths and lengths, then the texts; packed with gzip, read as it arrives.
 * @original
 */

/** Path from the repository's root -> text. */
export type Texts = ReadonlyMap<string, string>;

/** The plain bytes; whoever writes the file packs them. */
export function joinTexts(texts: Texts): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const bodies = [...texts.values()].map((text) => encoder.encode(text));
  const table = encoder.encode(`${JSON.stringify([...texts.keys()].map((path, i) => [path, bodies[i]?.length]))}\n`);
  const bytes = new Uint8Array(bodies.reduce((sum, body) => sum + body.length, table.length));
  let at = 0;
  for (const part of [table, ...bodies]) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Gives each text as soon as all of it has arrived, in the order of the file. */
export async function* readTexts(packed: ReadableStream<BufferSource>): AsyncGenerator<readonly [string, string]> {
  const reader = (await unpacked(packed)).getReader();
  const decoder = new TextDecoder();
  let waiting: Uint8Array = new Uint8Array(0);
  let table: [string, number][] | null = null;
  let next = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    waiting = waiting.length === 0 ? value : concat(waiting, value);
    if (table === null) {
      const end = waiting.indexOf(10);
      if (end === -1) continue;
      table = JSON.parse(decoder.decode(waiting.subarray(0, end)));
      waiting = waiting.subarray(end + 1);
    }
    const files: [string, number][] = table as [string, number][];
    for (let entry = files[next]; entry !== undefined && entry[1] <= waiting.length; entry = files[++next]) {
      const text = decoder.decode(waiting.subarray(0, entry[1]));
      yield [entry[0], text];
      waiting = waiting.subarray(entry[1]);
    }
  }
  if (table === null || next < table.length) throw new Error("the library's sources ended too early; reload the page");
}

/** Some hosts send a `.gz` file as packed content, and the browser has unpacked it: the first two bytes tell. */
async function unpacked(packed: ReadableStream<BufferSource>): Promise<ReadableStream<Uint8Array>> {
  const source = packed.getReader();
  const first = (await source.read()).value as Uint8Array<ArrayBuffer> | undefined;
  const whole = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      if (first === undefined) controller.close();
      else controller.enqueue(first);
    },
    async pull(controller) {
      const { done, value } = await source.read();
      if (done) controller.close();
      else controller.enqueue(value as Uint8Array<ArrayBuffer>);
    },
  });
  return first?.[0] === 0x1f && first[1] === 0x8b ? whole.pipeThrough(new DecompressionStream("gzip")) : whole;
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
