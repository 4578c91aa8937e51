import { rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { makePrivateFolder } from "../../lib/private-folder.ts";
import { identityOf, runs } from "../../lib/processes/identity.ts";
import { runFolderBeside } from "../../lib/project-folder.ts";
import { contentOf, writeWhole } from "../../lib/write-whole.ts";

/** The origins of a server, such as `http://127.0.0.1:4100`. */
export interface ServerPlace {
  /** As agents reach it. */
  readonly origin: string;
  /** On this machine, whatever stands before it. */
  readonly local: string;
}

/** Says where this process serves `/mcp`, for who launches sessions, and for `signalbox health`. */
export function tellServer(readModelPath: string, { origin, local }: ServerPlace): { remove(): void } {
  const path = pathFor(readModelPath);
  makePrivateFolder(runFolderBeside(readModelPath));
  const text = JSON.stringify({ url: `${origin}/mcp`, local, process: identityOf(process.pid) });
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
  const told = readServer(readModelPath);
  return told && runs(told.process) !== false ? told.url : undefined;
}

/** The origin on this machine of the server that was started last, if it runs here: in this container, where there are containers. */
export function servedHere(readModelPath: string): string | undefined {
  const told = readServer(readModelPath);
  return told && runs(told.process) === true ? told.local : undefined;
}

function readServer(readModelPath: string): z.infer<typeof schema> | undefined {
  return z.safeParse(schema, JSON.parse(contentOf(pathFor(readModelPath)) ?? "null")).data;
}

const schema = z.object({
  url: z.string(),
  /** Absent in what older programs wrote. */
  local: z.string().optional(),
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
