import { readFileSync, rmSync } from "node:fs";
import { z } from "zod";
import { writeWhole } from "../../lib/write-whole.ts";
import { identityOf, runs } from "../../processes/identity.ts";
import { RUNNER } from "./family.ts";

const lockHolder = z.object({
  host: z.string(),
  pid: z.int(),
  /** With the number it tells a process from a later one of the same number. */
  began: z.string().optional(),
  /** In which the number counts. */
  pid_namespace: z.string().optional(),
  /** By this the commands that it runs are marked. */
  runner: z.uuid(),
  purpose: z.string().optional(),
});

/** Who has a lock, or had it and died. It is for those who wait and who clean up; the lock itself does not depend on it. */
export type LockHolder = z.infer<typeof lockHolder>;

/** This process has the lock. */
export function noteHolder(path: string, purpose: string | undefined): void {
  const holder: LockHolder = { ...identityOf(process.pid), runner: RUNNER, ...(purpose && { purpose }) };
  writeWhole(besideOf(path), JSON.stringify(holder));
}

export function forgetHolder(path: string): void {
  rmSync(besideOf(path), { force: true });
}

/** Undefined where nobody has said so, or not in words that can be read. */
export function readHolder(path: string): LockHolder | undefined {
  try {
    return lockHolder.parse(JSON.parse(readFileSync(besideOf(path), "utf8")));
  } catch {
    return undefined;
  }
}

/** Whether it is known that the process does not run any more, though another may have its number. */
export function hasDied(holder: LockHolder): boolean {
  return runs(holder) === false;
}

function besideOf(path: string): string {
  return `${path}.holder`;
}
