/** @file Programs on a small heap that sweeps all the time: what the library gives is what lies in memory, whoever holds it. */
import * as fc from "fast-check";
import torch from "glasstorch";
import { beforeAll, expect, test } from "vitest";
import { cpu_heap, heap_is_shared, heap_memory, set_heap_options } from "#c10/core/CPUHeap";
import { storage_program } from "../../helpers/storage_program.ts";

type Tensor = InstanceType<typeof torch.Tensor>;

beforeAll(() => set_heap_options({ stress: true, maximum: 8 * 2 ** 20 }));

const block_of = (x: Tensor) => x.cdata.impl_.storage().data_ptr().block;
const LARGE = 5000; // floats: a block of its own

test("a kernel's module finds the memory that tensors lie in", () => {
  const x = torch.arange(LARGE, { dtype: torch.float32 });
  const memory = heap_memory() as WebAssembly.Memory;
  expect([block_of(x)?.in_heap, heap_is_shared()]).toEqual([true, true]);
  const address = x.cdata.impl_.storage().data_ptr().byteOffset + x.storage_offset() * 4;
  expect(new Float32Array(memory.buffer, address, 3).join()).toBe("0,1,2");
  expect(x.cdata.data_offset() * 4).toBe(address);
  expect(memory.buffer.byteLength).toBeGreaterThanOrEqual(address + LARGE * 4 + 64);
});

test("what numpy() shows has left the heap, and stays when no tensor is left", () => {
  const arrays = [100, LARGE].map((n) => {
    const x = torch.arange(n, { dtype: torch.float32 });
    const [view, address] = [x.narrow(0, 1, 2), x.data_ptr()];
    expect(block_of(x)?.in_heap).toBe(true);
    const array = x.numpy() as Float32Array;
    expect([block_of(x)?.in_heap, x.data_ptr(), view.data_ptr()]).toEqual([false, address, address + 4]);
    expect(array.buffer).toBeInstanceOf(ArrayBuffer);
    view.fill_(7); // tensors and array are one memory, as before
    array[3] = 9;
    expect([x.at(3).item(), array[1], array[2]]).toEqual([9, 7, 7]);
    expect(x.numpy().buffer).toBe(array.buffer);
    return array;
  });
  for (let i = 0; i < 50; i++) torch.full([LARGE], -1);
  for (const array of arrays) expect([...array.subarray(0, 5)]).toEqual([0, 7, 7, 9, 4]);
});

test("a copy that numpy() has to make is the caller's, too", () => {
  const array = torch
    .arange(LARGE * 2, { dtype: torch.float32 })
    .view(LARGE, 2)
    .t()
    .numpy();
  for (let i = 0; i < 50; i++) torch.full([LARGE * 2], -1);
  expect([...array.subarray(0, 3)]).toEqual([0, 2, 4]);
});

test("bytes() shows a storage's bytes for good; printing and reading them leaves it where it is", () => {
  const x = torch.arange(LARGE, { dtype: torch.int32 });
  const storage = x.untyped_storage();
  expect([storage.at(4), storage.tolist().length, String(storage).length > 0]).toEqual([1, LARGE * 4, true]);
  expect([x.at(1).item(), block_of(x)?.in_heap]).toEqual([1, true]);
  const bytes = storage.bytes();
  expect([block_of(x)?.in_heap, bytes.buffer instanceof ArrayBuffer]).toEqual([false, true]);
  x.fill_(5);
  expect(bytes[0]).toBe(5);
});

test("a function that moves the storage while apply_ walks over it writes to where it is", () => {
  const x = torch.zeros(LARGE);
  let array: ArrayLike<number | bigint> = [];
  x.apply_((value: number) => {
    if (array.length === 0) array = x.numpy() as Float32Array;
    return value + 1;
  });
  for (let i = 0; i < 20; i++) torch.full([LARGE], -1);
  expect(x.sum().item()).toBe(LARGE);
  expect(array[LARGE - 1]).toBe(1);
});

test("storage.resize_(0) frees at once", () => {
  const x = torch.ones(LARGE);
  const block = block_of(x);
  const before = torch.cpu.memory_stats()["allocation.all.current"];
  x.untyped_storage().resize_(0);
  expect([block?.in_heap, x.untyped_storage().nbytes(), x.data_ptr()]).toEqual([false, 0, 0]);
  expect(torch.cpu.memory_stats()["allocation.all.current"]).toBe(before - 1);
});

test("a caller's memory never enters", () => {
  const array = new Float32Array(LARGE);
  for (const x of [torch.from_numpy(array), torch.frombuffer(array, { dtype: torch.float32 })]) {
    expect(block_of(x)?.in_heap).toBe(false);
    expect(block_of(x)?.buffer).toBe(array.buffer);
  }
});

test("when the heap is full ArrayBuffers take over", () => {
  cpu_heap()?.sweep();
  const before = torch.cpu.memory_stats();
  const tensors = Array.from({ length: 12 }, (_, i) => torch.full([2 ** 18], i)); // 12 MB
  const inside = tensors.filter((x) => block_of(x)?.in_heap === true).length;
  expect(inside).toBeGreaterThan(0); // the more threads there are, the more room their kernels have taken
  expect(inside).toBeLessThan(8);
  expect(torch.cpu.memory_stats()["num_fallbacks"] - before["num_fallbacks"]).toBe(12 - inside);
  const sum = tensors.reduce((a, b) => a.add(b));
  expect([sum.at(0).item(), sum.at(2 ** 18 - 1).item(), cpu_heap()?.checkInvariants()]).toEqual([66, 66, undefined]);
});

/** More of it: see CPUHeap.test.ts. 20,000 take ten minutes. */
const numRuns = Number(process.env["GLASSTORCH_HEAP_RUNS"] ?? "40");
const timeout = Math.max(120_000, 100 * numRuns);

test("programs that make, view, change, resize, show and drop tensors find every byte as they left it", {
  timeout,
}, () => {
  fc.assert(
    fc.property(storage_program, (run) => run()),
    { numRuns },
  );
  cpu_heap()?.checkInvariants();
});
