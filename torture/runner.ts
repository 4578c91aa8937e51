import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Random } from "../bench/lib/random.ts";
import type { Adapter } from "./adapter.ts";
import { type Case, firstLine, type Seen } from "./case.ts";
import { NotModelled } from "./disk.ts";

/** What one case has shown of one tool. */
export interface Row extends Seen {
  readonly adapter: Adapter;
  readonly case: Case;
}

/**
 * Puts a case to a tool, in folders that are removed afterwards. A tool whose answers make no sense has failed.
 *
 * @param installed where the tool's packages are installed
 * @param scale how often things are tried: 1 is a look
 */
export async function runCase(adapter: Adapter, each: Case, installed: string, scale: number): Promise<Row> {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-torture-")));
  let projects = 0;
  const open = async () => {
    const folder = join(parent, `project-${++projects}`);
    mkdirSync(folder);
    mkdirSync(`${folder}-home`);
    const tracker = adapter.open(folder, installed);
    await tracker.setUp();
    return { folder, tracker };
  };
  try {
    return { adapter, case: each, ...(await each.run({ open, random: new Random(1), scale })) };
  } catch (error) {
    const result = error instanceof NotModelled ? "not asked" : "failed";
    return { adapter, case: each, result, what: firstLine(error) };
  } finally {
    rmSync(parent, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
