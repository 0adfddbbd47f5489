/** A stub's table: which cell a call takes, and that the trace tells of that cell. */

import { spawnSync } from "node:child_process";
import torch from "glasstorch";
import { record, type TraceEvent } from "glasstorch/trace";
import { expect, test } from "vitest";
import {
  CPUCapability,
  choose_cpu_impl,
  DEFINE_DISPATCH,
  get_cpu_capability,
  REGISTER_ARCH_DISPATCH,
  REGISTER_DEFAULT_DISPATCH,
  REGISTER_DEVICE_DISPATCH,
  REGISTER_DISPATCH,
} from "../../../src/aten/native/DispatchStub.ts";
import { DeviceType } from "../../../src/c10/core/DeviceType.ts";
import { WITH_LIBRARY } from "../../../tools/module_loader/with_library.ts";

const { DEFAULT, SIMD128, RELAXED_SIMD } = CPUCapability;

/** In a process of its own, where the environment variable is `wanted`. */
function capability_of(wanted: string | undefined): string {
  const program = 'import torch from "glasstorch"; console.log(torch.backends.cpu.get_cpu_capability());';
  const env = { ...process.env, ATEN_CPU_CAPABILITY: wanted };
  const { stdout, stderr } = spawnSync(process.execPath, [...WITH_LIBRARY, "--input-type=module", "-e", program], {
    env,
    encoding: "utf8",
  });
  return `${stdout}${stderr.includes("ignoring invalid value") ? "warned" : ""}`.trim();
}

test("the machine's capability is chosen once; the environment may ask for less", { timeout: 60_000 }, () => {
  expect(get_cpu_capability()).toBe(get_cpu_capability());
  const best = capability_of(undefined);
  expect(["SIMD128", "RELAXED_SIMD"]).toContain(best);
  expect(capability_of("default")).toBe("DEFAULT");
  expect(capability_of("avx2")).toBe(`${best}\nwarned`);
});

test("the best registered kernel that the machine runs", () => {
  const sparse: string[] = [];
  sparse[DEFAULT] = "plain";
  sparse[RELAXED_SIMD] = "relaxed";
  expect([DEFAULT, SIMD128, RELAXED_SIMD].map((c) => choose_cpu_impl(sparse, c))).toEqual([
    "plain",
    "plain",
    "relaxed",
  ]);
  const full = ["plain", "simd", "relaxed"];
  expect([DEFAULT, SIMD128, RELAXED_SIMD].map((c) => choose_cpu_impl(full, c))).toEqual(full);
  expect(choose_cpu_impl([], RELAXED_SIMD)).toBe(null);
});

const machine = Object.keys(CPUCapability)[get_cpu_capability()];

/** The fields of a stub's event that say which cell it took. */
function told(call: () => unknown): unknown[] {
  return record(call).events.map((e) => [e.kind, e.name, e["kernel"], e["device"], e["capability"]]);
}

test("a call takes the chosen cell of its device, and the trace names that cell", () => {
  const stub = DEFINE_DISPATCH<(x: number) => string>("road_stub");
  expect(() => stub.call(DeviceType.CPU, 1)).toThrow("DispatchStub: missing kernel for cpu (stub road_stub)");
  REGISTER_DISPATCH(stub, (x) => `cpu ${x}`, "plain_kernel");
  REGISTER_DEVICE_DISPATCH(stub, DeviceType.PrivateUse1, (x) => `other ${x}`, "other_kernel");
  expect([stub.call(DeviceType.CPU, 1), stub.call(DeviceType.PrivateUse1, 2)]).toEqual(["cpu 1", "other 2"]);
  expect(told(() => stub.call(DeviceType.CPU, 1))).toEqual([
    ["stub", "at::native::road_stub", "plain_kernel", "cpu", machine], // one text serves every capability
  ]);
  expect(told(() => stub.call(DeviceType.PrivateUse1, 1))).toEqual([
    ["stub", "at::native::road_stub", "other_kernel", "privateuseone", undefined],
  ]);
  REGISTER_ARCH_DISPATCH(stub, get_cpu_capability(), (x) => `own ${x}`, "own_kernel");
  expect(told(() => stub.call(DeviceType.CPU, 1))).toEqual([
    ["stub", "at::native::road_stub", "own_kernel", "cpu", machine],
  ]);
});

