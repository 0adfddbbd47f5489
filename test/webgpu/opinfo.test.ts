/**
 * @file Samples of PyTorch's OpInfo, of every operator that the device has a kernel for: the device's results, memory and gradients are the CPU's,
 * and nothing falls back. One sample by dtype and form; `OPINFO_SAMPLES=all` takes all of them, of all other operators as well.
 * @original
 */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { close_device } from "../../src/c10/webgpu/WebGPUFunctions.ts";
import { cases_in_turn } from "../../tools/ci/turn.ts";
import { readFixture } from "../helpers/recorded.ts";
import { fallen_back } from "./support/both.ts";
import { FORMS, type Form, has_form, type Layout, type Recorded, sample_complaint } from "./support/samples.ts";

afterAll(close_device);

const folder = new URL("../fixtures/opinfo/", import.meta.url);
const yaml = new URL("../../src/aten/native/webgpu/webgpu_native_functions.yaml", import.meta.url);
const all = process.env["OPINFO_SAMPLES"] === "all";

type Entry = string | Readonly<Record<string, unknown>>;
const { supported, shared }: Record<"supported" | "shared", Entry[]> = parse(readFileSync(yaml, "utf8"));
const kernels = new Set(
  [...supported, ...shared].map((entry) => (typeof entry === "string" ? entry : Object.keys(entry)[0]).split(".")[0]),
);

/** OpInfo's name of what reaches an operator by another name. */
const CALLS: Readonly<Record<string, string>> = {
  "nn.functional.batch_norm": "native_batch_norm",
  "nn.functional.layer_norm": "native_layer_norm",
  "nn.functional.group_norm": "native_group_norm",
  "nn.functional.nll_loss": "nll_loss_forward",
  "nn.functional.conv1d": "convolution_overrideable",
  "nn.functional.conv2d": "convolution_overrideable",
  "nn.functional.conv3d": "convolution_overrideable",
  "nn.functional.conv_transpose1d": "convolution_overrideable",
  "nn.functional.conv_transpose2d": "convolution_overrideable",
  "nn.functional.conv_transpose3d": "convolution_overrideable",
  "nn.functional.max_pool1d": "max_pool2d_with_indices",
  "nn.functional.max_pool2d": "max_pool2d_with_indices",
  "nn.functional.max_pool3d": "max_pool3d_with_indices",
  "nn.functional.adaptive_avg_pool3d": "_adaptive_avg_pool3d",
  "nn.functional.adaptive_max_pool1d": "adaptive_max_pool2d",
  "nn.functional.avg_pool1d": "avg_pool2d",
  "nn.functional.adaptive_avg_pool2d": "_adaptive_avg_pool2d",
  "nn.functional.grid_sample": "grid_sampler_2d",
  "nn.functional.interpolate": "upsample_bilinear2d",
  "nn.functional.upsample_bilinear": "upsample_bilinear2d",
  "nn.functional.upsample_nearest": "upsample_nearest2d",
  "nn.functional.pad": "reflection_pad2d",
  "nn.functional.logsigmoid": "log_sigmoid_forward",
  "nn.functional.prelu": "_prelu_kernel",
  softmax: "_softmax",
  unique: "_unique2",
  log_softmax: "_log_softmax",
  __getitem__: "index",
  index_put: "_index_put_impl_",
  masked_fill: "masked_fill_",
};

/** `file`: OpInfo's name, and a variant. */
function has_kernel(file: string): boolean {
  const [name] = /^(?:nn\.functional\.|linalg\.|special\.)?[^.]+/.exec(file) as RegExpExecArray;
  const operator = CALLS[name] ?? name.replaceAll(/^(nn\.functional|special)\./g, "").replace("linalg.", "linalg_");
  return kernels.has(operator) && !COMPOSED.has(file);
}

/** With these arguments the operator is made of others. */
const COMPOSED: ReadonlySet<string> = new Set(["norm.nuc", "nn.functional.unfold", "nn.functional.interpolate.area"]);
/** Parts of some gradients, and forms of some operators, that run on the CPU. */
const FALL_BACK =
  /aten::(masked_scatter_|unfold_backward|_efficientzerotensor|scatter\.reduce|scatter\.value_reduce|scatter_reduce|scatter_\.reduce)/;

/** Samples that differ on the device, by dtype and form. */
const DIFFERS: Readonly<Record<string, RegExp>> = {
  native_layer_norm: /float16/, // as on CUDA, mean and deviation stay in float32
  native_batch_norm: /out/, // of what is not contiguous the CPU takes the mean from out=; of halves it rounds it before it moves the running one
  topk: /out/, // which of equal ones are among the first k: see by_elements
  kthvalue: /out/, // the same
  tensor_split: /./, // indices must be on the CPU
  double: /gradient/, // there are none
  "linalg.householder_product": /gradient/, // composed of products, whose sums are doubles on the CPU
  "linalg.lstsq": /result/, // a fallback's `out` is contiguous
};

const LAYOUTS: readonly Layout[] = ["recorded", "offset", "spread"];

function complaints_of(recorded: Recorded, forms: readonly Form[] = FORMS): string[] {
  const said: string[] = [];
  for (const [d, [dtype, samples]] of Object.entries(recorded.dtypes).entries()) {
    if (dtype === "float64") continue;
    for (const form of forms) {
      if (DIFFERS[recorded.name]?.test(`${dtype} ${form}`)) continue;
      // In place by every other dtype, into an out= by the rest.
      if (!all && form === (d % 2 === 0 ? "in place" : "out")) continue;
      for (const i of all ? samples.keys() : [(7 * d) % samples.length])
        for (const layout of all ? LAYOUTS : [LAYOUTS[d % LAYOUTS.length]]) {
          if (!has_form(recorded.name, samples[i], form, dtype)) continue;
          const complaint = sample_complaint(recorded.name, samples[i], form, layout, i);
          if (complaint !== null) said.push(`${dtype}, sample ${i}, ${form}, ${layout}: ${complaint}`);
        }
    }
  }
  return said;
}

const files = readdirSync(folder).map((file) => file.replace(".json.gz", ""));
const own = files.filter((name) => has_kernel(name));
const read = (name: string): Recorded => readFixture<Recorded>(new URL(`${name}.json.gz`, folder));

// A complete run of all checks takes a share of the operators, and another share for each commit.
test.each(cases_in_turn("operators on the device", own, 20))("%s", (name) => {
  expect(complaints_of(read(name))).toEqual([]);
  expect(fallen_back().filter((warning) => !FALL_BACK.test(warning))).toEqual([]);
});
// What falls back is given an `out` of the right shape as a new one, without the strides that the CPU's kernel would choose.
const others: readonly Form[] = ["result", "in place", "gradient"];
test.runIf(all).each(files.filter((name) => !own.includes(name)))("%s", (name) => {
  expect(complaints_of(read(name), others)).toEqual([]);
});
