/** What one check found. */
export interface Finding {
  /** Such as `node` or `log`: the same in every version, for scripts. */
  readonly name: string;
  /** `warning`: it works, and should be looked at; `skipped`: it could not be tried here. */
  readonly state: "ok" | "warning" | "failed" | "skipped";
  /** What is there, in words. */
  readonly found: string;
  /** What to do about it. */
  readonly mend?: string;
}

/** Looks at one thing and changes nothing. What it throws is its finding, too: `failed`. */
export interface Check {
  readonly name: string;
  look(place: Place): Promise<readonly Finding[]> | readonly Finding[];
}

/** Where the checks look. */
export interface Place {
  /** The folder that the user is in. */
  readonly cwd: string;
  /** The project's read model; undefined where there is no project. */
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
