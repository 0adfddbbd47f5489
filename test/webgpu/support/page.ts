/**
 * @file Small programs by name, which the browser tests run in a page and in its workers. Bundled by the test.
 * @original
 */
import type { AttachServer } from "../../../src/c10/webgpu/AttachedHost.ts";
import type { WebGPUClient } from "../../../src/c10/webgpu/client.ts";
import { memory_of } from "../../../src/c10/webgpu/memory.ts";
import { PROTOCOL } from "../../../src/c10/webgpu/protocol.ts";
import { worker_script } from "../../../src/c10/webgpu/server/serve.ts";
import { get_device, open_device, set_client_options } from "../../../src/c10/webgpu/WebGPUFunctions.ts";
import { bytes_of, fill, launch_affine, MB, malloc, u32_of } from "./device.ts";

set_client_options({ total_memory: 64 * MB });

/** The error's words. */
function words(fn: () => unknown): string {
  try {
    return String(fn());
  } catch (error) {
    return (error as Error).message;
  }
}

function launches_and_reads(device: WebGPUClient): number[] {
  const x = malloc(device, 256);
  const seen: number[] = [];
  fill(device, x, 0);
  for (let i = 0; i < 5; i++) {
    for (let k = 0; k < 100; k++) launch_affine(device, x, x, 1, 1);
    seen.push(u32_of(device, x)[63]);
  }
  return seen;
}

function quantiles(fn: () => void): { p50: number; p95: number } {
  const times = Array.from({ length: 100 }, () => {
    const start = performance.now();
    fn();
    return performance.now() - start;
  }).sort((a, b) => a - b);
  return { p50: times[50], p95: times[95] };
}

const programs: Record<string, () => unknown> = {
  "launches and reads": () => launches_and_reads(get_device()),

  "temporaries under a limit": () => {
    const device = get_device();
    const old = malloc(device, MB);
    fill(device, old, 4711);
    let running = malloc(device, MB);
    fill(device, running, 0);
    for (let i = 0; i < 500; i++) {
      const next = malloc(device, MB);
      launch_affine(device, next, running, 1, 1, 64);
      running = next;
    }
    const { num_page_outs, reserved_bytes } = device.allocator.stats;
    return [u32_of(device, running)[63], u32_of(device, old)[1000], num_page_outs > 100, reserved_bytes.all.peak / MB];
  },

  errors: () => {
    const device = get_device();
    const x = malloc(device, 256);
    const kernel = {
      name: "test::bad",
      code: "@compute fn main() { oh no }",
      slots: 1,
      written: 1,
      workgroup_size: [1, 1, 1] as const,
    };
    device.launch.begin();
    device.launch.operand(x, 0, 256, 2);
    device.launch.run(device.register(kernel), 1, 1, 1, 0);
    const bad = words(() => device.synchronize("test"));
    const memory = words(() => device.allocate(2 ** 31));
    return [bad, memory, launches_and_reads(device)];
  },

  "a place that may not wait": async () => {
    const before = words(() => get_device());
    const device = await open_device();
    const x = malloc(device, 256);
    fill(device, x, 41);
    launch_affine(device, x, x, 1, 1);
    const item = words(() => bytes_of(device, x));
    const fetched = [...new Uint32Array((await device.fetch(x, 0, 8)).buffer)];
    return { before, item, fetched, can_wait: device.can_wait };
  },

  "a place that may not wait fetches tensors": async () => {
    const { default: torch } = await import("../../../src/webgpu.ts");
    const { init, fetch } = await import("../../../src/torch/webgpu/index.ts");
    await init();
    const x = torch.tensor([1, 2, 3, 4]).reshape(2, 2).to("webgpu");
    const fetched = await fetch(torch.add(x, 0.5).t());
    return [fetched.tolist(), String(fetched.device), words(() => x.tolist())];
  },

  /** As a program that the reader stops: it never ends. */
  "launches for ever": () => {
    const device = get_device();
    const x = malloc(device, MB);
    fill(device, x, 1);
    for (let i = 0; ; i++) {
      launch_affine(device, malloc(device, 1024), x, 1, 1, 256);
      if (i === 1000) postMessage({ name: "under way" });
    }
  },

  latency: () => {
    const device = get_device();
    const x = malloc(device, 16);
    fill(device, x, 1);
    const bytes = new Uint8Array(4);
    const read = (): void => device.copy_from_device(bytes, x, 0, "test");
    read();
    const launch_and_read = (): void => {
      launch_affine(device, x, x, 1, 1);
      read();
    };
    launch_and_read();
    device.synchronize("test");
    const start = performance.now();
    for (let i = 0; i < 2000; i++) launch_affine(device, x, x, 1, 1);
    const enqueue_us = ((performance.now() - start) / 2000) * 1000;
    return { read_ms: quantiles(read), launch_and_read_ms: quantiles(launch_and_read), enqueue_us };
  },

  addresses: () => {
    const device = get_device();
    const [a, b] = [device.allocate(100), device.allocate(100)];
    return [b.get() - a.get(), memory_of(b).nbytes];
  },
};

async function run(name: string): Promise<unknown> {
  try {
    if (!name.startsWith("a place")) await open_device();
    return await programs[name]();
  } catch (error) {
    return `threw ${(error as Error).stack}`;
  }
}

type Said = { readonly name: string } | unknown;

/** Starts this script as a worker, which runs `name`; what it says. With `server`, over a server that the page has. */
function in_worker(name: string, server?: Worker): { worker: Worker; said: Promise<Said> } {
  const script = (document.querySelector("script") as HTMLScriptElement).src;
  const worker = new Worker(script, { type: "module" });
  const said = new Promise<Said>((resolve) => {
    worker.onmessage = ({ data }) =>
      data?.attach === undefined ? resolve(data) : attach(server as Worker, data.attach);
    worker.onerror = (event) => resolve(`died: ${event.message}`);
  });
  worker.postMessage({ name, attached: server !== undefined });
  return { worker, said };
}

/** The page relays one message of a program; then program and server are alone with each other. */
function attach(server: Worker, memory: SharedArrayBuffer): void {
  server.postMessage({ memory, protocol: PROTOCOL, module: null });
}

/** Programs that share the page's server: one is stopped in the midst of it, and others follow. */
async function one_server_many_programs(): Promise<unknown> {
  const server = new Worker(URL.createObjectURL(new Blob([worker_script()], { type: "text/javascript" })));
  const first = await in_worker("launches and reads", server).said;
  const endless = in_worker("launches for ever", server);
  const under_way = await endless.said;
  endless.worker.terminate();
  const then = await in_worker("temporaries under a limit", server).said;
  return [first, under_way, then];
}

if (typeof document === "undefined") {
  globalThis.onmessage = async ({ data }: MessageEvent) => {
    const attach: AttachServer = (memory) => postMessage({ attach: memory });
    if (data.attached) Object.assign(globalThis, { __webgpu_server: attach });
    postMessage(await run(data.name));
  };
} else Object.assign(globalThis, { run, in_worker: (name: string) => in_worker(name).said, one_server_many_programs });
