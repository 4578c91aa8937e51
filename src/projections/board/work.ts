import type { Event } from "../../events/types/index.ts";
import { filesFingerprint } from "../../lib/files-fingerprint.ts";
import type { Board } from "./tables.ts";

/** A session ends once, and so does its work. */
export function recordWork(rows: Board, { position, payload }: Event<"session.work">): void {
  const { session: session_id, task: task_id = null, findings, files, more } = payload;
  if (rows.sessionWork.get(session_id)) return;
  const { start, head = null, base = null, fork = null, tree_after, commits, added, removed } = payload;
  const { outside = [] } = payload;
  rows.sessionWork.insert({
    ...{ session_id, task_id, start, head, base, fork, commits },
    fingerprint: tree_after === undefined ? null : filesFingerprint(tree_after),
    ...{ files: files.length + more, added, removed, outside: JSON.stringify(outside), position },
  });
  for (const [place, finding] of findings.entries())
    rows.sessionFindings.insert({
      ...{ session_id, nth: place + 1, task_id, kind: finding.kind, says: finding.says },
      ...{
        paths: JSON.stringify(finding.paths),
        more: finding.more,
        refs: JSON.stringify(finding.refs),
        led_to: null,
        position,
      },
    });
}
