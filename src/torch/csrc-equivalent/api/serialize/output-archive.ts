/**
 * @file An archive that is written: a module of scripts whose attributes are what was written, without methods. So `torch.jit.load` reads
 * it too.
 * @mirrors torch/csrc/api/include/torch/serialize/output-archive.h
 */
import { ClassType } from "#aten/core/class_type";
import { IValue } from "#aten/core/ivalue";
import { type_of } from "#aten/core/ivalue.impl";
import { TensorType } from "#aten/core/jit_type";
import { Tensor } from "#aten/generated/core/TensorBody";
import type { WriterFunc } from "#caffe2/serialize/PyTorchStreamWriter";
import { ReplacedFile } from "#caffe2/serialize/replaced_file";
import { CompilationUnit } from "../../jit/api/compilation_unit.ts";
import { ModuleObject } from "../../jit/api/module.ts";
import { ExportModule } from "../../jit/serialization/export_module.ts";

/** Where an archive goes: the path of a file in Node, or a function that takes the bytes. */
export type SaveTarget = string | WriterFunc;

export class OutputArchive {
  private readonly cu_: CompilationUnit;
  private readonly module_: ModuleObject;

  /** @param cu owner of the classes; nested archives share it */
  constructor(cu: CompilationUnit = new CompilationUnit()) {
    this.cu_ = cu;
    const name = cu.get_type("__torch__.Module") === null ? "__torch__.Module" : cu.mangle("__torch__.Module");
    const type = ClassType.create(name, cu, true);
    cu.register_type(type);
    this.module_ = ModuleObject.create(type);
  }
  compilation_unit(): CompilationUnit {
    return this.cu_;
  }
  /** An archive that can be written into this one. */
  nested(): OutputArchive {
    return new OutputArchive(this.cu_);
  }

  /** Writes a tensor, another value, or a nested archive under a key. */
  write(key: string, value: Tensor | IValue | OutputArchive, is_buffer = false): void {
    const type = this.module_.type();
    if (value instanceof OutputArchive) {
      type.addOrCheckAttribute(key, value.module_.type());
      this.module_.object.setAttr(key, value.module_.ivalue());
    } else if (value instanceof Tensor) {
      type.addOrCheckAttribute(key, TensorType, !is_buffer, is_buffer);
      this.module_.object.setAttr(key, IValue.fromTensor(value));
    } else {
      type.addOrCheckAttribute(key, type_of(value));
      this.module_.object.setAttr(key, value);
    }
  }

  save_to(target: SaveTarget): void {
    if (typeof target !== "string") {
      ExportModule(this.module_, target, "archive", { extra_files: new Map() });
      return;
    }
    const file = new ReplacedFile(target);
    const stem = (target.split(/[\\/]/).at(-1) as string).replace(/\.[^.]*$/, "") || "archive";
    try {
      ExportModule(this.module_, (data) => file.write(data), stem, { extra_files: new Map() });
      file.finish();
    } finally {
      file.abandon();
    }
  }
}
