import type { IssueComment, TrackerAdapter } from "./adapter.ts";
import {
  actOnItem,
  actsOn,
  decide,
  eventAt,
  findPerson,
  type InboxItem,
  idFromKey,
  inboxKey,
  inboxOfTask,
  isAtLeast,
  type People,
  type Project,
  personOf,
  roleForItem,
  shorten,
  ToldError,
} from "./core.ts";

/** A comment that acts: `/answer 12 Sync, please.`, or with `/signalbox` before it: `/signalbox approve 12`. */
interface Command {
  readonly act: string;
  readonly id: number | undefined;
  readonly text: string | undefined;
}

/** @returns undefined for a comment that is none */
function commandIn({ body }: Pick<IssueComment, "body">): Command | undefined {
  const [, act, id, text] =
    /^\/(?:signalbox[ \t]{1,20})?([a-z]{1,20}(?:-[a-z]{1,20}){0,3})(?:[ \t]{1,20}#?(\d{1,12}))?(?:\s(.*))?$/s.exec(
      body.trimEnd(),
    ) ?? [];
  if (act === undefined) return undefined;
  const words = text?.trim() || undefined;
  return { act: act.replaceAll("-", " "), id: id === undefined ? undefined : Number(id), text: words };
}

/** What marks that an item was told on its issue. */
export async function markOfItem({ log }: Project, item: Pick<InboxItem, "kind" | "id">): Promise<string> {
  return `${inboxKey(item)}-${(await eventAt(log, item.id))?.id}`;
}

interface Said {
  readonly issue: number;
  readonly task: number;
  readonly comment: IssueComment;
  /** Whether the issue had a mark before the comment. */
  isTold(what: string): boolean;
}

/**
 * Does what a comment says, as the person whose account wrote it, once.
 *
 * @returns what to reply; undefined: it is none, or nobody's whom the project knows, who gets no reply
 */
export async function answerBy(
  project: Project,
  adapter: Pick<TrackerAdapter, "kind" | "command" | "repository">,
  people: People,
  { issue, task, comment, isTold }: Said,
): Promise<string | undefined> {
  const person = personOf(people, adapter.kind, comment.author);
  const command = person === undefined ? undefined : commandIn(comment);
  if (!command || person === undefined) return undefined;
  const key = `${adapter.kind} ${adapter.repository}#${issue} comment ${comment.id}`;
  // It was recorded, and the reply was cut off.
  if (await project.log.find(idFromKey(key, "0"))) return `Recorded as ${person}'s: ${command.act}.`;
  if (comment.isEdited)
    return "This comment was changed after it was written, perhaps by somebody else, so nothing was recorded. Write a new one.";
  const waiting = await project.ask((tables) => inboxOfTask(tables, task));
  // Without a number only what its writer can have seen there is meant.
  const items: InboxItem[] = [];
  for (const item of waiting)
    if (command.id !== undefined || isTold(await markOfItem(project, item))) items.push(item);
  const found = itemFor(command, items, adapter.command);
  if (typeof found === "string") return `${found} Nothing was recorded.`;
  const role = findPerson(people, person)?.role ?? "watch";
  const needed = roleForItem(found.kind);
  if (!isAtLeast(role, needed))
    return `${person} has the role ${role}; this needs ${needed}. Nothing was recorded.`;
  const { id, kind } = found;
  const { act, text } = command;
  try {
    await decide(
      project.store,
      actOnItem({ id, kind, task: found.task, act, ...(text !== undefined && { text }) }),
      {
        actor: person,
        via: { channel: "tracker", program: adapter.kind },
        key,
      },
    );
  } catch (error) {
    if (error instanceof ToldError && error.fault !== "unusable")
      return `${error.message} Nothing was recorded.`;
    throw error;
  }
  return `Recorded as ${person}'s: ${act} ${id}.`;
}

/** @returns why there is none */
function itemFor(
  { act, id, text }: Command,
  items: readonly InboxItem[],
  prefix: TrackerAdapter["command"],
): InboxItem | string {
  const written = (label: string) => `${prefix}${label.replaceAll(" ", "-")}`;
  // An answer may begin with a number: then it is no id, unless something waits under it.
  const named = id === undefined ? undefined : items.find((item) => item.id === id);
  const able = (named ? [named] : items).filter((item) => actsOn(item).some(({ label }) => label === act));
  const [first, ...others] = able;
  if (id !== undefined && !named)
    return `Nothing waits under ${id} on this task; it may have been settled meanwhile.`;
  if (!first) {
    const ways = [...new Set(items.flatMap((item) => actsOn(item).map(({ label }) => written(label))))];
    return `There is nothing to ${shorten(act, 40)} on this task. ${ways.length > 0 ? `Possible: ${ways.join(", ")}.` : "Nothing waits."}`;
  }
  if (others.length > 0)
    return `Several items wait: name one, as in ${written(act)} ${first.id}${text === undefined ? "" : " TEXT"}.`;
  const found = actsOn(first).find(({ label }) => label === act);
  if (found?.needsOpen)
    return `${first.id} must be seen whole before it is decided on: do that in the panel or on the command line.`;
  if (found?.needsText && text === undefined)
    return `Write the text behind it: ${written(act)} ${first.id} TEXT.`;
  return first;
}
