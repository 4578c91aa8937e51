import type { Observable } from "rxjs";
import type { Config } from "../config/config.ts";
import type { Project } from "../project/project.ts";
import type { Step } from "./steps.ts";

/** What a session runs in. */
export interface Surroundings {
  readonly project: Project;
  readonly readModelPath: string;
  readonly config: Config;
  /** Gives a reason once the loop is to end at once. */
  readonly cancel: Observable<string>;
  readonly tell: (step: Step) => void;
}
