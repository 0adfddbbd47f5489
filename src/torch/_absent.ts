/**
 * @file Names that PyTorch has and glasstorch does not: reading one raises and says so.
 * @original
 * @differs Reading `torch.stft` raises NotImplementedError, as calling a function does that waits (`_not_built.ts`); a PyTorch built without a
 * part raises AttributeError.
 *
 * Note [Absent names]
 * ~~~~~~~~~~~~~~~~~~~
 * A module of PyTorch is an object here. Behind it stands a prototype that is asked only for names which the object does not have. If PyTorch has the
 * name (`generated/absent_names.ts`), it raises; any other name is undefined, as in JavaScript. So `torch.stft(x)` does not end in "is not a
 * function", and a dtype, a class or a whole package that is absent says so too. The names do not look present: `"stft" in torch` is false, and this
 * is how a program asks, as with Python's `hasattr`. Nothing is slower for names that exist, because an object's own properties come first.
 */
import { NotImplementedError, TypeError_ } from "#c10/util/Exception";
import { doors } from "./_doors.ts";
import { absent_names, OWNERS } from "./generated/absent_names.ts";

/** Why names of some kinds are absent; the first pattern that matches the full name counts. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /sparse|csr|csc|bsr|bsc|_coo|coo_|^torch\.(Tensor\.)?(\w*indices(_copy)?|values(_copy)?|\w?smm|spmm|hspmm|dsmm|hsmm|s?s?p?addmm)$/,
    "sparse tensors are not built",
  ],
  [
    /quantiz|qscheme|\bq_|fake_quant|int_repr|QInt|QUInt|torch\.ao$|nn\.qat$|nn\.intrinsic$/,
    "quantized tensors are not built",
  ],
  [/complex|Complex|polar|imag$|stft|cfloat|cdouble|chalf|\.fft\.|FFT/, "complex tensors are not built"],
  [/cudnn|miopen|mkldnn|fbgemm|onednn|cuBLAS|nvtx|nccl/, "it belongs to a library that is not here"],
  [
    /^torch\.(cuda|xpu|mps|mtia)\b|\.(cuda|xpu|mps|mtia)$/,
    "there is no such device here; glasstorch/webgpu is the device beside the CPU",
  ],
  [
    /^torch\.(jit|export|onnx|_dynamo|_inductor|compiler)\b|Script|^torch\.\w*Type$|Sym|^torch\.sym_/,
    "programs run eagerly here, and are not compiled or exported",
  ],
  [/^torch\.(distributed|multiprocessing)|\.parallel\./, "there is one process here"],
  [/nested|masked/, "nested and masked tensors are not built"],
];

/** Says that a name is absent, and why. */
export function why_absent(full: string): string {
  const reason = REASONS.find(([pattern]) => pattern.test(full))?.[1];
  return `${full} is not implemented: it is not built here${reason === undefined ? "" : `, because ${reason}`}`;
}

/** The error of reading `name` in `owner`. */
const absent = (owner: string, name: string): NotImplementedError =>
  new NotImplementedError(why_absent(`${owner}.${name}`));

/** Names of `torch` that stand in the entry `glasstorch/fx`: reading one loads it. */
const IN_FX = /^(?:cond|while_loop|Sym(?:Int|Float|Bool)|sym_(?:int|float|max|min|not|ite|sum))$/;

/** Names of `torch` that stand in the entry `glasstorch/compile`. */
const IN_COMPILE = /^_(?:dynamo|inductor|logging)$/;

const ENTRIES: readonly (readonly [RegExp, string])[] = [
  [IN_FX, "fx"],
  [IN_COMPILE, "compile"],
  [/^_lazy$/, "lazy"],
];

/** The value of a name that an entry has, which is loaded now; undefined if none has it or nobody can load it. */
function behind_a_door(owner: string, name: string, receiver: object): unknown {
  const entry = owner === "torch" ? ENTRIES.find(([names]) => names.test(name))?.[1] : undefined;
  if (entry === undefined) return undefined;
  doors.require?.(entry);
  return Object.getOwnPropertyDescriptor(receiver, name)?.value as unknown;
}

const split_names = new Map<string, ReadonlySet<string>>();

function names_of(owner: string): ReadonlySet<string> {
  let names = split_names.get(owner);
  if (names === undefined) split_names.set(owner, (names = new Set(absent_names(owner).split(" "))));
  return names;
}

/** Raises if PyTorch's `owner` has the name. Only for names that ours does not have. */
export function check_absent(owner: string, name: string): void {
  if (name.startsWith("__")) return; // no public name; `__torch_function__` is asked for again and again
  if (names_of(owner).has(name)) throw absent(owner, name);
}

/** A prototype that raises for the absent names of `owner`. */
function answering(owner: string): object {
  return new Proxy(Object.create(Object.prototype) as object, {
    get(target, name, receiver: unknown) {
      if (typeof name === "string" && !(name in target)) {
        const value = behind_a_door(owner, name, receiver as object);
        if (value !== undefined) return value;
        check_absent(owner, name);
      }
      return Reflect.get(target, name, receiver);
    },
    set(target, name, value, receiver: unknown) {
      // `x[mask] = 0` asks for a property whose name is the text of the mask.
      if (owner === "torch.Tensor" && typeof name === "string" && /^(?:-?\d+$|tensor\()/.test(name))
        throw new TypeError_(
          "a tensor is not changed by brackets here: write x.set_at(value, index) for x[index] = value",
        );
      return Reflect.set(target, name, value, receiver);
    },
  });
}

type Members = Record<string, unknown>;

/** The member `name` of a module, itself a module. A namespace of JavaScript cannot be changed, so a copy replaces it. */
function changeable(parent: Members, name: string): Members {
  const module = parent[name] as Members;
  if (Object.getPrototypeOf(module) === null || !Object.isExtensible(module)) parent[name] = Object.assign({}, module);
  return parent[name] as Members;
}

/** Makes the modules below `torch` answer for their absent names. */
export function answer_for_absent_names(torch: object): void {
  for (const owner of OWNERS.split(" ")) {
    if (owner === "torch.Tensor" || owner === "torch.nn.Module") continue;
    const module = owner
      .split(".")
      .slice(1)
      .reduce(changeable, torch as Members);
    Object.setPrototypeOf(module, answering(owner));
  }
}

/**
 * Makes the objects of a class answer for the names that its PyTorch original has: the last prototype before Object's asks.
 * @param fields the properties that the constructor sets. The class gets them as well: an assignment to a name that no prototype has would climb
 * to the last one, which is slow, and a new tensor is made often.
 */
export function answer_for_absent_members(
  owner: string,
  cls: { readonly prototype: object },
  fields: readonly string[],
): void {
  let home = cls.prototype;
  for (let next = Object.getPrototypeOf(home); next !== Object.prototype; next = Object.getPrototypeOf(home))
    home = next;
  for (const name of fields) Object.defineProperty(home, name, { value: null, writable: true, configurable: true });
  Object.setPrototypeOf(home, answering(owner));
}
