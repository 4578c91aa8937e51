/** The folders of an isolated command; real paths. */
export interface Place {
  readonly folder: string;
  readonly writable: string;
  /** Read-only, although inside `writable`. */
  readonly readOnly?: string | undefined;
  /** Files that are there, and empty for it. */
  readonly hidden?: readonly string[] | undefined;
}
