/**
 * @file ldexp(x, y) = x * 2^y, without a kernel, made of operators.
 * @mirrors aten/src/ATen/native/BinaryOps.cpp
 */
import torch from "glasstorch";

type Tensor = ReturnType<typeof torch.tensor>;
type Library = InstanceType<typeof torch.library.Library>;

// In TypeScript 2 and 2.0 are the same number, and torch treats it as an int. torch.Float(2) is the float 2.0.
// torch.pow(a, b), torch.exp(b), a.mul(b), a.add(b) ...: as in Python.

/** Registers the function that computes "ldexp" in `library`. */
export function register(library: Library): void {
  // ex:begin(08.path)
  const ldexp = (self: Tensor, other: Tensor): Tensor => self.mul(torch.pow(torch.Float(2), other));
  library.impl("ldexp", ldexp, "CompositeImplicitAutograd");
  // ex:stub
  // library.impl("ldexp", (self: Tensor, _other: Tensor): Tensor => self.clone(), "CPU");
  // ex:end
}
