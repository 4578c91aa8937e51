import { readBacklog } from "./backlog.ts";
import { readBeads } from "./beads.ts";
import type { Format, ReadSource } from "./core.ts";
import { readPrd } from "./prd.ts";
import { readRalph } from "./ralph/ralph.ts";

/** The readers of other programs' data; the core asks for them by src/adapters.ts. */
export const readers: Readonly<Record<Format, ReadSource>> = {
  ralph: readRalph,
  prd: readPrd,
  backlog: readBacklog,
  beads: readBeads,
};
