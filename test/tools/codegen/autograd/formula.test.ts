/**
 * @file Formulas from C++ to TypeScript: operators on tensors, overloads, literals, PyTorch's order, and what is refused.
 */
import { describe, expect, test } from "vitest";
import { parse_expression } from "../../../../tools/codegen/autograd/cpp_expression.ts";
import { condition_in_typescript, Formula, GRADIENTS } from "../../../../tools/codegen/autograd/formula.ts";
import {
  BOOL,
  base,
  DOUBLE,
  type FormulaType,
  INT,
  list_of,
  optional_of,
  SCALAR,
  STRING,
  show_type,
  TENSOR,
  type_of_typescript,
} from "../../../../tools/codegen/autograd/formula_types.ts";
import { CodegenError } from "../../../../tools/codegen/errors.ts";
import { own_scope } from "../../../../tools/oracle/count_formulas.ts";

const scope = own_scope();
const place = { file: "d.yaml", line: 7 };
const VARIABLES = new Map<string, FormulaType>([
  ...GRADIENTS,
  ["grad", TENSOR],
  ["self", TENSOR],
  ["other", TENSOR],
  ["result", TENSOR],
  ["alpha", SCALAR],
  ["dim", INT],
  ["p", DOUBLE],
  ["dims", list_of(INT)],
  ["sizes", list_of(INT)],
  ["keepdim", BOOL],
  ["dtype", optional_of(base("ScalarType"))],
  ["count", optional_of(INT)],
  ["mode", optional_of(STRING)],
  ["indices", list_of(optional_of(TENSOR))],
  ["grad_input_mask", list_of(BOOL)],
]);

function statements(text: string, wanted: FormulaType = TENSOR): string {
  const imports = { helpers: new Set<string>(), values: new Set<string>(), at: false };
  return new Formula({ text, place, field: "self" }, scope, VARIABLES, wanted).statements((v) => v, imports).join("\n");
}

function refusal(text: string, wanted: FormulaType = TENSOR): string {
  try {
    statements(text, wanted);
  } catch (error) {
    expect(error).toBeInstanceOf(CodegenError);
    return (error as CodegenError).message;
  }
  return "accepted";
}

describe("the overload follows from the arguments", () => {
  test.each([
    ["grad * other", "grad.mul_Tensor(other)"],
    ["grad * alpha", "grad.mul_Scalar(alpha)"],
    ["grad / 2", "grad.div_Scalar(Scalar.fromInt(2))"],
    ["grad.div(other)", "grad.div_Tensor(other)"],
    ['self.div(other, /*rounding_mode=*/"trunc")', 'self.div_Tensor_mode(other, "trunc")'],
    ["self.pow(2)", "self.pow_Tensor_Scalar(Scalar.fromInt(2))"],
    ["at::pow(2, self)", "at.pow_Scalar(Scalar.fromInt(2), self)"],
    ["-grad", "grad.neg()"],
    ["self >= 0", "self.ge_Scalar(Scalar.ZERO)"],
    ["self != other", "self.ne_Tensor(other)"],
    ["where(self < 0, grad, 0)", "at.where_ScalarOther(self.lt_Scalar(Scalar.ZERO), grad, Scalar.ZERO)"],
    ["where(self < 0, 0, grad)", "at.where_ScalarSelf(self.lt_Scalar(Scalar.ZERO), Scalar.ZERO, grad)"],
    ["grad.sum()", "grad.sum()"],
    ["grad.sum(dim, true)", "grad.sum_dim_IntList([dim], true)"],
    ["grad.sum(dims, keepdim)", "grad.sum_dim_IntList(dims, keepdim)"],
    ["grad.to(self.scalar_type())", "grad.to_dtype(self.scalar_type())"],
    ["grad.to(self.options())", "grad.to_dtype_layout(self.options())"],
    ["grad.transpose(1, 2)", "grad.transpose_int(1, 2)"],
    ["grad.masked_fill_(self > other, 0)", "grad.masked_fill__Scalar(self.gt_Tensor(other), Scalar.ZERO)"],
    ["grad.expand_symint(self.sym_sizes())", "grad.expand(self.sizes())"],
    ["grad.index(indices)", "grad.index_Tensor(indices)"],
    ["at::sum_to(grad, sizes)", "sum_to(grad, sizes)"],
    ["unsqueeze_to(grad, sizes)", "unsqueeze_to(grad, sizes)"],
    ["unsqueeze_to(grad, dim, sizes)", "unsqueeze_to_dim(grad, dim, sizes)"],
    ["unsqueeze_to(grad, dims, sizes)", "unsqueeze_to_dims(grad, dims, sizes)"],
  ])("%s", (text, printed) => {
    expect(statements(text)).toBe(printed);
  });
});

