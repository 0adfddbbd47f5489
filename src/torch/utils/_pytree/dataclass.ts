/**
 * @file Classes whose instances are their fields, as containers of trees.
 * @mirrors torch/utils/_pytree.py#register_dataclass
 *
 *     @dataclass class Point: x; y       Point(1, None)  ->  leaves [1], context [["x"], ["y"]]
 *
 * A field that is None is no child: its name stands in the second list of the context.
 */
import { ValueError } from "#c10/util/Exception";
import { call, vectorcall } from "#python/Objects/call";
import { each } from "#python/Objects/iterobject";
import { getattr, repr, str, truth } from "#python/Objects/object";
import { import_module } from "#python/vm/import";
import { GetAttrKey, register_node } from "./registry.ts";
import { register_serialized_type } from "./treespec_json.ts";

type Context = readonly [present: string[], none: string[]];

const dataclasses = (name: string, cls: unknown): unknown => call(getattr(import_module("dataclasses"), name), cls);

/** The fields from which instances of a dataclass are made. */
const init_fields = (cls: unknown): string[] =>
  [...each(dataclasses("fields", cls))]
    .filter((field) => truth(getattr(field, "init")))
    .map((field) => getattr(field, "name") as string);

const set_text = (names: readonly string[]): string => `{${names.map((name) => repr(name)).join(", ")}}`;

/** @throws {ValueError} if the given names are not the fields of a dataclass */
function check_fields(cls: unknown, given: readonly string[], dropped: readonly string[]): void {
  const fields = init_fields(cls).filter((name) => !dropped.includes(name));
  const missing = fields.filter((name) => !given.includes(name));
  const unexpected = given.filter((name) => !fields.includes(name));
  if (missing.length === 0 && unexpected.length === 0) return;
  const of_missing = `Missing fields in \`field_names\`: ${set_text(missing)}. If you want to include these fields in the pytree, please add them to \`field_names\`, otherwise please add them to \`drop_field_names\`.\n`;
  const of_unexpected = `Unexpected fields in \`field_names\`: ${set_text(unexpected)}. Please remove these fields, or add them to \`drop_field_names\`.\n`;
  throw new ValueError(
    `field_names does not include all dataclass fields.\n${missing.length > 0 ? of_missing : ""}${unexpected.length > 0 ? of_unexpected : ""}`,
  );
}

function fields_of(cls: unknown, given: readonly string[] | null, dropped: readonly string[]): readonly string[] {
  if (!truth(dataclasses("is_dataclass", cls))) {
    if (given !== null) return given;
    throw new ValueError(
      `field_names must be specified with a list of all fields used to initialize ${str(cls)}, as it is not a dataclass.`,
    );
  }
  if (given === null) return init_fields(cls);
  check_fields(cls, given, dropped);
  return given;
}

/**
 * Makes a dataclass a container of trees.
 * @param field_names the fields that are children; needed if `cls` is no dataclass
 * @param drop_field_names fields that trees leave out
 * @param serialized_type_name the name of the class where the structure is written
 */
export function register_fields(
  cls: unknown,
  field_names: string[] | null,
  drop_field_names: string[] | null,
  serialized_type_name: string | null,
): void {
  const fields = [...fields_of(cls, field_names, drop_field_names ?? [])];
  const context_of = (tree: unknown): Context => {
    const is_none = (field: string): boolean => getattr(tree, field) === null;
    return [fields.filter((field) => !is_none(field)), fields.filter(is_none)];
  };
  register_node(cls, {
    flatten: (tree) => {
      const context = context_of(tree);
      return [context[0].map((field) => getattr(tree, field)), [...context]];
    },
    unflatten: (children, context) => {
      const [present, none] = context as Context;
      const values = [...children, ...none.map(() => null)];
      return vectorcall(cls, values, [...present, ...none]);
    },
    keys: (tree) => context_of(tree)[0].map((field) => new GetAttrKey(field)),
  });
  if (serialized_type_name !== null)
    register_serialized_type(cls, {
      name: serialized_type_name,
      to_dumpable_context: null,
      from_dumpable_context: null,
    });
}
