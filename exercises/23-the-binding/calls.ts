/**
 * @file The calls: arguments are made of their descriptions, the learner's binding chooses, and the choice is put into words.
 * @original
 */
import torch from "glasstorch";
import type { Session, Yours } from "../../tools/learn/checks/host.ts";

/** A value as JSON: `{tensor: [1, 2]}`, `{float: 2}`, `{of: "Logged"}`; others stand for themselves. */
type Described = null | number | boolean | string | readonly number[] | Readonly<Record<string, unknown>>;

const input = { name: "input", type: "Tensor", none: false, keyword_only: false };
const out = { name: "out", type: "Tensor", none: true, default: null, keyword_only: true };

/** The signatures of clamp take bounds of one type, tensors or numbers. */
function clampOf(type: "Tensor" | "Number"): object {
  const bound = (name: string) => ({ name, type, none: true, default: null, keyword_only: false });
  const text = `(Tensor input, ${type} min = None, ${type} max = None, *, Tensor out = None)`;
  return { text, parameters: [input, bound("min"), bound("max"), out] };
}

const FUNCTIONS: Readonly<Record<string, readonly object[]>> = {
  clamp: [clampOf("Tensor"), clampOf("Number")],
  celu: [
    {
      text: "(Tensor input, Number alpha=1.0)",
      parameters: [input, { name: "alpha", type: "Number", none: false, default: torch.Float(1), keyword_only: false }],
    },
  ],
};

/** The operator behind a signature; with an output it is the `out` variant of the same signature. */
const OVERLOADS: Readonly<Record<string, readonly string[]>> = { clamp: ["clamp.Tensor", "clamp"], celu: ["celu"] };

/** Classes that take over calls, or leave them to others. */
function overridingClasses(NotImplemented: symbol): Readonly<Record<string, new () => object>> {
  const told = (
    by: string,
    name: string,
    types: readonly { name: string }[],
    args: readonly unknown[],
    kwargs: object,
  ) =>
    `${by}: torch.${name}, types [${types.map((type) => type.name).join(", ")}], ${args.length} arguments, keywords [${Object.keys(kwargs).join(", ")}]`;
  class Logged {
    static __torch_function__(name: string, types: never[], args: unknown[], kwargs: object): unknown {
      return told(this.name, name, types, args, kwargs);
    }
  }
  class Special extends Logged {}
  class Silent {
    static __torch_function__(): unknown {
      return NotImplemented;
    }
  }
  return { Logged, Special, Silent };
}

export function open(yours: Yours): Session {
  const classes = overridingClasses(yours["NotImplemented"]);
  const made = (value: Described): unknown => {
    if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
    const fields = value as Readonly<Record<string, unknown>>;
    if ("tensor" in fields) {
      const tensor = torch.tensor(fields["tensor"] as number[], {
        dtype: torch[(fields["dtype"] ?? "float32") as "float32"],
      });
      return fields["requires_grad"] === true ? tensor.requires_grad_() : tensor;
    }
    return "float" in fields ? torch.Float(fields["float"] as number) : new classes[fields["of"] as string]();
  };
  const worded = (value: unknown): string => {
    const type = yours["type_name"](value);
    if (type === "Tensor" || type === "NoneType") return type === "Tensor" ? "Tensor" : "None";
    return `${type} ${type === "bool" ? (value === true ? "True" : "False") : Number(value)}`;
  };
  const run = (name: string, args: Described[], kwargs: Record<string, Described>): unknown => {
    const call = {
      name,
      args: args.map(made),
      kwargs: Object.fromEntries(Object.entries(kwargs).map(([keyword, value]) => [keyword, made(value)])),
    };
    return yours["call_function"](
      FUNCTIONS[name],
      call,
      ({ overload, values }: { overload: number; values: unknown[] }) => {
        const toOut = name === "clamp" && values[3] !== null;
        const given = name === "clamp" && !toOut ? values.slice(0, 3) : values;
        const operator = (OVERLOADS[name] as string[])[overload] as string;
        const whole = !toOut ? operator : operator.includes(".") ? `${operator}_out` : `${operator}.out`;
        return `aten::${whole}(${given.map(worded).join(", ")})`;
      },
    );
  };
  return { calls: { "a call": { inputs: () => [], run } } };
}
