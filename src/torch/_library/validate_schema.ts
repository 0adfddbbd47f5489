/**
 * @file Validation of schemas: an operator with the tag `out` or `inplace` must have a schema of a certain form.
 * @mirrors torch/library.py#_validate_out_schema
 */
import { ValueError } from "#c10/util/Exception";
import { type PyArgument, parse_schema, repr } from "#torch/_C";

function sameSet(a: PyArgument, b: PyArgument): boolean {
  return [...(a.alias_info?.before_set ?? [])].join() === [...(b.alias_info?.before_set ?? [])].join();
}

function setOf(arg: PyArgument): string {
  return `{${[...(arg.alias_info?.before_set ?? [])].map(repr).join(", ")}}`;
}

function names(args: readonly PyArgument[]): string {
  return repr(args.map((arg) => arg.name));
}

/** An `out` schema changes some keyword-only tensors and returns exactly these, in order. */
export function validate_out_schema(line: string): void {
  const schema = parse_schema(line);
  const got = `Got: ${schema}`;
  const mutable_args = schema.arguments.filter((arg) => arg.is_write);
  if (mutable_args.length === 0)
    throw new ValueError(`Schema tagged with torch.Tag.out must have at least one mutable argument. ${got}`);
  const positional = mutable_args.filter((arg) => !arg.kwarg_only);
  if (positional.length > 0) {
    throw new ValueError(
      "Schema tagged with torch.Tag.out requires all mutable arguments to be keyword-only (after the *). " +
        `Found mutable positional args: ${names(positional)}. ${got}`,
    );
  }
  const unsupported = mutable_args.filter((arg) => arg.type.kind() !== "TensorType");
  if (unsupported.length > 0) {
    throw new ValueError(
      `Schema tagged with torch.Tag.out only supports Tensor mutable arguments. Found unsupported mutable args: ${names(unsupported)}. ${got}`,
    );
  }
  if (schema.returns.length !== mutable_args.length) {
    throw new ValueError(
      "Schema tagged with torch.Tag.out must return all mutable arguments " +
        `(got ${mutable_args.length} mutable args but ${schema.returns.length} returns). ${got}`,
    );
  }
  schema.returns.forEach((ret, i) => {
    const arg = mutable_args[i];
    if (ret.alias_info === null)
      throw new ValueError(
        `Return ${i} of schema tagged with torch.Tag.out must alias mutable arg '${arg.name}'. ${got}`,
      );
    if (!ret.alias_info.is_write) {
      throw new ValueError(
        `Return ${i} of schema tagged with torch.Tag.out must be a mutable alias (e.g., Tensor(a!), not Tensor(a)) of arg '${arg.name}'. ${got}`,
      );
    }
    if (!sameSet(ret, arg)) {
      throw new ValueError(
        `Return ${i} of schema tagged with torch.Tag.out must alias mutable arg '${arg.name}' ` +
          `(return aliases ${setOf(ret)} but arg aliases ${setOf(arg)}). ${got}`,
      );
    }
  });
}

/** An in-place schema changes only its first positional argument, a tensor, and returns it. */
export function validate_inplace_schema(line: string): void {
  const schema = parse_schema(line);
  const got = `Got: ${schema}`;
  const first = schema.arguments[0];
  if (first === undefined || first.kwarg_only)
    throw new ValueError(`Schema tagged with torch.Tag.inplace must have at least one positional argument. ${got}`);
  if (!first.is_write) {
    throw new ValueError(
      `Schema tagged with torch.Tag.inplace requires the first positional argument to be mutable (e.g., Tensor(a!)). ${got}`,
    );
  }
  if (first.type.kind() !== "TensorType") {
    throw new ValueError(
      `Schema tagged with torch.Tag.inplace requires the first positional argument to be a Tensor. Got type '${first.type}' for arg '${first.name}'. ${got}`,
    );
  }
  const [ret] = schema.returns;
  if (ret === undefined || schema.returns.length !== 1) {
    throw new ValueError(
      `Schema tagged with torch.Tag.inplace must return exactly one value (the first argument). Got ${schema.returns.length} returns. ${got}`,
    );
  }
  const must = "Schema tagged with torch.Tag.inplace must return the first mutable argument";
  if (ret.type.kind() !== "TensorType")
    throw new ValueError(`${must} (return must be a Tensor, got type '${ret.type}'). ${got}`);
  if (ret.alias_info === null) throw new ValueError(`${must} (return must alias the first argument). ${got}`);
  if (!ret.alias_info.is_write)
    throw new ValueError(`${must} (return must be a mutable alias, e.g., Tensor(a!)). ${got}`);
  if (!sameSet(ret, first))
    throw new ValueError(`${must} (return aliases ${setOf(ret)} but first arg aliases ${setOf(first)}). ${got}`);
  const others = schema.arguments.slice(1).filter((arg) => arg.is_write);
  if (others.length > 0) {
    throw new ValueError(
      `Schema tagged with torch.Tag.inplace must only mutate the first positional argument. Found additional mutable args: ${names(others)}. ${got}`,
    );
  }
}
