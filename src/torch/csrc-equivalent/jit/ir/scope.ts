/**
 * @file Where a node comes from: the module scopes of a trace, and the calls that were inlined.
 * @mirrors torch/csrc/jit/ir/scope.h
 */
import type { ClassType } from "#aten/core/class_type";
import type { Function } from "#aten/core/function";
import { TORCH_CHECK } from "#c10/util/Exception";

/** A path of names; the root has none. */
export class Scope {
  private readonly parent_: Scope | null;
  private readonly name_: string;

  constructor(parent: Scope | null = null, name = "") {
    this.parent_ = parent;
    this.name_ = name;
  }

  push(name: string): Scope {
    return new Scope(this, name);
  }
  parent(): Scope {
    TORCH_CHECK(this.parent_ !== null, "Cannot get parent from Scope with no parent");
    return this.parent_;
  }
  isRoot(): boolean {
    return this.parent_ === null;
  }
  isBlank(): boolean {
    return this.isRoot() && this.name_ === "";
  }
  getRoot(): Scope {
    return this.parent_ === null ? this : this.parent_.getRoot();
  }
  getDepth(): number {
    return this.parent_ === null ? 1 : this.parent_.getDepth() + 1;
  }
  name(): string {
    return this.name_;
  }
  /** `Net::/Linear::fc` */
  namesFromRoot(separator = "/"): string {
    const names: string[] = [];
    for (let scope: Scope | null = this; scope?.parent_ != null; scope = scope.parent_) names.unshift(scope.name_);
    return names.join(separator);
  }
}

/** The module on which an inlined method was called. */
export interface ModuleInstanceInfo {
  readonly module_type: ClassType | null;
  readonly instance_name: string;
}

/** The chain of calls through which a node was inlined, from the outermost call to the innermost. */
export class InlinedCallStack<Range = unknown> {
  private readonly callee_: InlinedCallStack<Range> | null;
  private readonly fn_: Function | null;
  private readonly source_range_: Range;
  private readonly module_instance_info_: ModuleInstanceInfo | null;

  constructor(
    callee: InlinedCallStack<Range> | null,
    fn: Function | null,
    source_range: Range,
    module_instance_info: ModuleInstanceInfo | null = null,
  ) {
    this.callee_ = callee;
    this.fn_ = fn;
    this.source_range_ = source_range;
    this.module_instance_info_ = module_instance_info;
  }

  /** The next inner call, or null at the innermost. */
  callee(): InlinedCallStack<Range> | null {
    return this.callee_;
  }
  function(): Function | null {
    return this.fn_;
  }
  /** Where the call stands. */
  source_range(): Range {
    return this.source_range_;
  }
  function_name(): string {
    return this.fn_?.name() ?? "";
  }
  module_instance(): ModuleInstanceInfo | null {
    return this.module_instance_info_;
  }
  /** All calls, the outermost first. */
  vec(): InlinedCallStack<Range>[] {
    const all: InlinedCallStack<Range>[] = [];
    for (let current: InlinedCallStack<Range> | null = this; current !== null; current = current.callee_)
      all.push(current);
    return all;
  }
}
