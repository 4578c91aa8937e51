import { rmSync } from "node:fs";
import { z } from "zod";
import { parsedJson } from "../../lib/json.ts";
import { identityOf, runs } from "../../lib/processes/identity.ts";
import { contentOf, writeWhole } from "../../lib/write-whole.ts";
import { RUNNER } from "./family.ts";

const lockHolder = z.object({
  host: z.string(),
  pid: z.int(),
  /** With the pid it identifies the process, since pids are reused. */
  began: z.string().optional(),
  /** The namespace of the pid. */
  pid_namespace: z.string().optional(),
  /** Marks the commands that it runs. */
  runner: z.uuid(),
  purpose: z.string().optional(),
});

/**
 * The holder of a lock, or its last, dead holder. Only information for waiting and clean-up; the
 * lock does not depend on it.
 */
export type LockHolder = z.infer<typeof lockHolder>;

/** This process has the lock. */
export function noteHolder(path: string, purpose: string | undefined): void {
  const holder: LockHolder = { ...identityOf(process.pid), runner: RUNNER, ...(purpose && { purpose }) };
  writeWhole(besideOf(path), JSON.stringify(holder));
}

export function forgetHolder(path: string): void {
  rmSync(besideOf(path), { force: true });
}

/** Undefined if missing or unreadable. */
export function readHolder(path: string): LockHolder | undefined {
  return lockHolder.safeParse(parsedJson(contentOf(besideOf(path)) ?? "")).data;
}

/** Whether the process is known to be dead, even if its pid was reused. */
export function hasDied(holder: LockHolder): boolean {
  return runs(holder) === false;
}

function besideOf(path: string): string {
  return `${path}.holder`;
}
