/**
 * @file The hint in the message of an error that a number without a fraction may have caused.
 * @original Python distinguishes `1.0` from `1`; JavaScript does not.
 *
 * Note [Whole numbers]
 * ~~~~~~~~~~~~~~~~~~~~
 * `torch.tensor([1.0, 2.0])` is an int64 tensor here, because JavaScript hands over 1 and 2. The error comes later, where only the dtype is seen,
 * and PyTorch's text cannot say why. Therefore a message that complains about int64 gets one more sentence, behind PyTorch's own, which stays
 * whole. `what()` of the error is PyTorch's text alone.
 */

export const WHOLE_NUMBER_HINT =
  "Hint: a number without a fraction is an int here; write `new torch.Float(1)` for 1.0, or give a dtype, such as `{ dtype: torch.float32 }`.";

/** Ends of messages in which int64 was found where a floating dtype is needed. */
const COMPLAINTS = [
  /dtype must be either a floating point or complex dtype\. Got: (?:Long|torch\.int64)$/,
  /^[Oo]nly Tensors of floating point (?:and complex )?dtype can require gradients$/,
  /result type \S+ can't be cast to the desired output type (?:Long|long|long int|torch\.int64)$/,
  /^std and var only support floating point and complex dtypes$/,
  /Expected a floating point or complex tensor as input\. Got (?:Long|torch\.int64)$/,
  /^"\w+" not implemented for 'Long'$/,
  /same dtype, but got\b.*\b(?:Long|long)\b/,
  /^expected (?:scalar type|dtype) \S+ (?:but found|for .* but got dtype) (?:Long|long|long int)$/i,
];

let enabled = true;

/** Whether messages get the hint. Programs that compare messages with PyTorch's switch it off. Returns the previous setting. */
export function set_hints(setting: boolean): boolean {
  const previous = enabled;
  enabled = setting;
  return previous;
}

/** Whether messages get the hint. */
export function hints_enabled(): boolean {
  return enabled;
}

/** The message, with the hint if it complains about int64. */
export function with_hint(message: string): string {
  if (!enabled || message.length > 400) return message;
  return COMPLAINTS.some((complaint) => complaint.test(message)) ? `${message}\n${WHOLE_NUMBER_HINT}` : message;
}

/** The message without the hint. */
export function without_hint(message: string): string {
  return message.endsWith(WHOLE_NUMBER_HINT) ? message.slice(0, -WHOLE_NUMBER_HINT.length - 1) : message;
}
