/**
 * @file Where each part of the printed code comes from, as a record beside the code.
 * @mirrors torch/csrc/jit/serialization/source_range_serialization.cpp
 *
 *     ("FORMAT_WITH_STRING_TABLE", (texts ...), ((byte, ((lines ...), file, first line), start, end), tag) ...))
 *
 * Lines of sources and names of files stand once in the table of texts; a source names them by their numbers.
 */
import { IValue } from "#aten/core/ivalue";
import { IntType } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import { Source, SourceRange, type SourceRangeUnpickler } from "../frontend/source_range.ts";
import { Pickler } from "./pickler.ts";
import type { TaggedRange } from "./python_print/index.ts";
import { Unpickler } from "./unpickler.ts";

const kFormatWithStringTable = "FORMAT_WITH_STRING_TABLE";
const ints = (values: readonly number[]): IValue =>
  IValue.fromList(
    new List(
      IntType,
      values.map((value) => IValue.fromInt(value)),
    ),
  );

/** Numbers for ranges: a range has the same number in all files of an archive. */
export class SourceRangeTags {
  private readonly tags: { readonly range: SourceRange; readonly tag: number }[] = [];

  tag_of(range: SourceRange): number {
    const known = this.tags.find((entry) => entry.range.equals(range));
    if (known !== undefined) return known.tag;
    this.tags.push({ range, tag: this.tags.length });
    return this.tags.length - 1;
  }
}

class SourceRangeSerializer {
  readonly texts: string[] = [""];
  private readonly text_to_idx_ = new Map<string, number>([["", 0]]);
  private readonly serialized_sources_ = new Map<Source | null, IValue>();
  private readonly pickler: Pickler;

  constructor(pickler: Pickler) {
    this.pickler = pickler;
  }

  serialize(range: SourceRange): IValue {
    const source = this.serialize_source(range.source_view);
    return IValue.fromTuple([source, IValue.fromInt(range.start), IValue.fromInt(range.end)]);
  }

  private serialize_source(source: Source | null): IValue {
    const known = this.serialized_sources_.get(source);
    if (known !== undefined) return known;
    const lines = source === null ? [] : source.text.split(/(?<=\n)/);
    if (source !== null && (source.text === "" || source.text.endsWith("\n"))) lines.push("");
    const numbers = lines.map((line) => this.store_text_and_get_index(line));
    const filename = source?.filename() ?? null;
    const file = filename === null ? 0 : this.store_text_and_get_index(filename);
    const first = IValue.fromInt(source?.starting_line_no() ?? 0);
    const serialized = this.pickler.share(IValue.fromTuple([ints(numbers), IValue.fromInt(file), first]));
    this.serialized_sources_.set(source, serialized);
    return serialized;
  }

  private store_text_and_get_index(text: string): number {
    let index = this.text_to_idx_.get(text);
    if (index === undefined) {
      index = this.texts.length;
      this.texts.push(text);
      this.text_to_idx_.set(text, index);
    }
    return index;
  }
}

export function pickle_source_ranges(ranges: readonly TaggedRange[], tags: SourceRangeTags): Uint8Array {
  const pickler = new Pickler();
  const serializer = new SourceRangeSerializer(pickler);
  const numbers = ranges.map(({ range }) => tags.tag_of(range));
  const records = ranges.map(({ bytes, range }, i) =>
    IValue.fromTuple([IValue.fromInt(bytes), serializer.serialize(range), IValue.fromInt(numbers[i])]),
  );
  const texts = pickler.share(IValue.fromTuple(serializer.texts.map((text) => IValue.fromString(text))));
  const table = pickler.share(IValue.fromTuple(records));
  return pickler.pickle(IValue.fromTuple([IValue.fromString(kFormatWithStringTable), texts, table]));
}

/** Reads the record of a file when an error asks for it. */
export class ConcreteSourceRangeUnpickler implements SourceRangeUnpickler {
  private readonly data: Uint8Array;
  private records: readonly TaggedRange[] | null = null;

  constructor(data: Uint8Array) {
    this.data = data;
  }

  findSourceRangeThatGenerated(range: SourceRange): SourceRange | null {
    this.records ??= this.unpickle();
    const after = this.records.findIndex(({ bytes }) => bytes > range.start);
    const record = this.records.at((after < 0 ? this.records.length : after) - 1);
    if (after === 0 || record === undefined || record.range.source_view === null) return null;
    return record.range;
  }

  private unpickle(): TaggedRange[] {
    const [format, table, lines] = new Unpickler(this.data).parse().toTuple();
    if (!format.isString() || format.toStringRef() !== kFormatWithStringTable) return [];
    const texts = table.toTuple().map((text) => text.toStringRef());
    const sources = new Map<IValue, Source>();
    return lines.toTuple().map((line): TaggedRange => {
      const [bytes, range] = line.toTuple();
      const [source, start, end] = range.toTuple();
      let known = sources.get(source);
      if (known === undefined) {
        const [text_lines, file, first] = source.toTuple();
        const text = text_lines
          .toIntList()
          .map((i) => texts[i])
          .join("");
        known = new Source(text, texts[Number(file.toInt())], Number(first.toInt()));
        sources.set(source, known);
      }
      return {
        bytes: Number(bytes.toInt()),
        range: new SourceRange(known, Number(start.toInt()), Number(end.toInt())),
      };
    });
  }
}
