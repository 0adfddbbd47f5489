/** The operators of exercises. */
export interface TorchDocs {
  /**
   * 0 below zero, 1 above it, `values` at it.   `(*), (*) -> (*)`
   * @example torch.heaviside(torch.tensor([-1.5, 0, 2]), torch.tensor([0.5])); // tensor([0.0000, 0.5000, 1.0000])
   */
  heaviside: Documented;
}
