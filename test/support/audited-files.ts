import { systemEnvironment } from "../../src/decisions/system-environment.ts";
import { logToAudit } from "../../src/events/open-log.ts";
import type { Checkpoint } from "../../src/history/audit/checkpoint.ts";
import { type ProofOptions, prove as proveIn } from "../../src/history/audit/prove.ts";
import { readTree as readTreeOf } from "../../src/history/audit/tree.ts";
import { verifyLog as verifyLogIn } from "../../src/history/audit/verify-log.ts";

/* The audit of a log's file by its path, as the commands do it: the log is not opened. */
const fileAt = (path: string) => logToAudit({ path }, systemEnvironment());

export const verifyLog = (path: string, heads?: readonly Checkpoint[]) => verifyLogIn(fileAt(path), heads);

export const readTree = (path: string, sizes?: readonly number[]) => readTreeOf(fileAt(path), sizes);

export const prove = (path: string, position: number, options?: ProofOptions) =>
  proveIn(fileAt(path), position, options);
