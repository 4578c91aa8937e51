import { once } from "node:events";

/** Resolves when somebody wants this process to end. */
export function stopped(): Promise<unknown> {
  return Promise.race(["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => once(process, signal)));
}