describe("literals become what the schema wants", () => {
  test.each([
    ["grad + 1", "grad.add_Scalar(Scalar.ONE)"],
    ["grad * 0.5", "grad.mul_Scalar(Scalar.fromDouble(0.5))"],
    ["grad * 2.", "grad.mul_Scalar(Scalar.fromDouble(2))"],
    ["-0.5 * grad", "grad.mul_Scalar(Scalar.fromDouble(-0.5))"],
    ["grad * (2 / 4)", "grad.mul_Scalar(Scalar.fromInt(Math.trunc(2 / 4)))"], // two ints divide to an int
    ["grad * (2.0 / sqrt(M_PI))", "grad.mul_Scalar(Scalar.fromDouble(2 / Math.sqrt(Math.PI)))"],
    ["grad * std::sqrt(2 * M_PI)", "grad.mul_Scalar(Scalar.fromDouble(Math.sqrt(2 * Math.PI)))"],
    ["grad * (keepdim ? 1 : 0.5)", "grad.mul_Scalar(Scalar.fromDouble(keepdim ? 1 : 0.5))"],
    ["grad * dim", "grad.mul_Scalar(Scalar.fromInt(dim))"],
    ["grad * p", "grad.mul_Scalar(Scalar.fromDouble(p))"],
    ["grad / self.numel()", "grad.div_Scalar(Scalar.fromInt(self.numel()))"],
    ["grad * (1.0 / alpha.toFloat())", "grad.mul_Scalar(Scalar.fromDouble(1 / alpha.toFloat()))"],
    ["maybe_multiply(grad, 1)", "maybe_multiply(grad, Scalar.ONE)"],
    ["at::zeros({}, grad.options())", "at.zeros([], grad.options())"],
    ["at::zeros({2, dim}, self.scalar_type())", "at.zeros([2, dim], new TensorOptions(self.scalar_type()))"],
    ["Tensor()", "new Tensor()"],
    ["grad * int64_t(p)", "grad.mul_Scalar(Scalar.fromInt(Math.trunc(p)))"],
    ["grad.contiguous(at::MemoryFormat::Contiguous)", "grad.contiguous(MemoryFormat.Contiguous)"],
    ["grad.to(kDouble)", "grad.to_dtype(ScalarType.Double)"],
  ])("%s", (text, printed) => {
    expect(statements(text)).toBe(printed);
  });
});

