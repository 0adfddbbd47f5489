/**
 * @file The server's reading of device memory: bytes of a segment are copied to a mappable buffer, and from there to the window.
 * @original cudaMemcpy copies straight to the host.
 */
import type { Protocol } from "../protocol.ts";
import type { Batch } from "./batch.ts";
import type { Fail } from "./kernels.ts";
import type { Segments } from "./segments.ts";

export interface Readback {
  /**
   * Adds the copy to the command buffer. Call the returned function after the submission: its promise resolves when the
   * bytes lie at `window` and failed assertions are reported.
   */
  read(segment: number, offset: number, nbytes: number, window: number): () => Promise<void>;
}

/** Makes the reader. Sent to workers as text: uses nothing from outside but its arguments. */
export function device_readback(
  device: GPUDevice,
  { PLACE, Failure }: Protocol,
  memory: ArrayBufferLike,
  segments: Segments,
  batch: Batch,
  fail: Fail,
): Readback {
  const [MAP_READ, COPY_DST] = [0x1, 0x8];
  const SMALL = 4096;
  const LARGE = PLACE.DOWN_CHUNK + PLACE.ASSERTION_NBYTES;
  const MOST_KEPT = 4;
  const pools: Record<number, GPUBuffer[]> = { [SMALL]: [], [LARGE]: [] };
  const window_bytes = new Uint8Array(memory);
  /** Submission up to which assertions were checked. */
  let looked = 0;

  const take = (size: number): GPUBuffer =>
    pools[size].pop() ?? device.createBuffer({ label: "readback", size, usage: MAP_READ | COPY_DST });

  const give = (size: number, staging: GPUBuffer): void => {
    staging.unmap();
    if (pools[size].length < MOST_KEPT) pools[size].push(staging);
    else staging.destroy();
  };

  /** Checks the four words of assertions: whether one failed, its number, and two that say where. */
  const look = (staging: GPUBuffer, at: number): void => {
    const [failed, assertion, index, limit] = new Uint32Array(staging.getMappedRange(at, PLACE.ASSERTION_NBYTES));
    if (failed !== 0) fail(Failure.ASSERTION, JSON.stringify({ assertion, index: index | 0, limit }));
  };

  return {
    read(segment, offset, nbytes, window) {
      const encoder = batch.encoder();
      const asserting = batch.last_touch(PLACE.ASSERTION_SEGMENT) > looked;
      const whole = Math.ceil(nbytes / 8) * 8; // a mapped range must begin at a multiple of 8
      const mapped = whole + (asserting ? PLACE.ASSERTION_NBYTES : 0);
      if (mapped === 0) return () => device.queue.onSubmittedWorkDone().then(() => undefined);
      const size = mapped <= SMALL ? SMALL : LARGE;
      const staging = take(size);
      if (nbytes > 0) encoder.copyBufferToBuffer(segments.buffer(segment), offset, staging, 0, nbytes);
      if (asserting) {
        const words = segments.buffer(PLACE.ASSERTION_SEGMENT);
        encoder.copyBufferToBuffer(words, 0, staging, whole, PLACE.ASSERTION_NBYTES);
        encoder.clearBuffer(words);
        looked = batch.number;
      }
      return async () => {
        await staging.mapAsync(1, 0, mapped);
        if (nbytes > 0) window_bytes.set(new Uint8Array(staging.getMappedRange(0, nbytes)), window);
        if (asserting) look(staging, whole);
        give(size, staging);
      };
    },
  };
}
