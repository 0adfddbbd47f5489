/**
 * @file Test files that take long: a complete run of all checks takes a share of them, and another share for each commit.
 * Each list's order keeps the shares about equally long.
 * @original
 */
import { files_by_turn } from "./turn.ts";

/** How many commits in a row run every file once: each runs about two of the unit tests and of the site's, and one or two of the device's. */
const TURNS = { unit: 16, device: 14, site: 13 };

/** Unit tests of ten seconds and more, most of them in processes of their own; below the repository's folder. */
export const UNIT_FILES: readonly string[] = [
  ...["tools/codegen/growth", "aten/ParallelNative", "tools/python", "torch/malformed_calls"],
  ...["tools/codegen/autograd/load_derivatives", "exercises/gate", "tools/codegen/unseen_operators"],
  ...["aten/cpu/vec/differential", "aten/native/calls", "torch/utils/data/workers", "trace/edited_tree"],
  ...["tools/new_op", "tools/oracle/fuzz", "python/programs", "torch/optim/recorded", "tools/explain"],
  ...["torch/doors", "tools/learn/watch", "tools/codegen/autograd/gen_python_functions", "torch/two_copies"],
  ...["tools/module_loader", "tools/lookup", "aten/native/cpu/vec/conv_driver", "caffe2/serialize/replaced_file"],
  ...["aten/cpu/vec/functions", "aten/cpu/vec/functions_of_kernel_text", "aten/native/cpu/SortingKernel"],
  ...["paths/fuzz", "torch/nn/recorded_modules", "tools/codegen/generate", "aten/native/Convolution"],
  ...["c10/core/heap_process"],
].map((name) => `test/${name}.test.ts`);

/** Tests of the WebGPU device; below test/webgpu. */
export const DEVICE_FILES: readonly string[] = [
  ...["aten/webgpu/bodies", "aten/native/webgpu/Reduce", "c10/process"],
  ...["aten/native/webgpu/Convolution", "aten/native/webgpu/Deterministic", "c10/temporaries"],
  ...["aten/native/webgpu/Pooling", "browser/chromium", "aten/native/webgpu/Sorting"],
  ...["learn/kernels", "programs", "aten/native/webgpu/Loops"],
  ...["aten/native/webgpu/Normalization", "aten/native/webgpu/SortingSelect", "c10/program"],
  ...["aten/native/webgpu/Blas", "aten/native/webgpu/Indexing", "aten/native/webgpu/Distributions"],
].map((name) => `${name}.test.ts`);

/** Tests of the site; below docs. */
export const SITE_FILES: readonly string[] = [
  ...["browser/redteam", "engine/run_form", "engine/library"],
  ...["browser/device", "site/operators", "site/lookup"],
  ...["browser/own_text", "browser/viewer", "browser/weights"],
  ...["browser/languages", "browser/steps", "browser/lookup_search"],
  ...["browser/keyboard", "browser/school", "browser/cpu_half"],
  ...["browser/school_device", "browser/gpu_kernel", "browser/isolated"],
  ...["engine/walkthroughs", "browser/playground", "engine/python", "browser/python", "engine/python_words"],
  ...["engine/switches", "claims/contribute", "claims/break_it"],
].map((name) => `test/${name}.test.ts`);

export const unit_files = files_by_turn("slow test files", UNIT_FILES, TURNS.unit);
export const device_files = files_by_turn("slow test files of the device", DEVICE_FILES, TURNS.device);
export const site_files = files_by_turn("slow test files of the site", SITE_FILES, TURNS.site);
