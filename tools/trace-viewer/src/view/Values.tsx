/**
 * @file The values of a step: shape, strides, storage, version, and for a small tensor the positions of its elements in
 * the storage.
 * @original
 */
import type { ReactNode } from "react";
import type { TensorRecord, TraceEvent } from "../../../../src/trace/event.ts";
import { type ShownValue, storagePicture, valuesOf } from "../model/values.ts";

export function Values({ event }: { readonly event: TraceEvent }): ReactNode {
  const values = valuesOf(event);
  if (values.length === 0) return null;
  const tensors = values.filter((value) => value.tensor !== null);
  const others = values.filter((value) => value.tensor === null);
  return (
    <div className="gtv-values">
      <h4>Tensors</h4>
      <div className="gtv-tensors">
        {tensors.map((value) => (
          <Tensor key={`${value.side} ${value.name}`} value={value} tensor={value.tensor as TensorRecord} />
        ))}
      </div>
      {others.length > 0 && (
        <p className="gtv-scalars">
          {others.map((value) => (
            <span key={`${value.side} ${value.name}`}>
              {value.name} <b>{value.text}</b>
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

function Tensor({ value, tensor }: { readonly value: ShownValue; readonly tensor: TensorRecord }): ReactNode {
  const picture = storagePicture(tensor);
  return (
    <div className={`gtv-tensor gtv-side-${value.side}`}>
      <p>
        <b>{value.name}</b> {tensor.dtype} [{tensor.shape.join(", ")}]
      </p>
      <p>
        strides [{tensor.strides.join(", ")}]{tensor.offset === 0 ? "" : ` from ${tensor.offset}`}
        {tensor.storage === null ? "" : ` · storage #${tensor.storage}`}
        {tensor.version === null ? "" : ` · v${tensor.version}`}
        {tensor.device === "" || tensor.device === "cpu" ? "" : ` · ${tensor.device}`}
      </p>
      {tensor.checksum !== undefined && (
        <p>
          {tensor.min} … {tensor.max} · checksum {tensor.checksum}
        </p>
      )}
      {value.relation !== null && <p className="gtv-relation">{value.relation}</p>}
      {picture !== null && (
        <table
          className="gtv-strides"
          aria-label={`Place of each element in storage${tensor.storage === null ? "" : ` ${tensor.storage}`}`}
        >
          <caption>memory layout: where each element lies</caption>
          <tbody>
            {picture.map((row, r) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a matrix are their places
              <tr key={r}>
                {row.map((place, c) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: so are columns
                  <td key={c}>{place}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
