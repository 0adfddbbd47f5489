/**
 * @file The parser of a type in the text of a graph: it also knows tensor types with facts, `Float(2, *, strides=[3, 1], device=cpu)`.
 * @mirrors torch/csrc/jit/frontend/schema_type_parser.cpp
 */
import type { AliasInfo } from "#aten/core/alias_info";
import type { Type } from "#aten/core/jit_type";
import { SchemaTypeParser, type TypeLexer } from "#aten/core/schema_type_parser";
import { ErrorReport } from "#aten/core/source_range";
import { create_tensor_type } from "#aten/core/tensor_type";
import { UnionType } from "#aten/core/union_type";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { ScalarType } from "#c10/core/ScalarType";

/** Dtypes by the name that a tensor type begins with. */
const dtypes: ReadonlyMap<string, ScalarType> = new Map(
  Object.entries(ScalarType).filter(([name]) => name !== "Undefined" && name !== "NumOptions"),
);

/** Device types that may stand behind `device=`. */
const device_types: ReadonlyMap<string, DeviceType> = new Map<string, DeviceType>([
  ["cpu", DeviceType.CPU],
  ["cuda", DeviceType.CUDA],
  ["hpu", DeviceType.HPU],
]);

export class CompleteTypeParser extends SchemaTypeParser {
  constructor(L: TypeLexer) {
    super(L, true);
  }

  protected override parseUnsuffixed(): { type: Type; alias_info: AliasInfo | null } {
    const { L } = this;
    const name = L.cur().kind === "ident" ? L.cur().text() : "";
    if (dtypes.has(name)) return { type: this.parseRefinedTensor(), alias_info: this.parseAliasAnnotation() };
    if (name === "Union") {
      L.next();
      return { type: UnionType.create(this.parseTypes()), alias_info: null };
    }
    return super.parseUnsuffixed();
  }

  private parseRefinedTensor(): Type {
    const { L } = this;
    const dtype = dtypes.get(L.expect("ident").text()) as ScalarType;
    const dims: (number | null)[] = [];
    let strides: number[] | null = null;
    let device: Device | null = null;
    let requires_grad: boolean | null = null;
    this.parseList("(", ",", ")", () => {
      if (L.cur().kind === "ident" && L.cur().text() !== "SS") {
        const field = L.expect("ident").text();
        switch (field) {
          case "device": {
            const parsed = this.parseDeviceType();
            if (device !== null) throw new ErrorReport(L.cur().range, "'device' is specified twice");
            device = parsed;
            return;
          }
          case "requires_grad": {
            L.expect("=");
            const parsed = Number(L.expect("number").text()) !== 0;
            if (requires_grad !== null) throw new ErrorReport(L.cur().range, "'requires_grad' is specified twice");
            requires_grad = parsed;
            return;
          }
          case "strides":
            strides = this.parseStrides();
            return;
          default:
            throw new ErrorReport(L.cur().range, `Unexpected specifier '${field}'`);
        }
      }
      if (device !== null || requires_grad !== null) {
        throw new ErrorReport(
          L.cur().range,
          "'device' and 'requires_grad' should come after dimensions in the type specification",
        );
      }
      dims.push(this.parseDimension());
    });
    // TypeScript does not see that the callback assigned.
    const stated = strides as number[] | null;
    if (stated !== null && stated.length !== dims.length) {
      throw new ErrorReport(L.cur().range, "Strides info is specified for some but not for all dimensions");
    }
    return create_tensor_type(dtype, device, dims, stated, requires_grad);
  }

  /** A number, `*`, or a symbol `SS(-1)`, which is as unknown. */
  private parseDimension(): number | null {
    const { L } = this;
    if (L.nextIf("*")) {
      if (L.cur().kind === ":") throw new ErrorReport(L.cur().range, "Strides for unsized ranks not supported");
      return null;
    }
    if (L.cur().kind !== "ident") return Number(L.expect("number").text());
    L.next();
    L.expect("(");
    L.expect("-");
    L.expect("number");
    L.expect(")");
    return null;
  }

  private parseStrides(): number[] {
    const strides: number[] = [];
    this.L.expect("=");
    this.parseList("[", ",", "]", () => strides.push(Number(this.L.expect("number").text())));
    return strides;
  }

  private parseDeviceType(): Device {
    const { L } = this;
    L.expect("=");
    const name = L.expect("ident").text();
    const type = device_types.get(name);
    if (type === undefined) throw new ErrorReport(L.cur().range, `cannot parse device type '${name}'\n`);
    if (type === DeviceType.CPU) return Device.of(type);
    if (!L.nextIf(":")) return Device.of(type);
    return new Device(type, Number(L.expect("number").text()));
  }
}
