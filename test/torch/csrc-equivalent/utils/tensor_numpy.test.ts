import torch from "glasstorch";
import { expect, test } from "vitest";

test("from_numpy and numpy share memory both ways", () => {
  const array = new Float32Array([1.5, 2.5]);
  const x = torch.from_numpy(array);
  x.mul_(2);
  expect([...array]).toEqual([3, 5]);
  (x.numpy() as Float32Array)[0] = 7;
  expect(x.tolist()).toEqual([7, 5]);
});

test("a typed array keeps its dtype", () => {
  expect(torch.from_numpy(new BigInt64Array([1n])).dtype).toBe(torch.int64);
  expect(torch.tensor(new Uint8Array([1, 2])).dtype).toBe(torch.uint8);
  expect(() => torch.from_numpy(3 as never)).toThrow("expected np.ndarray (got int)");
});

test("frombuffer reads a range of bytes", () => {
  const buffer = new Float32Array([1, 2, 3]).buffer;
  expect(torch.frombuffer(buffer, { dtype: torch.float32, offset: 4 }).tolist()).toEqual([2, 3]);
  expect(torch.frombuffer(buffer, { dtype: torch.float32, count: 1 }).tolist()).toEqual([1]);
  const two = [torch.frombuffer(buffer, { dtype: torch.float32 }), torch.frombuffer(buffer, { dtype: torch.float32 })];
  two[0]?.fill_(9);
  expect(two[1]?.tolist()).toEqual([9, 9, 9]);
});

test("frombuffer's refusals are PyTorch's", () => {
  const bytes =
    (n: number, options: object = {}) =>
    () =>
      torch.frombuffer(new ArrayBuffer(n), { dtype: torch.float32, ...options });
  expect(bytes(7)).toThrow("buffer length (7 bytes) after offset (0 bytes) must be a multiple of element size (4)");
  expect(bytes(8, { offset: 8 })).toThrow(
    "offset (8 bytes) must be non-negative and no greater than buffer length (8 bytes) minus 1",
  );
  expect(bytes(8, { count: 3 })).toThrow(
    "requested buffer length (3 * 4 bytes) after offset (0 bytes) must not be greater than actual buffer length (8 bytes)",
  );
  expect(bytes(8, { count: 0 })).toThrow("both buffer length (8) and count (0) must not be 0");
  expect(() => torch.frombuffer([1] as never, { dtype: torch.int32 })).toThrow(
    "object does not implement Python buffer protocol.",
  );
});

test("numpy refuses what has a history or no host memory", () => {
  expect(() => torch.ones(2, { requires_grad: true }).numpy()).toThrow(
    "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.",
  );
  expect(() => torch.ones(2, { device: "meta" }).numpy()).toThrow("can't convert meta device type tensor to numpy.");
  expect([...(torch.ones(2, { requires_grad: true }).numpy({ force: true }) as Float32Array)]).toEqual([1, 1]);
});

test("storage: one address a storage, the tensor's at its offset", () => {
  const x = torch.arange(6, { dtype: torch.float32 });
  const y = x.__getitem__({ start: 2 });
  expect(y.untyped_storage()).toBe(x.untyped_storage());
  expect(y.data_ptr() - x.untyped_storage().data_ptr()).toBe(8);
  expect(x.untyped_storage().nbytes()).toBe(24);
  x.untyped_storage().bytes().fill(0);
  expect(x.tolist()).toEqual([0, 0, 0, 0, 0, 0]);
  expect(torch.empty(0).data_ptr()).toBe(0);
});
