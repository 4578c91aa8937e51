import type { Options } from "./options.ts";
import type { Section } from "./report.ts";
import type { Scratch } from "./scratch.ts";

export interface Bench {
  /** What `--only` takes. */
  readonly name: string;
  /** After so many seconds it is ended, and the next one begins; absent: 60. */
  readonly limit_s?: number;
  run(context: Context): Promise<Section>;
}

export interface Context extends Options {
  readonly scratch: Scratch;
}
