/**
 * @file Two functions whose values are right and whose backward raises an error. Repair them; do not change the values.
 * @original
 */
import type torch from "glasstorch";

type Tensor = ReturnType<typeof torch.tensor>;

/** e^x / (1 + the sum of e^x) */
export function soften(x: Tensor): Tensor {
  // ex:begin(12.soften)
  const y = x.exp();
  return y.div(y.sum().add(1));
  // ex:stub
  // const y = x.exp();
  // return y.div_(y.sum().add(1));
  // ex:end
}

/** x * buffer; afterwards the buffer is half of what it was. The caller keeps the buffer from call to call. */
export function decay(x: Tensor, buffer: Tensor): Tensor {
  // ex:begin(12.decay)
  const y = x.mul(buffer.clone());
  buffer.mul_(0.5);
  return y;
  // ex:stub
  // const y = x.mul(buffer);
  // buffer.mul_(0.5);
  // return y;
  // ex:end
}
