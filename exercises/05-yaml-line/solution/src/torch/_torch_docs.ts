/** The operators of exercises. */
export interface TorchDocs {
  /**
   * `input * 2^other`.   `(*), (*) -> (*)`
   * @example torch.ldexp(torch.tensor([1.5]), torch.tensor([2])); // tensor([6.])
   */
  ldexp: Documented;
}
