import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { builtPath } from "../../src/lib/package-root.ts";
import { signalboxApart } from "./cli.ts";
import { freshFolder } from "./project.ts";

/** What a run of the program loads, with its code: files, and modules of the program by names such as `cli_main`. */
export interface Loaded {
  readonly name: string;
  readonly code: string;
}

/** What a run of the program loads, by what Node reports of its coverage. */
export async function loadedScripts(
  args: readonly string[],
  { env = {}, input = "" }: { env?: Record<string, string>; input?: string } = {},
): Promise<Loaded[]> {
  const folder = freshFolder();
  // Node reports when a process ends.
  await signalboxApart(args, {
    env: { ...env, NODE_V8_COVERAGE: folder },
    input,
  });
  return readdirSync(folder).flatMap((file) =>
    coverage
      .parse(JSON.parse(readFileSync(join(folder, file), "utf8")))
      .result.flatMap((script): Loaded[] => {
        const { url, functions } = script;
        if (url.startsWith("file:")) return [{ name: fileURLToPath(url), code: codeOf(fileURLToPath(url)) }];
        if (!url.startsWith("signalbox:")) return [];
        // Of a pack those modules that ran (scripts/start.cjs).
        const pack = codeOf(builtPath(`${url.slice("signalbox:".length)}.pack`));
        return functions.flatMap(({ functionName: name, ranges: [whole] }) => {
          // A module stands by its number.
          const isModule = /\d:$/.test(pack.slice(0, whole.startOffset).slice(-2));
          return isModule && whole.count > 0
            ? [{ name, code: pack.slice(whole.startOffset, whole.endOffset) }]
            : [];
        });
      }),
  );
}

const codeOf = (path: string): string => readFileSync(path, "utf8");

const range = z.object({ startOffset: z.number(), endOffset: z.number(), count: z.number() });
const ran = z.object({ functionName: z.string(), ranges: z.tuple([range], range) });
const coverage = z.object({ result: z.array(z.object({ url: z.string(), functions: z.array(ran) })) });
