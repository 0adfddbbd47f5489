/** Functions that the programs of distributions share. */
import torch from "glasstorch";
import type { Any } from "../../helpers/recorded.ts";
import type { Said } from "../../helpers/user_programs.ts";

/** A tensor of floats, as Python's literals with a point make it. */
export function floats(data: Any): Any {
  return torch.tensor(data, { dtype: torch.float32 });
}

/** Runs `what`; an error that PyTorch's program catches is said by its name and its text. */
export function said_or_error(say: Said["say"], what: () => void): void {
  try {
    what();
  } catch (error) {
    const { name, message } = error as Error;
    if (name !== "NotImplementedError" && name !== "ValueError") throw error;
    say(name, ...(message === "" ? [] : [message]));
  }
}
