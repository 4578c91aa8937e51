/** Where an isolated command runs; real paths. */
export interface Place {
  readonly folder: string;
  readonly writable: string;
  /** In `writable`, and yet read-only. */
  readonly readOnly?: string | undefined;
}
