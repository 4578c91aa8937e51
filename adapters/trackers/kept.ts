import { join } from "node:path";
import { z } from "zod";
import { contentOf, makePrivateFolder, ralphFolderOf, writeWhole } from "./core.ts";

/** What is known of an issue, so that the next sync asks less. Without it everything is looked up again, and nothing is done twice. */
const keptIssue = z.object({ updated: z.string(), told: z.array(z.string()), lastComment: z.number() });
type KeptIssue = z.infer<typeof keptIssue>;
const schema = z.record(z.string(), keptIssue);

export interface Kept {
  of(issue: number): KeptIssue;
  set(issue: number, kept: KeptIssue): void;
  save(): void;
}

export function openKept(readModelPath: string, kind: string, repository: string): Kept {
  const folder = join(ralphFolderOf(readModelPath), "trackers");
  const path = join(folder, `${kind}-${repository.replaceAll("/", "-")}.json`);
  const kept = new Map(Object.entries(read(path)));
  return {
    of: (issue) => kept.get(String(issue)) ?? { updated: "", told: [], lastComment: 0 },
    set: (issue, now) => void kept.set(String(issue), now),
    save() {
      makePrivateFolder(folder);
      writeWhole(path, `${JSON.stringify(Object.fromEntries(kept))}\n`);
    },
  };
}

function read(path: string): z.infer<typeof schema> {
  try {
    return schema.safeParse(JSON.parse(contentOf(path) ?? "{}")).data ?? {};
  } catch {
    return {};
  }
}
