import type { TestProject } from "vitest/node";
import { ask } from "./ask.ts";
import { findPrograms, namedServer } from "./programs.ts";
import { startServer } from "./server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The server that all test files of a run share, and the beginning of the names of their schemas. */
    postgres: { readonly url: string; readonly prefix: string } | undefined;
  }
}

/** Vitest calls it before the first test of the project `postgres`, and what it returns after the last one. */
export default async function provideServer(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  const prefix = `signalbox_test_${process.pid}_${Date.now().toString(36)}`;
  const named = namedServer();
  if (named !== undefined) {
    project.provide("postgres", { url: named, prefix });
    return () => dropMade(named, prefix);
  }
  project.provide("postgres", undefined);
  // The need `postgresql` skips the tests, or lets them fail.
  if (findPrograms() === undefined) return undefined;
  const server = await startServer({
    settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off" },
  });
  project.provide("postgres", { url: server.url, prefix });
  return () => server.stop();
}

/** A named server is not ours: what the run made there goes. */
async function dropMade(url: string, prefix: string): Promise<void> {
  const rows = await ask<{ name: string }>(
    url,
    "SELECT nspname AS name FROM pg_namespace WHERE starts_with(nspname, $1)",
    [prefix],
  );
  for (const { name } of rows) await ask(url, `DROP SCHEMA "${name}" CASCADE`);
  const roles = await ask<{ name: string }>(
    url,
    "SELECT rolname AS name FROM pg_roles WHERE starts_with(rolname, $1)",
    [prefix],
  );
  // A role may have rights that others granted it on what is left.
  for (const { name } of roles) await ask(url, `DROP OWNED BY "${name}"; DROP ROLE "${name}"`);
}
