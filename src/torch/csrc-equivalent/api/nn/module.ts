/**
 * @file A module: parameters, buffers and submodules, each registered under a name. There is no magic of attributes: what is not
 * registered is not found by an optimizer, not saved, and not moved.
 *
 *   class NetImpl extends torch.nn.Module {
 *     fc = this.register_module("fc", torch.nn.Linear(4, 2));
 *     forward(x: Tensor): Tensor { return this.fc(x); }
 *   }
 *   const Net = torch.nn.TORCH_MODULE(NetImpl);      // Net()(x), or new NetImpl().forward(x)
 * @mirrors torch/csrc/api/include/torch/nn/module.h
 * @differs `pretty_print` returns a text, where C++ writes to a stream. `to` takes device and dtype in any order, null for either.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { Device } from "#c10/core/Device";
import { NoGradGuard } from "#c10/core/GradMode";
import type { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";
import { set_grad } from "../mutable_grad.ts";
import { OrderedDict } from "../ordered_dict.ts";
import type { InputArchive } from "../serialize/input-archive.ts";
import type { OutputArchive } from "../serialize/output-archive.ts";
import { callable } from "./pimpl.ts";

function join_name(name_prefix: string, name: string): string {
  return name_prefix === "" ? name : `${name_prefix}.${name}`;
}

function check_name(kind: string, name: string): void {
  TORCH_CHECK(name !== "", kind, " name must not be empty");
  TORCH_CHECK(!name.includes("."), kind, " name must not contain a dot (got '", name, "')");
}

/** A function that `apply` calls for each module. */
export type ModuleApplyFunction = (module: Module) => void;
/** A function that `apply_named` calls for each module; the name has dots: `encoder.layers.0`. */
export type NamedModuleApplyFunction = (name: string, module: Module) => void;

export class Module {
  /** The name of the C++ type, which `TORCH_MODULE` sets for the modules of the library. */
  static type_name?: string | undefined;

  declare private readonly parameters_: OrderedDict<Tensor>;
  declare private readonly buffers_: OrderedDict<Tensor>;
  declare private readonly children_: OrderedDict<Module>;
  declare private readonly name_: string | null;
  declare private is_training_: boolean;

  /** @param name what `name()` returns; without it the type's name */
  constructor(name: string | null = null) {
    const self = callable(new.target.prototype as Module);
    self.parameters_ = new OrderedDict("Parameter");
    self.buffers_ = new OrderedDict("Buffer");
    self.children_ = new OrderedDict("Submodule");
    self.name_ = name;
    self.is_training_ = true;
    // biome-ignore lint/correctness/noConstructorReturn: a module can be called, and a class cannot make a function otherwise
    return self as unknown as this;
  }

  name(): string {
    const type = this.constructor as typeof Module;
    return this.name_ ?? (Object.hasOwn(type, "type_name") ? type.type_name : undefined) ?? type.name;
  }

  /** A deep copy. Only a `Cloneable` has one. */
  clone(_device: Device | null = null): Module {
    const name = this.name();
    TORCH_CHECK(
      false,
      `clone() has not been implemented for ${name}. Subclass torch::nn::Cloneable<${name}> instead of torch::nn::Module to inherit the ability to clone.`,
    );
  }

  /** Calls the function for this module and all modules below it, each before its children. */
  apply(fn: ModuleApplyFunction): void {
    this.apply_named((_name, module) => fn(module));
  }
  /** `apply` for a function that takes the name too. */
  apply_named(fn: NamedModuleApplyFunction, name_prefix = ""): void {
    fn(name_prefix, this);
    this.apply_to_submodules(fn, name_prefix);
  }
  private apply_to_submodules(fn: NamedModuleApplyFunction, name_prefix = ""): void {
    for (const [key, child] of this.children_) {
      const qualified_name = join_name(name_prefix, key);
      fn(qualified_name, child);
      child.apply_to_submodules(fn, qualified_name);
    }
  }

  parameters(recurse = true): Tensor[] {
    return this.named_parameters(recurse).values();
  }
  /** Parameters by name: `0.weight`. Those that are undefined are left out. */
  named_parameters(recurse = true): OrderedDict<Tensor> {
    return this.named_tensors((module) => module.parameters_, recurse);
  }
  buffers(recurse = true): Tensor[] {
    return this.named_buffers(recurse).values();
  }
  named_buffers(recurse = true): OrderedDict<Tensor> {
    return this.named_tensors((module) => module.buffers_, recurse);
  }
  private named_tensors(of: (module: Module) => OrderedDict<Tensor>, recurse: boolean): OrderedDict<Tensor> {
    const result = new OrderedDict<Tensor>();
    const add: NamedModuleApplyFunction = (name, module) => {
      for (const [key, tensor] of of(module)) if (tensor.defined()) result.insert(join_name(name, key), tensor);
    };
    if (recurse) this.apply_named(add);
    else add("", this);
    return result;
  }

  modules(include_self = true): Module[] {
    return this.named_modules("", include_self).values();
  }
  named_modules(name_prefix = "", include_self = true): OrderedDict<Module> {
    const result = new OrderedDict<Module>();
    const add: NamedModuleApplyFunction = (name, module) => result.insert(name, module);
    if (include_self) this.apply_named(add, name_prefix);
    else this.apply_to_submodules(add, name_prefix);
    return result;
  }
  children(): Module[] {
    return this.children_.values();
  }
  named_children(): OrderedDict<Module> {
    const result = new OrderedDict<Module>("Submodule");
    result.update(this.children_);
    return result;
  }

