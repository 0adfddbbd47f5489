/**
 * @file The exercises with kernels on a device: every answer is judged as the simulator judges it, and the device is what ran it.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Launch } from "../../../tools/learn/checks/host.ts";
import { run } from "../../../tools/learn/checks/run.ts";
import { checkOf, hintOf } from "../../../tools/learn/feedback.ts";
import { DeviceCard, type OpenedDevice } from "../../../tools/learn/kernel/device.ts";
import { KernelError } from "../../../tools/learn/kernel/wgsl.ts";
import { deviceOfNode } from "../../../tools/learn/node/device.ts";
import { type Files, Folder } from "../../../tools/learn/node/folder.ts";
import { hostOf } from "../../../tools/learn/node/host.ts";
import { WORKSPACE, writeFiles } from "../../../tools/learn/node/workspace.ts";
import type { Report } from "../../../tools/learn/report.ts";

mkdirSync(WORKSPACE, { recursive: true });
const place = mkdtempSync(join(WORKSPACE, "device-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const device = (await deviceOfNode()) as OpenedDevice;

/** Where the compiler sees that some wait in vain, or the simulator that chance decides, the device does not run it. */
function ran_on({ failure }: Report): string {
  if (failure?.seen.startsWith("not all come") === true)
    return `nothing: the compiler of ${device.name} found an error`;
  if (failure !== null && /^a race|, and the memory of /.test(failure.seen))
    return "the simulator, which stopped at the error";
  return `${device.name} by WebGPU, races and reads by the simulator`;
}

function laid(name: string, files: Files): string {
  const path = join(place, name.replace(/\W/g, "-"));
  writeFiles(path, files, false);
  return path;
}

/** The result that a learner sees, without its words: which check, which hints, which line of the kernel. */
function verdict(folder: Folder, { passed, failure }: Report): unknown {
  if (failure === null) return { passed };
  return { passed, check: failure.check, hints: hintOf(checkOf(folder.exercise, failure), failure).seen };
}

describe.each(["15-wgsl-kernel", "16-workgroup"])("%s", (id) => {
  const folder = new Folder(id);
  const { mistakes } = folder.exercise;
  const answers: [name: string, files: Files][] = [
    ["stub", folder.stub],
    ["solution", folder.solution],
    ...mistakes.map(({ patch }): [string, Files] => [patch, folder.mistaken(patch)]),
  ];
  test.each(answers)("%s", async (name, files) => {
    const host = hostOf(folder, laid(`${id} ${name}`, files), null);
    const there = await run(folder.exercise, host);
    const here = await run(folder.exercise, { ...host, device: async () => "asked for" });
    expect(there.ran).toBe(ran_on(there));
    expect(here.ran).toBe("the simulator: asked for");
    expect(verdict(folder, there)).toEqual(verdict(folder, here));
    // A barrier that not all reach is found by the device's compiler already, in its words.
    if (there.failure?.seen.startsWith("not all come") !== true) expect(there.failure).toEqual(here.failure);
  });
});

const launches = (await import("../../../exercises/16-workgroup/calls.ts")).open().launches as Record<string, Launch>;
const solution = new Folder("16-workgroup").solution;

async function on_device(kernel: string, name: string, ...inputs: unknown[]): Promise<[Float32Array, DeviceCard]> {
  const card = new DeviceCard(device);
  const numbers = await card.run(() => launches[name](card, kernel, ...inputs));
  card.end();
  return [numbers, card];
}

test("the host's part runs until it needs an answer, and each of its steps is made once", async () => {
  const values = Float32Array.from({ length: 1000 }, (_, i) => i);
  const [numbers, card] = await on_device(solution.get("sum.wgsl") as string, "sum", { values });
  expect([...numbers]).toEqual([499500]);
  expect(card.dispatches).toBe(2);
  expect(card.buffers.length).toBe(5);
});

test("the device computes what it was told, right or wrong", async () => {
  const wrong = (solution.get("sum.wgsl") as string).replace("tile[me] = x[id.x]", "tile[me] = 2 * x[id.x]");
  const [numbers] = await on_device(wrong, "sum", { values: new Float32Array(64).fill(1) });
  expect([...numbers]).toEqual([128]);
});

test("what lies behind a buffer is seen on the device, too", async () => {
  const kernel = `@group(0) @binding(0) var<storage, read_write> out: array<f32>;
    @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3<u32>) { out[id.x] = 1; }`;
  const card = new DeviceCard(device);
  await card.run(() => card.dispatch(kernel, [card.createBuffer(12)], [1]));
  expect(card.buffers[0].strayed()).toBe(3);
  card.end();
});

test("an error of the compiler carries its line", async () => {
  const card = new DeviceCard(device);
  const bad = (solution.get("sum.wgsl") as string).replace("tile[me] = x[id.x]", "tile[me] = y[id.x]");
  const error = await card.compile(bad).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(KernelError);
  const { place: at, message } = error as KernelError;
  expect(bad.split("\n")[at.line - 1]).toContain("y[id.x]");
  expect(message).toContain("unresolved value 'y'");
});

test("what the device refuses is an error, and not a wrong number", async () => {
  const card = new DeviceCard(device);
  const kernel = `@group(0) @binding(0) var<storage, read> x: array<f32>;
    @group(0) @binding(1) var<storage, read_write> out: array<f32>;
    @compute @workgroup_size(1) fn main() { out[0] = x[0]; }`;
  const both = (): void => {
    const buffer = card.createBuffer(4);
    card.dispatch(kernel, [buffer, buffer], [1]);
  };
  await expect(card.run(both)).rejects.toThrow("usage");
});
