import type { Observable } from "rxjs";
import type { Config } from "../config/config.ts";
import type { Project } from "../project/project.ts";
import type { Step } from "./steps.ts";

/** The environment of a session. */
export interface Surroundings {
  readonly project: Project;
  readonly readModelPath: string;
  readonly config: Config;
  /** Emits a reason once the loop must stop at once. */
  readonly cancel: Observable<string>;
  readonly tell: (step: Step) => void;
}