  train(on = true): void {
    for (const child of this.children()) child.train(on);
    this.is_training_ = on;
  }
  eval(): void {
    this.train(false);
  }
  is_training(): boolean {
    return this.is_training_;
  }

  /** Moves and converts all parameters and buffers, those of integers too. */
  to(
    first: Device | ScalarType | null,
    second: Device | ScalarType | boolean | null = null,
    non_blocking = false,
  ): void {
    const given = [first, second];
    const device = given.find((v) => v instanceof Device) as Device | undefined;
    const dtype = given.find((v) => typeof v === "number") as ScalarType | undefined;
    const asynchronous = typeof second === "boolean" ? second : non_blocking;
    this.apply((module) => {
      for (const tensor of [...module.parameters_.values(), ...module.buffers_.values()]) {
        if (!tensor.defined()) continue;
        tensor.set_data(
          tensor.to_device(device ?? tensor.device(), dtype ?? tensor.scalar_type(), asynchronous, false, null),
        );
      }
    });
  }

  zero_grad(set_to_none = true): void {
    for (const child of this.children()) child.zero_grad(set_to_none);
    for (const parameter of this.parameters(false)) {
      if (!parameter.grad().defined()) continue;
      const grad = parameter.grad().detach();
      set_grad(parameter, set_to_none ? null : grad);
      if (!set_to_none) grad.zero_();
    }
  }

  save(archive: OutputArchive): void {
    for (const [key, parameter] of this.named_parameters(false)) archive.write(key, parameter);
    for (const [key, buffer] of this.named_buffers(false)) archive.write(key, buffer, true);
    for (const [key, child] of this.children_) {
      if (!child.is_serializable()) continue;
      const child_archive = archive.nested();
      child.save(child_archive);
      archive.write(key, child_archive);
    }
  }
  load(archive: InputArchive): void {
    for (const [key, parameter] of this.named_parameters(false)) archive.read(key, parameter);
    for (const [key, buffer] of this.named_buffers(false)) archive.read(key, buffer, true);
    for (const [key, child] of this.children_) if (child.is_serializable()) child.load(archive.read_archive(key));
  }
  /** Whether `save` of the module above writes this one. */
  is_serializable(): boolean {
    return true;
  }

  register_parameter(name: string, tensor: Tensor, requires_grad = true): Tensor {
    check_name("Parameter", name);
    if (tensor.defined()) tensor.set_requires_grad(requires_grad);
    else if (requires_grad) {
      TORCH_WARN("An undefined tensor cannot require grad. Ignoring the `requires_grad=true` function parameter.");
    }
    return this.parameters_.insert(name, tensor);
  }
  register_buffer(name: string, tensor: Tensor): Tensor {
    check_name("Buffer", name);
    return this.buffers_.insert(name, tensor);
  }
  register_module<M extends Module>(name: string, module: M): M {
    check_name("Submodule", name);
    return this.children_.insert(name, module) as M;
  }
  /** Registers a module, or puts it in the place of the one that has the name. */
  replace_module<M extends Module>(name: string, module: M): M {
    this.children_.assign(name, module);
    return module;
  }
  unregister_module(name: string): void {
    TORCH_CHECK(this.children_.contains(name), "No Module with name `", name, "` is registered");
    this.children_.erase(name);
  }

  /** The text without submodules: name and options. */
  pretty_print(): string {
    return this.name();
  }
  /** The text with submodules, each in a line of its own; what C++ writes with `std::cout << module`. */
  pretty_print_recursive(indentation = ""): string {
    if (this.children_.is_empty()) return this.pretty_print();
    const next = `${indentation}  `;
    const lines = this.children_
      .pairs()
      .map(([key, child]) => `${next}(${key}): ${child.pretty_print_recursive(next)}\n`);
    return `${this.pretty_print()}(\n${lines.join("")}${indentation})`;
  }
  toString(): string {
    return this.pretty_print_recursive();
  }

  /** @internal Empties the module for `reset`, and afterwards takes the values of `other`. */
  protected clone_from(other: Module, device: Device | null, reset: () => void): void {
    for (const dict of [this.parameters_, this.buffers_, this.children_]) dict.clear();
    reset();
    const no_grad = new NoGradGuard();
    try {
      this.clone_tensors(this.parameters_, other.parameters_, device, "parameters");
      this.clone_tensors(this.buffers_, other.buffers_, device, "buffers");
      TORCH_CHECK(
        this.children_.size() === other.children_.size(),
        "The cloned module does not have the same number of child modules as the original module after calling reset(). Are you sure you called register_module() inside reset() and not the constructor?",
      );
      for (const [key, child] of other.children_) this.children_.at(key).clone_(child, device);
      this.is_training_ = other.is_training_;
    } finally {
      no_grad.restore();
    }
  }
  private clone_tensors(
    mine: OrderedDict<Tensor>,
    others: OrderedDict<Tensor>,
    device: Device | null,
    kind: "parameters" | "buffers",
  ): void {
    TORCH_CHECK(
      mine.size() === others.size(),
      `The cloned module does not have the same number of ${kind} as the original module after calling reset(). Are you sure you called register_${kind.slice(0, -1)}() inside reset() and not the constructor?`,
    );
    for (const [key, tensor] of others) {
      if (!tensor.defined()) continue;
      const moved = device !== null && !tensor.device().eq(device);
      const copy = moved ? tensor.to_device(device, tensor.scalar_type(), false, false, null) : tensor.clone();
      mine.at(key).set_data(copy);
    }
  }
  /** @internal Takes the values of a module of the same type. */
  clone_(_other: Module, _device: Device | null): void {
    // A module that is not Cloneable has nothing to take, as in C++.
  }
}