describe("optionals, lists, tuples", () => {
  test.each([
    ["count.has_value() ? grad * *count : grad", "count !== null ? grad.mul_Scalar(Scalar.fromInt(count)) : grad"],
    ["!count ? grad : grad * count.value()", "count === null ? grad : grad.mul_Scalar(Scalar.fromInt(count))"],
    ["grad * count.value_or(1)", "grad.mul_Scalar(Scalar.fromInt(count ?? 1))"],
    ['mode.has_value() && *mode == "floor" ? -grad : grad', 'mode !== null && mode === "floor" ? grad.neg() : grad'],
    ["grad.select(dim, sizes[0] - 1)", "grad.select_int(dim, sizes[0] - 1)"],
    ["grad.select(dim, sizes.back() - dim)", "grad.select_int(dim, sizes[sizes.length - 1] - dim)"],
    ["grads[1] * 2", "grads[1].mul_Scalar(Scalar.fromInt(2))"],
    ["std::get<0>(self.max(dim))", "self.max_dim(dim)[0]"],
  ])("%s", (text, printed) => {
    expect(statements(text)).toBe(printed);
  });

  test("a formula for two inputs gives a tuple", () => {
    const two: FormulaType = { kind: "tuple", elems: [TENSOR, TENSOR] };
    expect(statements("std::tuple<Tensor, Tensor>()", two)).toBe("[new Tensor(), new Tensor()]");
    expect(statements("clamp_backward_min_max(grad, self, other, other, grad_input_mask)", two)).toBe(
      "clamp_backward_min_max(grad, self, other, other, grad_input_mask)",
    );
    expect(statements("std::vector<Tensor>(2)", list_of(TENSOR))).toBe("new Array(2).fill(new Tensor())");
  });

  test("a condition is TypeScript's", () => {
    const condition = (text: string) =>
      condition_in_typescript({ text, place, field: "output_differentiability" }, scope, VARIABLES);
    expect(condition("!dtype || *dtype == kFloat")).toBe("dtype === null || dtype === ScalarType.Float");
    expect(condition("dim > 0 && !(keepdim || count)")).toBe("dim > 0 && !(keepdim || count !== null)");
  });
});

describe("PyTorch's order: arguments from the last to the first, the object before them", () => {
  test("both sides of an operator call operators", () => {
    expect(statements("grad.exp() * self.log()")).toBe(
      ["const arg_0 = self.log();", "const arg_1 = grad.exp();", "arg_1.mul_Tensor(arg_0)"].join("\n"),
    );
  });

  test("one side only: as it stands", () => {
    expect(statements("grad.exp() * self")).toBe("grad.exp().mul_Tensor(self)");
    expect(statements("grad * self.log().conj()")).toBe("grad.mul_Tensor(self.log().conj())");
  });

  test("a method's object, then its arguments", () => {
    expect(statements("grad.exp().masked_fill(self < 0, 0)")).toBe(
      "grad.exp().masked_fill_Scalar(self.lt_Scalar(Scalar.ZERO), Scalar.ZERO)",
    );
    expect(statements("grad.exp().addmm(self.t(), other.t())")).toBe(
      [
        "const object_0 = grad.exp();",
        "const arg_1 = other.t();",
        "const arg_2 = self.t();",
        "object_0.addmm(arg_2, arg_1)",
      ].join("\n"),
    );
  });

  test("a number on the left of '-' and '/' fills a tensor first", () => {
    expect(statements("1 - self.exp()")).toBe(
      [
        "const once_0 = self.exp();",
        "at.empty_like(once_0, TensorOptions.EMPTY, MemoryFormat.Preserve).fill__Scalar(Scalar.ONE).sub__Tensor(once_0)",
      ].join("\n"),
    );
  });

  test("only the chosen branch runs", () => {
    expect(statements("keepdim ? grad.exp() * self.log() : grad")).toBe(
      [
        "if (keepdim) {",
        "  const arg_0 = self.log();",
        "  const arg_1 = grad.exp();",
        "  arg_1.mul_Tensor(arg_0)",
        "} else {",
        "  grad",
        "}",
      ].join("\n"),
    );
  });
});

