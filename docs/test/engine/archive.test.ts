/**
 * @file The packed library, and back.
 * @original
 */
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { libraryTexts } from "../../site/library_archive.ts";
import { joinTexts, readTexts } from "../../src/playground/engine/archive.ts";
import { root } from "./tree.ts";

const { core: texts } = libraryTexts(root);

/** In pieces, as a network gives it. */
function stream(bytes: Uint8Array<ArrayBuffer>): ReadableStream<BufferSource> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, (at += 30_011)));
    },
  });
}

test("every text comes out as it went in, in order", async () => {
  const packed = new Uint8Array(gzipSync(joinTexts(texts), { level: 1 }));
  const read = new Map<string, string>();
  for await (const [path, text] of readTexts(stream(packed))) read.set(path, text);
  expect([...read.keys()]).toEqual([...texts.keys()]);
  for (const [path, text] of texts) expect(read.get(path) === text, path).toBe(true);
});

test("a host that unpacks on the way is understood", async () => {
  const read = new Map<string, string>();
  for await (const [path, text] of readTexts(
    stream(
      joinTexts(
        new Map([
          ["a", "1"],
          ["b", "2"],
        ]),
      ),
    ),
  ))
    read.set(path, text);
  expect([...read]).toEqual([
    ["a", "1"],
    ["b", "2"],
  ]);
});

test("an archive that was cut is refused", async () => {
  const packed = new Uint8Array(
    gzipSync(
      joinTexts(
        new Map([
          ["a", "1"],
          ["b", "2"],
        ]),
      ),
      { level: 1 },
    ),
  );
  const all = async () => {
    for await (const _ of readTexts(stream(packed.slice(0, -12)))) void _;
  };
  await expect(all()).rejects.toThrow();
});
