/**
 * @file A convolution and PyTorch's selection of its backend: the operators above it, the questions of `_select_conv_backend`, and how the arguments
 * of the call change the path.
 */
import { readFileSync } from "node:fs";
import torch from "glasstorch";
import type { Trace } from "glasstorch/trace";
import { params_of, select_conv_backend } from "#aten/native/Convolution/Params";
import { check, checkThrows, drawn, finish, recorded } from "./support/walkthrough.ts";

torch.manual_seed(0);
const threads = torch.get_num_threads();
torch.set_num_threads(1); // the selection depends on the number of threads

// ## Step 1. The way down
// `conv2d` turns a single image into a batch, `convolution` adds the flags of cuDNN, `_convolution` checks, selects a backend, and calls it.
const images = torch.randn([2, 3, 8, 8]);
const net = new torch.nn.Conv2d(3, 4, 3);
const forward = recorded("forward", "The path of torch.nn.Conv2d(3, 4, 3)(images)", () => net(images), {
  note: "images: float32 [2, 3, 8, 8]",
  quiet: true,
});
const called = (trace: Trace): string[] =>
  trace
    .ops()
    .flatMap((e) => (e.how === "call" && /conv/.test(e.op ?? "") ? [(e.op as string).replace("aten::", "")] : []));
check(called(forward), ["conv2d", "convolution", "_convolution", "mkldnn_convolution"]);
// `conv2d` is a composite, and the last two run below autograd. So autograd sees only `convolution`.
check(
  ["conv2d", "convolution", "_convolution", "mkldnn_convolution"].map((op) => forward.keysOf(`aten::${op}`).join(" ")),
  ["AutogradCPU", "AutogradCPU CPU", "CPU", "CPU"],
);
check(net(images).grad_fn?.name(), "ConvolutionBackward0");

// ## Step 2. The selection
// It computes nothing. It reads the sizes, dtype, device and parameters of the call, and names a backend.
// Ours: src/aten/native/Convolution/Params.ts#select_conv_backend     PyTorch: aten/src/ATen/native/Convolution.cpp
interface Call {
  readonly name: string;
  readonly input: readonly number[];
  readonly weight: readonly number[];
  readonly dtype?: "float32" | "float64" | "bfloat16";
  readonly stride?: number;
  readonly dilation?: number;
  readonly groups?: number;
  readonly transposed?: boolean;
}

const image = [1, 3, 8, 8];
const batch = [2, 3, 8, 8];
const kernel = [4, 3, 3, 3];
const calls: readonly Call[] = [
  { name: "two images", input: batch, weight: kernel },
  { name: "one small image", input: image, weight: kernel },
  { name: "one large image", input: [1, 3, 90, 90], weight: kernel },
  { name: "one image, kernel 5 by 5", input: image, weight: [4, 3, 5, 5] },
  { name: "one image, groups=3", input: image, weight: [6, 1, 3, 3], groups: 3 },
  { name: "two images, kernel 1 by 1", input: batch, weight: [4, 3, 1, 1] },
  { name: "the same, stride=2", input: batch, weight: [4, 3, 1, 1], stride: 2 },
  { name: "two images, float64", input: batch, weight: kernel, dtype: "float64" },
  { name: "float64, dilation=2", input: batch, weight: kernel, dtype: "float64", dilation: 2 },
  { name: "one small image, bfloat16", input: image, weight: kernel, dtype: "bfloat16" },
  { name: "transposed", input: batch, weight: [3, 4, 3, 3], transposed: true },
  { name: "transposed, float64", input: batch, weight: [3, 4, 3, 3], transposed: true, dtype: "float64" },
  { name: "volumes, float64", input: [2, 3, 8, 8, 8], weight: [4, 3, 3, 3, 3], dtype: "float64" },
  { name: "no image at all", input: [0, 3, 8, 8], weight: kernel },
];

/** The questions of the selection, in order, until the answer is known. */
function* questions(call: Call): Generator<readonly [question: string, answer: boolean]> {
  const { input, weight, dtype = "float32", stride = 1, dilation = 1, groups = 1, transposed = false } = call;
  const [n = 0, c = 0] = input;
  const [kh = 0, kw = 0] = weight.slice(-2);
  const none = n === 0 || c === 0;
  yield ["no image or no channel?", none];
  if (none) return;
  yield ["bfloat16?", dtype === "bfloat16"];
  if (dtype !== "bfloat16") {
    yield ["float32?", dtype === "float32"];
    const more_than_a_product = stride > 1 || dilation > 1 || n >= 16 || kh > 1 || kw > 1;
    if (dtype === "float32")
      yield ["a stride, dilation, 16 images or a kernel larger than 1 by 1?", more_than_a_product];
    const large = groups > 1 || (kh > 3 && kw > 3) || n > 1 || input.reduce((a, b) => a * b) > 20480;
    if (dtype === "float32" && more_than_a_product)
      yield ["groups, a kernel larger than 3 by 3, two images or 20480 elements?", large];
    if (dtype === "float32" && more_than_a_product && large) {
      yield ["transposed?", transposed];
      return;
    }
    yield ["five dims?", input.length === 5];
  }
  yield ["transposed?", transposed];
  if (!transposed && dtype !== "bfloat16") yield ["dilated?", dilation > 1];
}

