/**
 * @file Unpacks untrusted data up to a size limit: a few hundred kilobytes can unpack to gigabytes of one letter.
 * @original
 */

/** @throws {Error} if there are more than `most` bytes; no more than that is ever held */
export async function unpack(
  packed: Blob,
  format: "gzip" | "deflate-raw",
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = packed.stream().pipeThrough(new DecompressionStream(format)).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new RangeError(`unpacked, this is larger than ${Math.round(most / 1e6)} MB`);
    }
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
