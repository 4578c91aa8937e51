import { rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { makePrivateFolder } from "../../events/private-folder.ts";
import { runFolderBeside } from "../../events/project-folder.ts";
import { contentOf, writeWhole } from "../../lib/write-whole.ts";
import { identityOf, runs } from "../../processes/identity.ts";

/** Says where this process serves `/mcp`, for who launches sessions. @param origin such as `http://127.0.0.1:4100` */
export function tellServer(readModelPath: string, origin: string): { remove(): void } {
  const path = pathFor(readModelPath);
  makePrivateFolder(runFolderBeside(readModelPath));
  const text = JSON.stringify({ url: `${origin}/mcp`, process: identityOf(process.pid) });
  writeWhole(path, `${text}\n`);
  return {
    remove() {
      // Another one may have come since.
      if (contentOf(path) === `${text}\n`) rmSync(path, { force: true });
    },
  };
}

/** The address of `/mcp` at the server that was started last; undefined if it does not run. */
export function servedAt(readModelPath: string): string | undefined {
  const parsed = z.safeParse(schema, JSON.parse(contentOf(pathFor(readModelPath)) ?? "null"));
  return parsed.success && runs(parsed.data.process) !== false ? parsed.data.url : undefined;
}

const schema = z.object({
  url: z.string(),
  process: z.object({
    host: z.string(),
    pid: z.number(),
    began: z.string().optional(),
    pid_namespace: z.string().optional(),
  }),
});

function pathFor(readModelPath: string): string {
  return join(runFolderBeside(readModelPath), "server.json");
}
