/**
 * @file A loaded value described as JSON, in the same form as in files_describe.py.
 * @original
 */
import torch from "glasstorch";
import { repr } from "#torch/_C";
import { Counter, OrderedDict } from "#torch/_collections";
import { Complex } from "#torch/_complex";
import type { Tensor } from "#torch/_tensor/index";
import { TypedStorage } from "#torch/storage/typed";
import { UntypedStorage } from "#torch/storage/untyped";

type Described = unknown;

function hex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** A plain object's key that is an integer counts as an int. */
function key_of(key: string): string | number {
  return /^(?:0|[1-9]\d{0,9})$/.test(key) ? Number(key) : key;
}

const FIELDS = new Set(["cdata", "backward_hooks", "post_accumulate_grad_hooks"]);

/** The elements in order, read from the storage, because unsigned dtypes cannot be copied here. */
function elements(t: Tensor): Uint8Array {
  const size = t.element_size();
  const [shape, stride] = [t.shape, t.stride()];
  const bytes = t.untyped_storage().bytes();
  const gathered = new Uint8Array(t.numel() * size);
  const index = shape.map(() => 0);
  for (let i = 0; i < t.numel(); i++) {
    const at = t.storage_offset() + index.reduce((sum, k, dim) => sum + k * stride[dim], 0);
    gathered.set(bytes.subarray(at * size, (at + 1) * size), i * size);
    for (let dim = shape.length - 1; dim >= 0 && ++index[dim] === shape[dim]; dim--) index[dim] = 0;
  }
  return gathered;
}

class Describer {
  private readonly tensors = new Map<unknown, number>();
  private readonly storages = new Map<unknown, number>();
  private readonly containers = new Map<unknown, number>();

  private number(numbers: Map<unknown, number>, key: unknown): number {
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key) as number;
  }

  private tensor(t: Tensor): Described {
    const same = this.number(this.tensors, t);
    const own = Object.entries(t).filter(([name]) => !FIELDS.has(name));
    const described: Record<string, unknown> = {
      same,
      class: t.constructor.name,
      dtype: String(t.dtype),
      device: String(t.device),
      shape: t.shape,
      stride: t.stride(),
      offset: t.storage_offset(),
      requires_grad: t.requires_grad,
      neg: t.is_neg(),
      own: Object.fromEntries(own.map(([name, value]) => [name, this.value(value)])),
    };
    if (t.is_meta) return ["tensor", described];
    described["storage"] = this.number(this.storages, t.untyped_storage());
    described["nbytes"] = t.untyped_storage().nbytes();
    described["data"] = hex(elements(t.is_neg() ? t.detach().resolve_neg() : t));
    return ["tensor", described];
  }

  private entries(map: Iterable<readonly [unknown, unknown]>): Described {
    return [...map].map(([key, value]) => [this.value(key), this.value(value)]);
  }

  private float(value: number): Described {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value);
    return ["float", hex(bytes)];
  }

  value(v: unknown): Described {
    if (v === null || typeof v === "boolean") return v;
    if (typeof v === "bigint") return ["int", String(v)];
    if (typeof v === "number") return /^-?\d+$/.test(repr(v)) ? ["int", String(BigInt(v))] : this.float(v);
    if (typeof v === "string") return ["str", v];
    if (v instanceof Uint8Array) return ["bytes", hex(v)];
    if (v instanceof Complex) return ["complex", this.value(v.real), this.value(v.imag)];
    if (v instanceof torch.Tensor) return this.tensor(v);
    if (v instanceof TypedStorage) return this.value(v.untyped());
    if (v instanceof UntypedStorage) return ["storage", this.number(this.storages, v), hex(v.bytes())];
    if (v instanceof Set) return ["set", ...[...v].map((item) => this.value(item))];
    if (Array.isArray(v) && Object.isFrozen(v)) return ["tuple", ...v.map((item) => this.value(item))];
    const kind = kind_of(v);
    if (kind !== null) return [kind, String(v)];
    const again = this.containers.get(v);
    if (again !== undefined) return ["again", again];
    this.number(this.containers, v);
    if (Array.isArray(v)) return ["list", ...v.map((item) => this.value(item))];
    if (v instanceof Counter) return ["Counter", this.entries(v)];
    if (v instanceof OrderedDict) {
      const items = this.entries(v);
      return [
        "OrderedDict",
        items,
        Object.fromEntries(Object.entries(v).map(([name, value]) => [name, this.value(value)])),
      ];
    }
    if (v instanceof Map) return ["dict", this.entries(v)];
    return ["dict", this.entries(Object.entries(v as object).map(([key, value]) => [key_of(key), value]))];
  }
}

/** `dtype`, `device` or `layout`; null for another value. */
function kind_of(v: unknown): string | null {
  const name = (v as { constructor?: { __name__?: string } }).constructor?.__name__ ?? "";
  return /^torch\.(?:dtype|device|layout)$/.test(name) ? name.slice("torch.".length) : null;
}

export function describe_value(value: unknown): Described {
  return new Describer().value(value);
}
