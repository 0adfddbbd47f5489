/**
 * @file Finds devices of results: an operator's result is where its arguments are, unless an argument names a device.
 * @mirrors torch/csrc/jit/passes/device_type_analysis.cpp
 */
import type { Type } from "#aten/core/jit_type";
import { tensor_facts, with_facts } from "#aten/core/tensor_type";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { toIValue } from "../ir/constants.ts";
import type { Block, Graph, Node, Value } from "../ir/ir.ts";

const isTensor = (value: Value): boolean => value.type().kind() === "TensorType";
const deviceOf = (value: Value): Device | null => (isTensor(value) ? tensor_facts(value.type()).device : null);
const same = (a: Device | null, b: Device | null): boolean => a === b || (a !== null && b !== null && a.eq(b));

/** Returns whether the type changed. */
function setDevice(value: Value, device: Device | null): boolean {
  if (!isTensor(value) || same(deviceOf(value), device)) return false;
  value.setType(with_facts(value.type(), { device }));
  return true;
}

/** Devices of all results of these operators, whatever their arguments are. */
const fixed: ReadonlyMap<string, DeviceType> = new Map([
  ["aten::cpu", DeviceType.CPU],
  ["aten::cuda", DeviceType.CUDA],
]);

function isDeviceType(type: Type): boolean {
  return type.kind() === "DeviceObjType" || type.containedTypes().some(isDeviceType);
}

/** The device that an argument names; undefined if none does, null if it is known only when the graph runs. */
function namedDevice(node: Node): Device | null | undefined {
  for (const [i, arg] of (node.maybeSchema()?.arguments() ?? []).entries()) {
    if (!isDeviceType(arg.type())) continue;
    const value = toIValue(node.input(i));
    if (value === null) return null;
    if (value.tag === "Device") return Device.parse(String(value.payload));
  }
  return undefined;
}

/** The device that all tensors among the arguments share; null if it is not known of one of them. */
function commonDevice(node: Node): Device | null {
  const tensors = node.inputs().filter(isTensor);
  const first = tensors.length === 0 ? null : deviceOf(tensors[0]);
  return tensors.every((tensor) => same(deviceOf(tensor), first)) ? first : null;
}

function processOperator(node: Node): boolean {
  if (node.maybeSchema() === null) return false;
  const type = fixed.get(node.kind());
  const named = type === undefined ? namedDevice(node) : new Device(type);
  const device = named === undefined ? commonDevice(node) : named;
  if (device === null) return false;
  return node
    .outputs()
    .map((output) => setDevice(output, device))
    .some(Boolean);
}

function processIf(node: Node): boolean {
  const [then_block, else_block] = node.blocks();
  let changed = processBlock(then_block);
  changed = processBlock(else_block) || changed;
  for (const [i, output] of node.outputs().entries()) {
    const device = deviceOf(then_block.outputs()[i]);
    if (device !== null && same(device, deviceOf(else_block.outputs()[i])))
      changed = setDevice(output, device) || changed;
  }
  return changed;
}

/** A carried value has a device if it has it before the first round and after each. */
function processLoop(node: Node): boolean {
  const [body] = node.blocks();
  const carried = body.inputs().slice(1);
  let changed = false;
  for (const [i, value] of carried.entries()) changed = setDevice(value, deviceOf(node.input(i + 2))) || changed;
  for (let settled = false; !settled; ) {
    changed = processBlock(body) || changed;
    settled = true;
    for (const [i, value] of carried.entries()) {
      if (!isTensor(value) || deviceOf(value) === null || same(deviceOf(value), deviceOf(body.outputs()[i + 1])))
        continue;
      setDevice(value, null);
      settled = false;
    }
  }
  for (const [i, output] of node.outputs().entries()) {
    const device = deviceOf(carried[i]);
    if (device !== null) changed = setDevice(output, device) || changed;
  }
  return changed;
}

function processNode(node: Node): boolean {
  if (node.kind() === "prim::If") return processIf(node);
  if (node.kind() === "prim::Loop") return processLoop(node);
  return node.kind().startsWith("aten::") && processOperator(node);
}

function processBlock(block: Block): boolean {
  let changed = false;
  for (const node of block.nodes()) changed = processNode(node) || changed;
  return changed;
}

/** Returns whether a type changed. */
export function DeviceTypePropagation(graph: Graph): boolean {
  return processBlock(graph.block());
}
