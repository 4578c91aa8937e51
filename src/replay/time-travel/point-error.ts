/** A text that names no point of a log. `message` says what was read, and what can be written. */
export class PointError extends Error {
  override readonly name = "PointError";
  readonly code = "no_point";
}
