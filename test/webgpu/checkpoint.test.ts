/** Checkpoints of regions on the device: what is drawn and cast in forward is drawn and cast again. */
import { afterAll, expect, test } from "vitest";
import { close_device } from "../../src/c10/webgpu/WebGPUFunctions.ts";
import torch from "../../src/webgpu.ts";

afterAll(close_device);

const t = torch as Any;
// biome-ignore lint/suspicious/noExplicitAny: as a user writes it
type Any = any;
const { checkpoint, get_device_states, set_device_states, DefaultDeviceType } = t.utils.checkpoint;
const leaf = (): Any => torch.ones(64, { device: "webgpu" }).requires_grad_();

test.each([true, false])("dropout leaves out the same elements, with use_reentrant %s", (use_reentrant) => {
  torch.manual_seed(0);
  const x = leaf();
  const region = (a: Any) => torch.nn.functional.dropout(a.mul(3), 0.5);
  const out = checkpoint(region, x, { use_reentrant });
  const state = t.webgpu.get_rng_state();
  out.sum().backward();
  expect(x.grad.cpu().tolist()).toEqual(out.detach().cpu().tolist());
  expect(t.webgpu.get_rng_state().tolist()).toEqual(state.tolist());
});

test("the generator's state goes out and comes back", () => {
  const x = leaf();
  const [devices, states] = get_device_states(x, [x], 5);
  expect(devices).toEqual([0, 0]);
  const first = torch.rand(4, { device: "webgpu" }).cpu().tolist();
  set_device_states(devices, states, { device_type: "webgpu" });
  expect(torch.rand(4, { device: "webgpu" }).cpu().tolist()).toEqual(first);
  expect(DefaultDeviceType.get_device_type()).toBe("webgpu");
});
