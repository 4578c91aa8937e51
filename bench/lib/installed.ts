import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

/** What bench/package.json names is installed apart from the package's own: `npm ci --prefix bench`. */
const folder = resolve("bench", "node_modules");

export function isInstalled(name: string): boolean {
  return existsSync(join(folder, name, "package.json"));
}

/** A file of an installed package. */
export function installedFile(name: string, ...parts: string[]): string {
  return join(folder, name, ...parts);
}

/**
 * Loads a package at run time, so that types, lint and tests hold where it is not installed.
 *
 * @typeParam Module what the bench uses of it; its documentation is the authority
 */
export function requireInstalled<Module>(name: string): Module {
  return createRequire(resolve("bench", "package.json"))(name);
}
