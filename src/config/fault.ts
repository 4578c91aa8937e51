/** Something by which a configuration cannot be used. */
export interface ConfigFault {
  /** Such as `limits.session_s`; empty for the whole. */
  readonly path: string;
  /** What was found, and what would be right. */
  readonly message: string;
}