test("the error of a missing kernel names the stub and the operator's wrapper", () => {
  const stub = DEFINE_DISPATCH<(x: number) => string>("pier_stub");
  const wrapper_CPU_pier = (): string => stub.call(DeviceType.CPU, 1);
  expect(wrapper_CPU_pier).toThrow("DispatchStub: missing kernel for cpu (stub pier_stub, called by wrapper_CPU_pier)");
});

test("up to twelve arguments arrive, watched or not; a kernel that must have more is refused by its type", () => {
  type Twelve = [number, number, number, number, number, number, number, number, number, number, number, number];
  const stub = DEFINE_DISPATCH<(...args: Twelve) => number[]>("twelve_stub");
  REGISTER_DISPATCH(stub, (...args) => args, "twelve_kernel");
  const args: Twelve = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
  expect(stub.call(DeviceType.CPU, ...args)).toEqual(args);
  let watched: unknown;
  record(() => {
    watched = stub.call(DeviceType.CPU, ...args);
  });
  expect(watched).toEqual(args);
  // @ts-expect-error: the thirteenth argument would be dropped
  DEFINE_DISPATCH<(...args: [...Twelve, number]) => void>("thirteen_stub");
});

test("every stub of a real call names its capability", () => {
  const [x, weight] = [torch.ones([2]), torch.ones([1])];
  const stubs = record(() => torch.prelu(x, weight)).events.filter((e) => e.kind === "stub");
  expect(stubs.map((e) => [e["kernel"], e["device"], e["capability"]])).toEqual([["prelu_kernel", "cpu", machine]]);
});

test("a kernel in JavaScript says so on a machine that has more", () => {
  const stub = DEFINE_DISPATCH<(x: number) => string>("plain_stub");
  REGISTER_DEFAULT_DISPATCH(stub, (x) => `plain ${x}`, "plain_kernel");
  const [event] = record(() => stub.call(DeviceType.CPU, 1)).events;
  const why = machine === "DEFAULT" ? undefined : "no kernel with vectors";
  expect([event["kernel"], event["capability"], event["why"]]).toEqual(["plain_kernel", "DEFAULT", why]);
});

test.runIf(machine !== "DEFAULT")("who names another capability than DEFAULT has a loop that says what ran", () => {
  const [x, images] = [torch.rand([40, 40]), torch.rand([1, 2, 8, 8], { requires_grad: true })];
  const { functional: F } = torch.nn;
  const programs = [
    () => [
      x.sort(),
      x.topk(3),
      x.median(),
      x.std(),
      x.aminmax(),
      torch.cdist(x, x),
      x.masked_select(x.gt(0.5)),
      x.tril(),
    ],
    () => [
      torch.linalg.svd(x),
      torch.linalg.eigh(x),
      torch.linalg.qr(x),
      torch.linalg.solve(x, x),
      torch.matrix_exp(x),
    ],
    () =>
      F.max_pool2d(F.interpolate(images, { scale_factor: 2 }), 2)
        .sum()
        .backward(),
    () =>
      F.adaptive_avg_pool2d(F.pad(images, [1, 1, 1, 1], { mode: "reflect" }), 3)
        .sum()
        .backward(),
    () => F.cross_entropy(x.requires_grad_(), torch.arange(40)).backward(),
    () => [
      torch.rand([40]),
      torch.randn([40]),
      torch.randperm(40),
      torch.multinomial(torch.ones(40), 3),
      torch.linspace(0, 1, 9),
    ],
  ];
  for (const program of programs) {
    const trace = record(program);
    const loops = (event: TraceEvent): boolean => trace.children(event).some((e) => e.kind === "loop" || loops(e));
    const stubs = trace.events.filter((e) => e.kind === "stub" && e["capability"] !== "DEFAULT");
    expect(stubs.filter((stub) => !loops(stub)).map((stub) => stub["kernel"])).toEqual([]);
  }
});
