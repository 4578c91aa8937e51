import type { InboxItem } from "../queries/inbox-item.ts";

/** Advice about an item of the inbox, for people: the command, and other facts. */
export function hintFor(item: InboxItem): string {
  const command = commandFor(item);
  switch (item.kind) {
    case "blocker":
      return item.other_task === null
        ? command
        : `resolves by itself when task ${item.other_task} is done, or: ${command}`;
    case "contest":
      return `an agent disputes that task ${item.other_task} is done; ${command}`;
    case "plan":
      return `${command}   or   --only 3,5-7   or   reject plan-${item.plan}`;
    case "proposal":
      return `${command}   or   reject ${item.id}   (task ${item.other_task})`;
    case "gate_approval":
      return `${command}   or   reject ${item.id}   (it does not run until then)`;
    case "merge":
      return item.state === "conflicted" || item.state === "gate_failed"
        ? `${command}   or   merge reopen ${item.task} (for an agent)   or   merge withdraw ${item.task}`
        : `${command}   or   merge withdraw ${item.task}`;
    case "stall":
      return `${command}   or   split ${item.task} TITLE TITLE   or   task set ${item.task} --status failed`;
    case "acceptance":
      return `${command}   or   send-back ${item.task} TEXT`;
    default:
      return command;
  }
}

/** The command for an item. */
export function commandFor(item: InboxItem): string {
  switch (item.kind) {
    case "question":
      return `signalbox inbox answer ${item.id} TEXT`;
    case "blocker":
      return `signalbox inbox resolve ${item.id}`;
    case "setup":
      return 'mend it, or "setup" of "worktrees" in .ralph/config.json: signalbox run tries it again';
    case "stall":
      return `signalbox inbox continue ${item.task} HINT`;
    case "hold":
      return `signalbox task set ${item.task} --status pending`;
    case "contest":
      return `signalbox task set ${item.other_task} --status pending`;
    case "proposal":
    case "gate_approval":
      return `signalbox inbox approve ${item.id}`;
    case "plan":
      return `signalbox inbox approve plan-${item.plan}`;
    case "gate":
      return `signalbox inbox retry|skip|abort ${item.id}`;
    case "acceptance":
      return `signalbox inbox accept ${item.task}`;
    case "merge":
      return `signalbox merge queue ${item.task}`;
    case "flag":
      return `signalbox inbox acknowledge ${item.id}`;
  }
}

/**
 * The note about an edited proposal, with the command that shows all of it; empty for an unchanged
 * one.
 */
export function changeOf({ changed, other_task }: InboxItem): string {
  if (changed.length === 0) return "";
  return `changed since it was proposed: ${changed.join(", ")} (signalbox task show ${other_task})`;
}
