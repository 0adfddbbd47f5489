/**
 * @file How the gradient of an operator is written down, and the TorchScript text that is made of it.
 * @mirrors torch/csrc/jit/runtime/symbolic_script.cpp
 * @differs PyTorch writes each function out; here only what differs between operators is written.
 *
 * The mechanism in miniature: `formula("exp(self)", "torch.exp(self)", "grad_output * result")` becomes
 *
 *     def exp(self):
 *         result = torch.exp(self)
 *         def backward(grad_output):
 *             return grad_output * result
 *         return result, backward
 *
 * The closure keeps what it reads: `result` here. Names of variables are PyTorch's, because a name of the user's program can be the same. The gradients stand in the order of the arguments;
 * None means that an argument gets none.
 */

/** Statements, one a line; a line may be indented. */
export interface Statements {
  /** Before the result is computed. */
  readonly before?: readonly string[];
  /** Behind it. */
  readonly after?: readonly string[];
  /** At the beginning of backward. */
  readonly backward?: readonly string[];
  /** The parameter of backward, if it is not one tensor. */
  readonly takes?: string;
  /** The name of the result. */
  readonly result?: string;
}

const indent = (lines: readonly string[], depth: number): string =>
  lines.map((line) => `${"    ".repeat(depth)}${line}\n`).join("");

/**
 * @param signature Name and parameters. `_0`, `_1` tell overloads apart.
 * @param value The result. If it is used later it gets the name `result`.
 * @param gradients The result of backward.
 */
export function formula(signature: string, value: string, gradients: string, statements: Statements = {}): string {
  const { before = [], after = [], backward = [], takes = "grad_output", result = "result" } = statements;
  const later = [...after, ...backward, gradients].join("\n");
  const uses_result = new RegExp(`\\b${result}\\b`);
  const named = uses_result.test(later) && !/^\w+(, \w+)*$/.test(value);
  return [
    `def ${signature}:\n`,
    indent(before, 1),
    named ? `    ${result} = ${value}\n` : "",
    indent(after, 1),
    `    def backward(${takes}):\n`,
    indent(backward, 2),
    `        return ${gradients}\n`,
    `    return ${named ? result : value}, backward\n`,
  ].join("");
}

/** An operator of one tensor. */
export function unary(name: string, gradient: string): string {
  return formula(`${name}(self)`, `torch.${name}(self)`, gradient);
}

/** An operator of a tensor and other arguments that get no gradients. */
export function with_options(name: string, parameters: readonly string[], gradient: string): string {
  const names = parameters.map((parameter) => parameter.split(":")[0].trim());
  const none = names.map(() => ", None").join("");
  return formula(
    `${name}(self, ${parameters.join(", ")})`,
    `torch.${name.replace(/_\d$/, "")}(self, ${names.join(", ")})`,
    `${gradient}${none}`,
  );
}

/**
 * An operator of `self` and `other`, which are broadcast: each gradient is summed to the size of its argument, if the result's differs.
 * @param gradients Argument and gradient, in the order in which they are computed.
 */
export function broadcast(
  signature: string,
  value: string,
  gradients: readonly (readonly ["self" | "other", string])[],
  { returns = "grad_self, grad_other", sizes = "AD_sizes_if_not_equal_multi_0" } = {},
): string {
  return formula(signature, value, returns, {
    after: [`self_size, other_size = ${sizes}(self, other, result)`],
    backward: gradients.map(([name, gradient]) => `grad_${name} = (${gradient})._grad_sum_to_size(${name}_size)`),
  });
}
