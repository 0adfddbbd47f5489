/**
 * @file Padding modules of 1, 2 and 3 dimensions.
 * @mirrors torch/csrc/api/include/torch/nn/modules/padding.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { type EnumValue, enumtype } from "../../enum.ts";
import { pad } from "../functional/padding.ts";
import {
  ConstantPadOptions,
  PadFuncOptions,
  ReflectionPadOptions,
  ReplicationPadOptions,
  ZeroPadOptions,
} from "../options/padding.ts";
import { g, printed } from "./printed.ts";
import { type Stateless, stateless } from "./stateless.ts";

type SidesOptions = (typeof ReflectionPadOptions)[number];
type PadClass = Stateless<SidesOptions, [input: Tensor], Tensor>;
type PadMode = EnumValue<"kConstant" | "kReflect" | "kReplicate" | "kCircular">;

const sides =
  (name: string, mode: PadMode) =>
  (options_class: SidesOptions, i: number): PadClass =>
    stateless(
      `${name}${i + 1}d`,
      options_class,
      (input: Tensor, options) => pad(input, PadFuncOptions(options.padding()).mode(mode as typeof enumtype.kConstant)),
      (options) => printed(`${name}${i + 1}d`, [], { padding: options.padding() }),
    );
export const [ReflectionPad1d, ReflectionPad2d, ReflectionPad3d]: readonly PadClass[] = ReflectionPadOptions.map(
  sides("ReflectionPad", enumtype.kReflect),
);
export const [ReplicationPad1d, ReplicationPad2d, ReplicationPad3d]: readonly PadClass[] = ReplicationPadOptions.map(
  sides("ReplicationPad", enumtype.kReplicate),
);
export const [ZeroPad1d, ZeroPad2d, ZeroPad3d]: readonly PadClass[] = ZeroPadOptions.map(
  sides("ZeroPad", enumtype.kConstant),
);

type ConstantPadClass = Stateless<(typeof ConstantPadOptions)[number], [input: Tensor], Tensor>;
export const [ConstantPad1d, ConstantPad2d, ConstantPad3d]: readonly ConstantPadClass[] = ConstantPadOptions.map(
  (options_class, i) =>
    stateless(
      `ConstantPad${i + 1}d`,
      options_class,
      (input: Tensor, options) => pad(input, PadFuncOptions(options.padding()).value(options.value())),
      (options) => printed(`ConstantPad${i + 1}d`, [], { padding: options.padding(), value: g(options.value()) }),
    ),
);
