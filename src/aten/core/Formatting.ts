/**
 * @file Printing of a tensor in the form of C++, for messages.
 * @mirrors aten/src/ATen/core/Formatting.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { ScalarType } from "#c10/core/ScalarType";
import { format_exponent, format_fixed, format_general, format_shortest } from "#c10/util/format_float";

const LINE_SIZE = 80;

/** The format of the elements of one block: a common width and a common scale by which they are divided. */
interface Format {
  readonly scale: number;
  readonly width: number;
  readonly text: (x: number) => string;
}

const fixed = (x: number): string => format_fixed(x, 4);
const scientific = (x: number): string => format_exponent(x, 4);

/** Number of digits in front of the point. */
function digits(x: number): number {
  return x === 0 ? 1 : Math.floor(Math.log10(x)) + 1;
}

function __printFormat(values: readonly number[]): Format {
  const finite = values.filter(Number.isFinite);
  const least = finite.length === 0 ? 1 : digits(Math.min(...finite.map(Math.abs)));
  const most = finite.length === 0 ? 1 : digits(Math.max(...finite.map(Math.abs)));
  if (finite.every(Number.isInteger))
    return most > 9 ? { scale: 1, width: 11, text: scientific } : { scale: 1, width: most + 1, text: format_general };
  if (most - least > 4)
    return { scale: 1, width: Math.abs(most) > 99 || Math.abs(least) > 99 ? 12 : 11, text: scientific };
  if (most > 5 || most < 0) return { scale: Number(`1e${most - 1}`), width: 7, text: fixed };
  return { scale: 1, width: most === 0 ? 7 : most + 6, text: fixed };
}

function cell({ scale, width, text }: Format, x: number): string {
  return text(x / scale).padStart(width);
}

function printScale({ scale }: Format): string {
  return scale === 1 ? "" : `${format_shortest(scale)} *\n`;
}

function __printMatrix(values: readonly number[], rows: number, columns: number, indent: number): string {
  const format = __printFormat(values);
  const margin = " ".repeat(indent);
  const per_line = Math.trunc((LINE_SIZE - indent) / (format.width + 1));
  let printed = "";
  for (let first = 0; first < columns; first += per_line) {
    const last = Math.min(first + per_line, columns);
    if (per_line < columns) printed += `${first === 0 ? "" : "\n"}Columns ${first + 1} to ${last}${margin}`;
    if (format.scale !== 1) printed += printScale(format) + margin;
    for (let row = 0; row < rows; row++) {
      const line = values.slice(row * columns + first, row * columns + last).map((x) => cell(format, x));
      printed += `${line.join(" ")}\n`;
      if (row < rows - 1) printed += format.scale === 1 ? margin : `${margin} `;
    }
  }
  return printed;
}

/** Prints matrix after matrix; among the leading dims, the first one varies fastest. */
function __printTensor(values: readonly number[], sizes: readonly number[]): string {
  const outer = sizes.slice(0, -2);
  const [rows, columns] = sizes.slice(-2) as [number, number];
  const matrices = outer.reduce((n, size) => n * size, 1);
  const printed: string[] = [];
  for (let i = 0; i < matrices; i++) {
    let rest = i;
    const counter = outer.map((size) => {
      const at = rest % size;
      rest = Math.trunc(rest / size);
      return at;
    });
    const place = counter.reduce((at, index, d) => at * outer[d] + index, 0);
    const block = values.slice(place * rows * columns, (place + 1) * rows * columns);
    printed.push(`(${counter.map((at) => `${at + 1},`).join("")}.,.) = \n${__printMatrix(block, rows, columns, 1)}`);
  }
  return printed.join("\n");
}

/** Prints the elements, then type and sizes in brackets. */
export function print(tensor_: Tensor, type_name = tensor_.toString()): string {
  const tensor = tensor_.to_device(Device.of(DeviceType.CPU), ScalarType.Double).contiguous();
  const begin = tensor.data_offset();
  const values = Array.from(tensor.data_view().slice(begin, begin + tensor.numel()), Number);
  const sizes = tensor.sizes();
  let printed = "";
  if (sizes.length === 0) printed = `${format_shortest(values[0])}\n`;
  else if (sizes.length === 1 && values.length > 0) {
    const format = __printFormat(values);
    printed = printScale(format) + values.map((x) => `${cell(format, x)}\n`).join("");
  } else if (sizes.length === 2 && values.length > 0) printed = __printMatrix(values, sizes[0], sizes[1], 0);
  else if (values.length > 0) printed = __printTensor(values, sizes);
  return `${printed}[ ${type_name}{${sizes.join(",")}} ]`;
}
