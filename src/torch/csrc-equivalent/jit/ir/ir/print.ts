/**
 * @file The text of a graph.
 * @mirrors torch/csrc/jit/ir/ir.cpp#Graph::print
 *
 * Note [Text of a graph]
 * ~~~~~~~~~~~~~~~~~~~~~~
 *     graph(%x : Tensor,                                the second and later inputs are indented by six
 *           %n : int):
 *       %2 : int = prim::Constant[value=3]()            attributes in the order in which they were set
 *        = prim::Print(%n)                              a node without outputs keeps the sign
 *       %y : Tensor = prim::DifferentiableGraph_0(%x)   a subgraph follows behind the graph, numbered as it was met
 *       return (%y)
 *     with prim::DifferentiableGraph_0 = graph(...)
 */

import { print as print_tensor } from "#aten/core/Formatting";
import { IValue, printDouble } from "#aten/core/ivalue";
import { type_of } from "#aten/core/ivalue.impl";
import { repr } from "#aten/core/ivalue_repr";
import { print_type } from "#aten/core/type";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { type AttributeValue, max_tensor_display_size } from "../attributes.ts";
import type { Graph } from "./graph.ts";
import type { Node } from "./node.ts";
import type { Value } from "./value.ts";

function values(list: readonly Value[]): string {
  return list.map((value) => `%${value.debugName()}`).join(", ");
}

function values_with_types(list: readonly Value[], delimiter = ", "): string {
  return list.map((value) => `%${value.debugName()} : ${print_type(value.type())}`).join(delimiter);
}

/** A tensor of one element prints as the number in braces, a small one as text in one line. */
function printTensor(tensor: Tensor): string {
  if (tensor.numel() === 1) {
    const scalar = tensor.view([]).item();
    if (scalar.isFloatingPoint()) return `{${printDouble(scalar.toDouble())}}`;
    if (scalar.isComplex()) return `{(${printDouble(scalar.real())},${printDouble(scalar.imag())})}`;
    return `{${scalar.isBoolean() ? Number(scalar.toBool()) : scalar.toBigInt()}}`;
  }
  if (tensor.numel() > max_tensor_display_size) return "<Tensor>";
  // Messages name the class, `torch.FloatTensor`; a graph has the name of C++.
  return print_tensor(tensor)
    .replaceAll("\n", " ")
    .replace(/\[ torch\.(\w+)Tensor\{/, "[ CPU$1Type{");
}

function printIValue(value: IValue): string {
  return repr(value, (inner) => {
    if (inner.isTensor()) return printTensor(inner.toTensor());
    if (inner.isTensorList()) return "[<Tensors>]";
    if (inner.tag === "Object") return `object(${type_of(inner).repr_str()})`;
    return null;
  });
}

function printAttrValue(attribute: AttributeValue): string {
  const list = (items: readonly IValue[]): string => `[${items.map(printIValue).join(", ")}]`;
  switch (attribute.kind) {
    case "c":
      return printIValue(IValue.fromComplexDouble(attribute.value));
    case "cs":
      return list(attribute.value.map((item) => IValue.fromComplexDouble(item)));
    case "f":
      return printIValue(IValue.fromDouble(attribute.value));
    case "fs":
      return list(attribute.value.map((item) => IValue.fromDouble(item)));
    case "i":
      return String(attribute.value);
    case "is":
      return `[${attribute.value.join(", ")}]`;
    case "s":
      return printIValue(IValue.fromString(attribute.value));
    case "ss":
      return list(attribute.value.map((item) => IValue.fromString(item)));
    case "t":
      return printTensor(attribute.value);
    case "ts":
      return "[<Tensors>]";
    case "ival":
      return printIValue(attribute.value);
    case "g":
      return "<Graph>";
    case "gs":
      return "[<Graphs>]";
    case "ty":
      return print_type(attribute.value);
    case "tys":
      return `[${attribute.value.map(print_type).join(", ")}]`;
  }
}

function printAttributes(node: Node, ignore_subgraph = false): string {
  const names = node.attributeNames().filter((name) => !(ignore_subgraph && name === "Subgraph"));
  return `[${names.map((name) => `${name}=${printAttrValue(node.attribute(name))}`).join(", ")}]`;
}

/** The part of a node between the sign and the inputs; a subgraph is added to `groups`, if they are collected. */
function printKind(node: Node, groups: Node[] | null): string {
  if (node.kind() === "prim::PythonOp") {
    const { name, writeScalars } = node as Node & { name?(): string; writeScalars?(): string };
    return `^${name?.call(node) ?? ""}${printAttributes(node)}${writeScalars?.call(node) ?? ""}`;
  }
  if (groups === null || !node.hasAttribute("Subgraph"))
    return node.kind() + (node.hasAttributes() ? printAttributes(node) : "");
  const hidden = node.numAttributes() <= 1 || node.kind() === "prim::DifferentiableGraph";
  const text = `${node.kind()}_${groups.length}${hidden ? "" : printAttributes(node, true)}`;
  groups.push(node);
  return text;
}

function print(node: Node, level: number, groups: Node[] | null, print_source_ranges: boolean): string {
  const indent = "  ".repeat(level);
  let out = `${indent}${values_with_types(node.outputs())} = ${printKind(node, groups)}(${values(node.inputs())})`;
  const scope = node.scopeName();
  if (scope !== "") out += `, scope: ${scope}`;
  if (print_source_ranges) {
    const range = node.sourceRange();
    const place = (range.findSourceRangeThatGenerated() ?? range).file_line_col();
    if (place !== null) out += ` # ${place.file}:${place.line}:${place.col}`;
  }
  out += "\n";
  for (const [i, block] of node.blocks().entries()) {
    out += `${indent}  block${i}(${values_with_types(block.inputs())}):\n`;
    for (const nested of block.nodes()) out += print(nested, level + 2, groups, true);
    out += `${indent}    -> (${values(block.outputs())})\n`;
  }
  return out;
}

/** The text of one node, as messages show it. */
export function printNode(node: Node): string {
  return print(node, 0, null, true);
}

export function printGraph(graph: Graph, print_source_ranges: boolean): string {
  const groups: Node[] = [];
  let out = `graph(${values_with_types(graph.inputs(), ",\n      ")}):\n`;
  for (const node of graph.nodes()) out += print(node, 1, groups, print_source_ranges);
  out += `  return (${values(graph.outputs())})\n`;
  for (const [i, node] of groups.entries()) out += `with ${node.kind()}_${i} = ${printGraph(node.g("Subgraph"), true)}`;
  return out;
}
