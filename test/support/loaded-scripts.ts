import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { builtPath } from "../../src/lib/package-root.ts";
import { signalbox } from "./cli.ts";
import { freshFolder } from "./project.ts";

/** The scripts that a run of the program loads, by what Node reports of its coverage. */
export async function loadedScripts(
  args: readonly string[],
  { env = {}, input = "" }: { env?: Record<string, string>; input?: string } = {},
): Promise<string[]> {
  const folder = freshFolder();
  await signalbox(args, { env: { ...env, NODE_V8_COVERAGE: folder }, input });
  return readdirSync(folder).flatMap((file) =>
    coverage.parse(JSON.parse(readFileSync(join(folder, file), "utf8"))).result.flatMap(({ url }) => {
      if (url.startsWith("file:")) return [fileURLToPath(url)];
      // A chunk of the program (scripts/cached-start.mjs).
      return url.startsWith("signalbox:") ? [builtPath(url.slice("signalbox:".length))] : [];
    }),
  );
}

const coverage = z.object({ result: z.array(z.object({ url: z.string() })) });
