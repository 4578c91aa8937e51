/** The result of one check. */
export interface Finding {
  /** Such as `node` or `log`: stable between versions, for scripts. */
  readonly name: string;
  /** `warning`: works, but needs attention; `skipped`: could not be checked here. */
  readonly state: "ok" | "warning" | "failed" | "skipped";
  /** The state, in words. */
  readonly found: string;
  /** The remedy. */
  readonly mend?: string;
}

/** Checks one thing and changes nothing. An error counts as a finding: `failed`. */
export interface Check {
  readonly name: string;
  look(place: Place): Promise<readonly Finding[]> | readonly Finding[];
}

/** The subject of the checks. */
export interface Place {
  /** The user's current folder. */
  readonly cwd: string;
  /** The project's read model; undefined if there is no project. */
  readonly readModelPath: string | undefined;
  /** Why there is none, for the user. */
  readonly noProject: string;
  readonly env: NodeJS.ProcessEnv;
}

export function ok(name: string, found: string): Finding {
  return { name, state: "ok", found };
}

export function warning(name: string, found: string, mend: string): Finding {
  return { name, state: "warning", found, mend };
}

export function failed(name: string, found: string, mend: string): Finding {
  return { name, state: "failed", found, mend };
}

export function skipped(name: string, found: string): Finding {
  return { name, state: "skipped", found };
}
