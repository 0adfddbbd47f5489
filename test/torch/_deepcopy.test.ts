/** `torch.deepcopy`, which stands for Python's `copy.deepcopy`, and `torch.Size`. */
import torch from "glasstorch";
import { expect, test } from "vitest";

test("what is held twice stays one thing, and shares nothing with the original", () => {
  const net = new torch.nn.Linear(2, 2);
  const optimizer = new torch.optim.SGD(net.parameters(), { lr: 0.1, momentum: 0.9 });
  const copy = torch.deepcopy({ net, optimizer, sizes: [net.weight.shape], seen: new Map([["w", net.weight]]) });
  expect(copy.net.weight === net.weight).toBe(false);
  expect(copy.net.weight.tolist()).toEqual(net.weight.tolist());
  expect(copy.optimizer.param_groups[0].params[0] === copy.net.weight).toBe(true);
  expect(copy.seen.get("w") === copy.net.weight).toBe(true);
  copy.net(torch.ones(1, 2)).sum().backward();
  copy.optimizer.step();
  expect(copy.net.weight.tolist()).not.toEqual(net.weight.tolist());
});

test("objects keep their class; circles end; functions are shared", () => {
  class Node {
    value = [1];
    self: Node = this;
    act = Math.abs;
  }
  const node = new Node();
  const copy = torch.deepcopy(node);
  expect(copy).toBeInstanceOf(Node);
  expect([copy.self === copy, copy.value === node.value, copy.act === Math.abs]).toEqual([true, false, true]);
  const memo = new Map<unknown, unknown>();
  expect(torch.deepcopy(node, memo)).toBe(memo.get(node));
});

test("a size is an array of integers", () => {
  expect(torch.Size([2, 3])).toEqual([2, 3]);
  expect(torch.ones(2, 3).shape instanceof torch.Size).toBe(true);
  expect([1.5] instanceof torch.Size).toBe(false);
  expect(() => torch.Size([1.5])).toThrow("torch.Size() takes an iterable of 'int' (item 0 is 'float')");
});
