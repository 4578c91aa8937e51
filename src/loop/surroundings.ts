import type { Observable } from "rxjs";
import type { Config } from "../config/config.ts";
import type { Project } from "../project/project.ts";
import type { Stop } from "./agent/verdict.ts";
import type { Relays } from "./relays.ts";
import type { Step } from "./steps.ts";

/** The environment of a session. */
export interface Surroundings {
  readonly project: Project;
  readonly readModelPath: string;
  readonly config: Config;
  /** Emits why running agents must end: the loop stops at once, or its host is cut off. */
  readonly cancel: Observable<Stop>;
  readonly tell: (step: Step) => void;
  /** Serves the sessions' tools on sockets; absent: clients start servers of their own. */
  readonly relays: Relays | undefined;
}
