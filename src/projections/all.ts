import { acceptances } from "./acceptances.ts";
import { agents } from "./agents.ts";
import { board } from "./board/index.ts";
import { comments } from "./comments.ts";
import { disciplines } from "./disciplines.ts";
import { features } from "./features.ts";
import { gateRuns } from "./gate-runs.ts";
import { hosts } from "./hosts.ts";
import { learnings } from "./learnings.ts";
import { loops } from "./loops.ts";
import { notices } from "./notices.ts";
import { pause } from "./pause.ts";
import { project } from "./project.ts";
import type { Projection } from "./projection.ts";
import { prompts } from "./prompts.ts";
import { questionActs } from "./question-acts.ts";
import { repetitions } from "./repetitions.ts";
import { taskActs } from "./task-acts.ts";
import { workspaces } from "./workspaces.ts";

const each = [
  board,
  comments,
  gateRuns,
  learnings,
  features,
  disciplines,
  agents,
  workspaces,
  prompts,
  loops,
  hosts,
  pause,
  repetitions,
  project,
  acceptances,
  questionActs,
  taskActs,
  notices,
] as const satisfies readonly Projection[];

/** Every projection of the read model. Adding one: define it in a file of its own and list it above. */
export const projections: readonly Projection[] = each;

/** The tables of all projections, for the compiler. */
export type KnownProjection = (typeof each)[number];

/** The tables that decisions look at, by their names in `State`. */
export const decidedOn = {
  ...board.tables,
  ...features.tables,
  ...disciplines.tables,
  ...comments.tables,
  learnings: learnings.tables.learnings,
  learningSources: learnings.tables.sources,
  ...prompts.tables,
  ...hosts.tables,
  ...pause.tables,
  ...loops.tables,
  ...notices.tables,
};
