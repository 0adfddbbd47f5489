/**
 * @file A process of its own that makes temporaries in one synchronous job, for the tests of the heap. Prints what they ask as JSON.
 *
 *     npx tsx test/helpers/heap_child.ts temporaries 100000    as many tensors of 1 MB, each touched and dropped
 *     npx tsx test/helpers/heap_child.ts array_buffers 100000  the same of plain ArrayBuffers
 *     npx tsx test/helpers/heap_child.ts training 10000        as many steps of a small model
 *     npx tsx test/helpers/heap_child.ts beside_objects 500    additions of 1 MB beside so many MB of the program's own objects
 */
import torch from "../../src/index.ts";

const PAGE_FLOATS = 1024;

/** Every page is written to once, as a kernel would. */
function touch(nbytes: number): void {
  const impl = torch.empty(nbytes / 4).cdata.unsafeGetTensorImpl();
  const [view, offset] = [impl.data_view(), impl.data_offset()];
  for (let i = 0; i < nbytes / 4; i += PAGE_FLOATS) view[offset + i] = 1;
}

function temporaries(n: number): object {
  const start = performance.now();
  for (let i = 0; i < n; i++) touch(2 ** 20);
  return { us_each: ((performance.now() - start) / n) * 1000 };
}

/** The program without the library's allocator: it shows how much memory the engine itself leaves unused. */
function array_buffers(n: number): object {
  for (let i = 0; i < n; i++) {
    const view = new Float32Array(new ArrayBuffer(2 ** 20));
    for (let at = 0; at < view.length; at += PAGE_FLOATS) view[at] = 1;
  }
  return {};
}

function training(n: number): object {
  const { nn } = torch;
  const model = new nn.Sequential(new nn.Linear(32, 64), new nn.ReLU(), new nn.Linear(64, 4));
  const optimizer = new torch.optim.SGD(model.parameters(), { lr: 0.01 });
  const [x, y] = [torch.randn(64, 32), torch.randn(64, 4)];
  const reserved: number[] = [];
  for (let i = 1; i <= n; i++) {
    optimizer.zero_grad();
    model(x).sub(y).pow(2).mean().backward();
    optimizer.step();
    if (i % (n / 5) === 0) reserved.push(torch.cpu.memory_stats()["reserved_bytes.all.current"]);
  }
  return { reserved };
}

function beside_objects(megabytes: number): object {
  const [x, y] = [torch.ones(2 ** 18), torch.ones(2 ** 18)];
  const additions = (): number => {
    const start = performance.now();
    for (let i = 0; i < 500; i++) x.add(y);
    return (performance.now() - start) * 2;
  };
  const us_alone = additions();
  const objects = Array.from({ length: megabytes * 10_000 }, (_, i) => ({ i, list: [i, i + 0.5] })); // about 100 bytes each
  additions();
  const us_beside = additions();
  return { us_alone, us_beside, objects: objects.length };
}

const [, , what, count] = process.argv;
const run = { temporaries, array_buffers, training, beside_objects }[what as "temporaries"];
const start = performance.now();
const told = run(Number(count));
const ms = performance.now() - start;
const rss_mb = Math.round(process.resourceUsage().maxRSS / 1024); // the most there was
console.log(JSON.stringify({ ...told, ms, rss_mb, ...torch.cpu.memory_stats() }));
