/**
 * @file The operator, called: the way of its call, its gradient, its shape on Meta, the promises of its schema.
 * @original
 */
import torch from "glasstorch";
import { record } from "glasstorch/trace";
import type { Tensor } from "#torch/_tensor";
import { FunctionSchema } from "../../codegen/function_schema.ts";
import { nameOf, type TheirOperator } from "../../pytorch/operators.ts";
import type { Answer } from "./gate.ts";

const SAYS = "way, gradient, shape on Meta and promises are right";

export async function runs(base: string, theirs: readonly TheirOperator[]): Promise<Answer> {
  const functional = theirs.find((each) => !/out|_$|_\./.test(nameOf(each)));
  const wrong = functional === undefined ? [] : called(base, functional);
  return { id: "22.runs", says: SAYS, wrong, ours: "src/torch/_library/opcheck.ts", pytorch: "torch/library.py" };
}

function called(base: string, { func }: TheirOperator): string[] {
  const schema = FunctionSchema.parse(func);
  const overload = schema.name.overload_name || "default";
  const op = torch.ops["aten"][base][overload];
  const made = (device: string, requires_grad: boolean): unknown[] | null => sample(schema, device, requires_grad);
  const inputs = made("cpu", true);
  if (inputs === null) return [];
  const wrong: string[] = [];
  const tell = (what: string, run: () => string | null): void => {
    try {
      const said = run();
      if (said !== null) wrong.push(`${what}: ${said}`);
    } catch (error) {
      wrong.push(`${what}: ${(error as Error).message.split("\n")[0]}`);
    }
  };
  let shape: readonly number[] = [];
  tell("the way of the call", () => {
    let result: Tensor | null = null;
    const trace = record(() => {
      result = op(...inputs);
    });
    shape = (result as Tensor | null)?.shape ?? [];
    const keys = trace.events.filter((event) => event.op?.split(".")[0] === `aten::${base}`).map((event) => event.key);
    return keys[0] === "AutogradCPU" ? null : `it enters under ${keys.join(", ") || "no key"}, not AutogradCPU`;
  });
  tell("the gradient", () => {
    if (!(op(...inputs) as Tensor).requires_grad) return null;
    torch.autograd.gradcheck((...args: unknown[]) => op(...args), made("cpu", true) as Tensor[]);
    return null;
  });
  tell("on Meta", () => {
    const result = op(...(made("meta", false) as unknown[])) as Tensor;
    return String(result.shape) === String(shape) ? null : `shape [${result.shape}], on the CPU [${shape}]`;
  });
  tell("opcheck", () => {
    const results = torch.library.opcheck(op, inputs, {}, { raise_exception: false, test_utils: ["test_schema"] });
    const [result] = Object.values(results as Record<string, string | Error>);
    return result === "SUCCESS" ? null : String((result as Error).message ?? result).split("\n")[0];
  });
  return wrong;
}

/** Arguments without a default, where they are tensors and numbers; null if there are others. */
function sample({ arguments: args }: FunctionSchema, device: string, requires_grad: boolean): unknown[] | null {
  const values: unknown[] = [];
  for (const { type, default: given } of args.flat_non_out) {
    if (given !== null) break;
    const text = String(type);
    const k = values.length;
    if (text === "Tensor") {
      const numbers = [0.3, 0.7, 1.2, 0.9, 0.45, 1.6].map((n) => n + 0.11 * k);
      const x = torch.tensor(numbers, { dtype: torch.float64 }).view([2, 3]);
      values.push(device === "meta" ? x.to("meta") : x.requires_grad_(requires_grad));
    } else if (text === "Scalar" || text === "float") values.push(torch.Float(0.5));
    else if (text === "int") values.push(1);
    else if (text === "bool") values.push(true);
    else return null;
  }
  return values;
}
