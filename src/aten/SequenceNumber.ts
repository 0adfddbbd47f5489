/**
 * @file The counter that numbers forward calls. A node keeps its number; among the ready nodes, backward runs the one
 * with the largest number first.
 * @mirrors aten/src/ATen/SequenceNumber.h
 */

let sequence_nr_ = 0;

/** The number that the next node will get. */
export function peek(): number {
  return sequence_nr_;
}

export function get_and_increment(): number {
  return sequence_nr_++;
}
