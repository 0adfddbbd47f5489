/**
 * @file Where pytorch.org describes a function: a page of its own for each that docs/source/{torch,tensors,nn.functional}.md of PyTorch name.
 * @original
 */

/** Functions of `torch` that are described elsewhere, or nowhere (null). */
const elsewhere: Readonly<Record<string, string | null>> = {
  clamp_max: null,
  clamp_min: null,
  detach: "torch.Tensor.detach",
  dropout: "torch.nn.functional.dropout",
  fill: "torch.Tensor.fill_",
  index_put: "torch.Tensor.index_put_",
  is_inference: "torch.Tensor.is_inference",
  is_neg: null,
  is_same_size: null,
  log_softmax: "torch.nn.functional.log_softmax",
  masked_fill: "torch.Tensor.masked_fill",
  masked_scatter: "torch.Tensor.masked_scatter",
  new_empty_strided: null,
  prelu: "torch.nn.functional.prelu",
  relu: "torch.nn.functional.relu",
  rsub: null,
  scalar_tensor: null,
  split_with_sizes: null,
  threshold: "torch.nn.functional.threshold",
};

/** `torch.add`, `x.view`, `torch.nn.functional.linear` -> the page at the mirrored version, and what it is about. */
export function pytorchOrg(call: string): { readonly name: string; readonly url: string } | null {
  const own = call.replace(/^x\./, "torch.Tensor.");
  const short = own.slice(own.lastIndexOf(".") + 1);
  const name = Object.hasOwn(elsewhere, short) ? elsewhere[short] : own;
  return name == null ? null : { name, url: `https://docs.pytorch.org/docs/2.13/generated/${name}.html` };
}
