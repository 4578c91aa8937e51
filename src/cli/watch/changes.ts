import { concatMap, map, type Observable, startWith } from "rxjs";
import type { Project } from "../../api/project.ts";
import { definitionOf, type Event } from "../../events/types/index.ts";
import { taskIn } from "../../events/types/subject.ts";
import { commandFor } from "../../operations/inbox-hints.ts";
import { inboxKey } from "../../queries/inbox.ts";
import type { InboxItem } from "../../queries/inbox-item.ts";
import { lookAt, type SeenOverview } from "./live.ts";

/** Something that changed in the view, with the position at which it did; the first one says what there is. */
export type Change = { readonly position: number } & (
  | ({ readonly change: "start" } & SeenOverview)
  | {
      readonly change: "session" | "signal" | "agent" | "loop";
      readonly type: string;
      readonly session: string | null;
      readonly task: number | null;
      /** As a timeline shows it. */
      readonly text: string;
      readonly payload: Event["payload"];
    }
  | {
      readonly change: "task";
      readonly task: number;
      readonly from: string | null;
      readonly to: string;
      readonly rule: string;
    }
  | { readonly change: "deleted"; readonly task: number }
  | ({ readonly change: "overlap" } & SeenOverview["overlaps"][number])
  | { readonly change: "came"; readonly item: InboxItem; readonly command: string }
  | { readonly change: "left"; readonly item: InboxItem }
);

/** What the view shows now, then each change of it in log order, from any process; none is left out. */
export function changes(project: Project, after: number): Observable<Change> {
  let before: SeenOverview | undefined;
  return project.log.follow(after).pipe(
    map((events) => events.at(-1)?.position ?? 0),
    startWith(after),
    concatMap(async (position) => {
      // A look shows all up to the head; notices of what it has shown need no other one.
      if (before && position <= before.position) return [];
      const now = await lookAt(project);
      const found = before ? await between(project, before, now) : [startOf(now)];
      before = now;
      return found;
    }),
    concatMap((found) => found),
  );
}

function startOf({ position, ...now }: SeenOverview): Change {
  return { position, change: "start", ...now };
}

async function between(project: Project, before: SeenOverview, now: SeenOverview): Promise<Change[]> {
  if (now.position <= before.position) return [];
  const found = await eventsBetween(project, before.position, now.position);
  for (const { position, task_id, from_status, to_status, rule } of await project.queries.statusChangesAfter(
    before.position,
  )) {
    if (position > now.position) break;
    found.push({ position, change: "task", task: task_id, from: from_status, to: to_status, rule });
  }
  // A stable sort: of one position, the event stands before what it changed.
  found.sort((a, b) => a.position - b.position);
  return [...found, ...overlapsBetween(before, now), ...inboxBetween(before, now)];
}

async function eventsBetween(project: Project, after: number, until: number): Promise<Change[]> {
  const found: Change[] = [];
  for (let position = after; position < until; ) {
    const events = await project.log.read(position, until - position);
    if (events.length === 0) break;
    for (const event of events) {
      const change = await changeOf(project, event);
      if (change) found.push(change);
    }
    position += events.length;
  }
  return found;
}

/** What the view shows of an event itself; acts of humans show by what they change, but for a deletion, which changes no status. */
async function changeOf(project: Project, event: Event): Promise<Change | undefined> {
  if (event.type === "task.deleted") {
    return { position: event.position, change: "deleted", task: event.payload.task };
  }
  const { position, type, payload } = event;
  const change = FAMILIES.find((family) => type.startsWith(`${family}.`));
  if (!change) return undefined;
  const session = "session" in payload ? (payload.session ?? null) : null;
  const task =
    taskIn(payload) ?? (session === null ? null : ((await project.queries.session(session))?.task ?? null));
  const text = definitionOf(type)?.timeline(payload) ?? "";
  return { position, change, type, session, task, text, payload };
}

const FAMILIES = ["session", "signal", "agent", "loop"] as const;

/** Files that two running sessions change since then. */
function overlapsBetween(before: SeenOverview, { overlaps, position }: SeenOverview): Change[] {
  const had = new Set(before.overlaps.map((overlap) => JSON.stringify(overlap)));
  return overlaps
    .filter((overlap) => !had.has(JSON.stringify(overlap)))
    .map((overlap) => ({ position, change: "overlap", ...overlap }));
}

function inboxBetween(before: SeenOverview, { inbox, position }: SeenOverview): Change[] {
  const had = new Set(before.inbox.map(inboxKey));
  const has = new Set(inbox.map(inboxKey));
  return [
    ...before.inbox
      .filter((item) => !has.has(inboxKey(item)))
      .map((item) => ({ position, change: "left" as const, item })),
    ...inbox
      .filter((item) => !had.has(inboxKey(item)))
      .map((item) => ({ position, change: "came" as const, item, command: commandFor(item) })),
  ];
}