/** The backend that follows from the answers. */
function expected(asked: ReadonlyMap<string, boolean>): string {
  const yes = (words: string): boolean => [...asked].some(([question, answer]) => answer && question.startsWith(words));
  if (yes("no image")) return "Empty";
  const transposed = yes("transposed") ? "Transpose" : "";
  if (yes("bfloat16") || yes("groups")) return `Mkldnn${transposed}`;
  return `Slow${transposed}${yes("dilated") ? "Dilated" : ""}${yes("five dims") ? 3 : 2}d`;
}

const reference = JSON.parse(readFileSync(new URL("./recorded/conv.json", import.meta.url), "utf8")) as {
  readonly torch: string;
  readonly backends: Readonly<Record<string, string | null>>;
};
check(reference.torch, "2.13.0");
check(
  Object.keys(reference.backends),
  calls.map(({ name }) => name),
);

const ways = calls.map((call, i) => {
  const { name, stride = 1, dilation = 1, groups = 1, transposed = false } = call;
  const dtype = torch[call.dtype ?? "float32"];
  const [input, weight] = [torch.randn([...call.input], { dtype }), torch.randn([...call.weight], { dtype })];
  const each = (value: number): number[] => Array(call.input.length - 2).fill(value);
  const run = () =>
    torch.convolution(input, weight, null, each(stride), each(0), each(dilation), transposed, each(0), groups);
  const trace = recorded(`way_${i}`, `The path of ${name}`, run, { quiet: true });
  const params = params_of(weight.cdata, each(stride), each(0), each(dilation), transposed, each(0), groups);
  const backend = select_conv_backend(input.cdata, weight.cdata, params);
  const asked = [...questions(call)];
  // The questions, the selection and PyTorch lead to the same backend. Python has no name for one of the backends.
  check(backend, expected(new Map(asked)), name);
  check(reference.backends[name] ?? "MkldnnTranspose", backend, name);
  const stub = trace.events.find((e) => e.kind === "stub" && /conv/.test(e.name));
  return {
    name,
    input: call.input,
    weight: call.weight,
    dtype: call.dtype ?? "float32",
    asked,
    backend,
    way: called(trace),
    stub: stub?.name ?? "",
  };
});
const wayOf = (name: string) => ways.find((each) => each.name === name)?.way;
check(wayOf("two images"), ["convolution", "_convolution", "mkldnn_convolution"]);
check(wayOf("one small image"), ["convolution", "_convolution", "thnn_conv2d", "_slow_conv2d_forward"]);
check(wayOf("no image at all"), ["convolution", "_convolution"]); // nothing to compute
check(new Set(ways.map(({ backend }) => backend)).size, 7);
drawn(
  "ways",
  "The same call with other arguments: the selected backend, and the operators below `_convolution`",
  ways,
  [
    ...ways.map(
      ({ name, backend, way, stub }) =>
        ` ${name.padEnd(27)} ${backend.padEnd(16)} ${way.slice(2).join(" → ") || stub || "-"}`,
    ),
  ],
);

// ## Step 3. One dim is two
// There is no loop over one dim: a sequence becomes an image of height 1, and the result is made one-dimensional again.
const sequence = recorded("sequence", "The path of Conv1d(3, 4, 3)(sequence)", (made) => made(torch.ones([2, 3, 8])), {
  quiet: true,
  setup: () => new torch.nn.Conv1d(3, 4, 3),
});
const inner = sequence.ops("aten::mkldnn_convolution")[0];
check((inner?.inputs as { shape: number[] }[] | undefined)?.[0]?.shape, [2, 3, 1, 8]);
check(called(sequence), ["conv1d", "convolution", "_convolution", "mkldnn_convolution"]);

// ## Step 4. Refused before anything is selected
checkThrows(() => net(torch.randn([2, 5, 8, 8])), "to have 3 channels, but got 5 channels instead");
checkThrows(() => net(torch.randn([2, 3, 2, 8])), "Kernel size can't be greater than actual input size");

// ## Step 5. The way back selects again
// There is one node for all backends. Its operator makes the same selection and uses the backward function of the same backend.
const backward = recorded("backward", "Backward of the convolution", (made) => made.sum().backward(), {
  quiet: true,
  setup: () => net(images),
});
check(backward.nodes().includes("ConvolutionBackward0::apply"), true);
check(backward.keysOf("aten::convolution_backward"), ["AutogradCPU", "CPU"]);
torch.set_num_threads(threads);

finish({
  next: "npm run explain -- convolution",
  tableOf: torch._C._dispatch_dump_table,
  python: `
import torch
torch.set_num_threads(1)
x, w = torch.randn(2, 3, 8, 8), torch.randn(4, 3, 3, 3)
one, none = [1, 1], [0, 0]
def pick(x, w): return torch._C._select_conv_backend(x, w, None, one, none, one, False, none, 1)
print(pick(x, w), pick(x[:1], w), pick(x.double(), w.double()))
with torch.profiler.profile() as prof: torch.nn.Conv2d(3, 4, 3)(x)
print([e.name for e in prof.events()])
print(torch.__config__.show())        # USE_MKLDNN: whether oneDNN is built in`,
});