describe("refused, with the way out", () => {
  test.each([
    ["grad * otter", "unknown name 'otter'", "names in scope: grads"],
    ["grad.multiply_by(2)", "Tensor has no method 'multiply_by'", "native_functions.yaml"],
    ["grad.mul_Tensor(other)", "Tensor has no method 'mul_Tensor'", "write .mul(...)"],
    ["where_self(self, grad, other)", "no function 'where_self'", "write where(...)"],
    ["my_backward(grad)", "no function 'my_backward'", "FunctionsManual/index.ts"],
    [
      "pow_backward(grad, self)",
      "'pow_backward' takes 3 arguments, not 2",
      "pow_backward(Tensor grad, Tensor self, Scalar exponent)",
    ],
    ["pow_backward(grad, self, other)", "expects Scalar for 'exponent', not Tensor", "there is pow_backward"],
    ["grad.sum(dim, true, self, 1, 2)", "'sum' takes 0 or 1 or 2 or 3 arguments, not 5", "there is sum("],
    ["grad.transpose(1, 2.5)", "'transpose' expects int for 'dim1', not double", "there is transpose_int"],
    ["grad.mul(mode)", "'mul' does not take (string?)", "mul_Tensor(Tensor other) or mul_Scalar(Scalar other)"],
    ["2 / sqrt(M_PI)", "this is double, but the gradient of 'self' is Tensor", "at::scalar_tensor"],
    ["grad.mul(new Scalar(2))", "'new' cannot be used here", "a number is converted to a Scalar"],
    ["self ? grad : other", "Tensor is not a condition", "x.defined()"],
    ["keepdim ? grad : alpha", "one side of '?' is Tensor, the other Scalar", "the same type"],
    ["self.defined() === true ? grad : other", "'=", "compare with == and !="],
    ["grad * 'a'", "is not C++", "double quotes"],
    ["grad.size", "'size' is not called", "write .size()"],
    ["(grad", "the formula ends where ')' is expected", "C++ expression"],
    ["grad * _safe_size(sizes, dims)", "'mul' does not take (number)", "mul_Scalar"],
    ["self[0]", "Tensor cannot be indexed", ".select(dim, index)"],
    ["keepdim == 1 ? grad : other", "'==' between bool and int", "one type"],
    ["alpha + 1 == 2 ? grad : other", "'+' between Scalar and int", "FunctionsManual/index.ts"],
    ["std::accumulate(dims)", "no function 'std::accumulate'", "FunctionsManual/index.ts"],
  ])("%s", (text, message, way_out) => {
    const [what, way] = refusal(text).split("\n  way out: ") as [string, string];
    expect(what).toContain(`d.yaml:7: self: in '${text}': `);
    expect(what).toContain(message);
    expect(way).toContain(way_out);
  });

  test("a list where a tensor is wanted", () => {
    expect(refusal("to_args_sizes_symint(grads)")).toContain(
      "this is number[][], but the gradient of 'self' is Tensor",
    );
    expect(refusal("grad", list_of(TENSOR))).toBe("accepted"); // as with C++'s TensorList: one stands for a list of one
  });
});

test("the reader takes what C++ expressions formulas are made of", () => {
  for (const text of [
    "fmap(reverse_list(shifts), [](c10::SymInt i){return -i;})",
    "std::vector<c10::SymInt>(padding.size(), 0)",
    "::std::optional<Tensor>(at::f(self))",
    "bias->sym_sizes()",
    "-3.0 < self && self < 3.0",
    "a < b ? c : d ? e : f",
    "static_cast<double>(n) / 1e-3",
  ])
    expect(() => parse_expression(text), text).not.toThrow();
  expect(parse_expression("a - b - c * d")).toEqual(parse_expression("(a - b) - (c * d)"));
  expect(parse_expression("-a.f() * b")).toEqual(parse_expression("(-(a.f())) * b"));
  expect(parse_expression("a || b && c == d + 1")).toEqual(parse_expression("a || (b && (c == (d + 1)))"));
});

test("types of our own sources", () => {
  expect(show_type(type_of_typescript("readonly (Tensor | null)[]"))).toBe("Tensor?[]");
  expect(show_type(type_of_typescript("Tensor | Scalar | null"))).toBe("Tensor or Scalar?");
  expect(show_type(type_of_typescript("[Tensor, readonly number[]]"))).toBe("(Tensor, number[])");
  expect(show_type(type_of_typescript("readonly (readonly number[])[]"))).toBe("number[][]");
  expect(show_type(type_of_typescript("ReadonlyArray<Tensor>"))).toBe("Tensor[]");
});
