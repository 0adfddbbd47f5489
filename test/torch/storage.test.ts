/** Typed storages, the sizes that the old constructor takes, and handles of hooks. */
import torch from "glasstorch";
import { expect, test } from "vitest";

test("a typed storage is a sequence over the tensor's memory", () => {
  const x = torch.tensor([1.5, 2.5, 3.5]);
  const storage = x.storage();
  expect([...storage]).toEqual([1.5, 2.5, 3.5]);
  expect(storage.__len__()).toBe(3);
  expect(storage.__getitem__(-1)).toBe(3.5);
  storage.__setitem__(0, 7.5);
  storage.__setitem__({ start: 1, stop: null, step: null }, 0.5);
  expect(x.tolist()).toEqual([7.5, 0.5, 0.5]);
  expect(() => storage.__getitem__(3)).toThrow("index 3 out of range for storage of size 3");
});

test("a typed storage goes where a storage goes, if its dtype is the tensor's", () => {
  const storage = torch.tensor([1.5, 2.5]).storage();
  expect(
    torch
      .empty([0])
      .set_(storage as never)
      .tolist(),
  ).toEqual([1.5, 2.5]);
  expect(() => torch.empty([0], { dtype: torch.float64 }).set_(storage as never)).toThrow(
    "Expected a Storage of type double or an UntypedStorage, but got type Float for argument 1 'storage'",
  );
});

test("a size is a size for the old constructor, and a list is data", () => {
  const x = torch.ones([2, 3]);
  expect([...new torch.Tensor(x.size()).shape]).toEqual([2, 3]);
  expect([...(x as unknown as { new: (size: unknown) => typeof x }).new(x.size()).shape]).toEqual([2, 3]);
  expect(new torch.Tensor([2, 3]).tolist()).toEqual([2, 3]);
});

test("the handle of a hook removes it at the end of its context, and holds the dictionary", () => {
  const net = new torch.nn.Linear(1, 1);
  const handle = net.register_forward_hook(() => undefined, { with_kwargs: false });
  expect(handle.hooks_dict_ref().size).toBe(1);
  handle.__enter__();
  handle.__exit__();
  expect(net._forward_hooks.size).toBe(0);
});

test("cudnn.flags puts the switches back", () => {
  const { cudnn } = torch.backends;
  cudnn.flags({ enabled: false }, () => expect(cudnn.enabled).toBe(false));
  expect(cudnn.enabled).toBe(true);
});

test("torch.ops says which operators there are", () => {
  expect("aten" in torch.ops).toBe(true);
  expect("add" in torch.ops.aten).toBe(true);
  expect("no_such_operator" in torch.ops.aten).toBe(false);
});
