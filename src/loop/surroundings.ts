import type { Observable } from "rxjs";
import type { Project } from "../api/project.ts";
import type { Config } from "../config/config.ts";
import type { Stop } from "./agent/verdict.ts";
import type { Step } from "./steps.ts";
import type { Ways } from "./ways.ts";

/** The environment of a session. */
export interface Surroundings extends Ways {
  readonly project: Project;
  readonly readModelPath: string;
  readonly config: Config;
  /** Emits why running agents must end: the loop stops at once, or its host is cut off. */
  readonly cancel: Observable<Stop>;
  readonly tell: (step: Step) => void;
}
