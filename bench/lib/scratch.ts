import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileSystemOf } from "./machine.ts";

/** A folder for a run's files, removed at the end. */
export class Scratch {
  readonly folder: string;
  #count = 0;

  /** @throws Error if the folder is in memory without being meant to: an fsync costs nothing there. */
  constructor(parent: string, { inMemory = false } = {}) {
    mkdirSync(parent, { recursive: true });
    this.folder = mkdtempSync(join(resolve(parent), "run-"));
    if (!inMemory && fileSystemOf(this.folder) === "tmpfs") {
      this.remove();
      throw new Error(
        `${parent} is a tmpfs, where an fsync costs nothing. Name a folder on a disk with --folder.`,
      );
    }
  }

  /** A path that is not in use yet. */
  path(name: string): string {
    this.#count += 1;
    return join(this.folder, `${this.#count}-${name}`);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
