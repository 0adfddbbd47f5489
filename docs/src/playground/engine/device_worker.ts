/**
 * @file The worker that owns the device: each message is the memory of another program.
 * @original
 */
import { serve_from } from "../../../../src/c10/webgpu/server/serve.ts";

let serveAnother: ((memory: SharedArrayBuffer) => void) | null = null;

addEventListener("message", ({ data }: MessageEvent<SharedArrayBuffer>) => {
  if (serveAnother === null) serveAnother = serve_from(data);
  else serveAnother(data);
});
