/**
 * @file C++ names with a constant value, available in every formula: `M_PI`, `kFloat`, `at::MemoryFormat::Preserve`.
 * @original In PyTorch they come from <cmath> and c10's headers.
 */
import { Layout } from "#c10/core/Layout";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { ScalarType } from "#c10/core/ScalarType";
import { base, DOUBLE, type FormulaType, INT, NOTHING } from "./formula_types.ts";
import type { Typed } from "./typed_formula.ts";

const NUMBERS: Readonly<Record<string, string>> = {
  M_PI: "Math.PI",
  M_E: "Math.E",
  M_LN2: "Math.LN2",
  M_LN10: "Math.LN10",
  M_LOG2E: "Math.LOG2E",
  M_LOG10E: "Math.LOG10E",
  M_SQRT2: "Math.SQRT2",
  M_SQRT1_2: "Math.SQRT1_2",
  M_2_SQRTPI: "1.1283791670955126",
  INFINITY: "Infinity",
  NAN: "NaN",
};
const REDUCTION: Readonly<Record<string, string>> = { None: "0", Mean: "1", Sum: "2" };
const ENUMS: Readonly<Record<string, object>> = { ScalarType, Layout, MemoryFormat };
/** `kFloat`, `c10::kJagged`, `at::MemoryFormat::Preserve`, `at::Reduction::Sum`, `std::nullopt`. */
export function constant(name: string): Typed | null {
  if (name in NUMBERS) return text(NUMBERS[name], DOUBLE);
  const plain = name.replace(/^(at|c10|std|torch)::/, "");
  if (plain === "nullopt") return text("null", NOTHING);
  const [class_ = "", member = ""] = plain.split("::");
  if (class_ === "Reduction" && member in REDUCTION) return text(REDUCTION[member], INT);
  if (class_ in ENUMS && member in ENUMS[class_]) return text(`${class_}.${member}`, base(class_), class_);
  if (/^k[A-Z]/.test(plain))
    for (const [enum_, values] of Object.entries(ENUMS))
      if (plain.slice(1) in values) return text(`${enum_}.${plain.slice(1)}`, base(enum_), enum_);
  return null;
}

function text(text_: string, type: FormulaType, imports: string | null = null): Typed {
  return { kind: "text", type, text: text_, imports };
}
