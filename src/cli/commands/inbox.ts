import type { Command } from "commander";
import type { Decision } from "../../decisions/decide.ts";
import {
  actOnGateItem,
  answerQuestion,
  approveItem,
  dismissItem,
  rejectItem,
  resolveBlocker,
  undo,
} from "../../decisions/inbox.ts";
import type { State } from "../../decisions/state.ts";
import { acceptTask, sendBackTask } from "../../decisions/tasks.ts";
import { deniedWords } from "../../events/types/denied-words.ts";
import type { GateAction } from "../../events/types/gates.ts";
import { taskIn } from "../../events/types/subject.ts";
import { visibleLines } from "../../events/visible.ts";
import { decidedLines } from "../../operations/decided-gates.ts";
import { choicesOf, inboxKey } from "../../projections/queries/inbox.ts";
import type { InboxItem } from "../../projections/queries/inbox-item.ts";
import { pc, print, printJson, quoteLine } from "../../terminal/output.ts";
import {
  type CommonOptions,
  guarded,
  parseId,
  readingOptions,
  withProject,
  writingOptions,
} from "../command.ts";
import { changeOf, commandFor, hintFor } from "../inbox-hints.ts";
import { type PageOptions, pageOptions, printPage } from "../paging.ts";

export function addInbox(program: Command): void {
  const group = program.command("inbox").description("what waits for a human, and what to do about it");
  addList(group);
  act(
    group,
    "answer",
    "answer a question; the answer goes into the next prompt",
    "42 'Sync, with a simple retry.'",
    {
      text: "the answer",
      plan: (id, answer) => () => answerQuestion({ id, answer }),
    },
  );
  act(group, "resolve", "say that a blocker is out of the way", "43", {
    plan: (id) => () => resolveBlocker({ id }),
  });
  act(group, "dismiss", "say that a question or a blocker does not matter", "42", {
    plan: (id) => (state) => dismissItem({ id }, state),
  });
  act(group, "approve", "approve a task that an agent proposed, or gates that one declared", "44", {
    plan: (id) => (state) => approveItem({ id }, state),
  });
  act(group, "reject", "reject such a task or such gates: it is skipped, and so are they", "44", {
    plan: (id) => (state) => rejectItem({ id }, state),
  });
  for (const [action, effect] of ON_GATE) {
    act(group, action, `decide on an escalated gate: ${effect}`, "45", {
      plan: (id) => () => actOnGateItem({ id, action }),
    });
  }
  act(group, "undo", "take back an act on an item, until the next session of its task starts", "42", {
    plan: (id) => (state) => undo({ id }, state),
  });
  act(group, "accept", "accept a verified done: the task is done", "7", {
    of: "task",
    plan: (task) => () => acceptTask({ task }),
  });
  act(
    group,
    "send-back",
    "do not accept a verified done: the task is pending again",
    "7 'The header is missing.'",
    {
      of: "task",
      text: "what is to be done yet",
      plan: (task, comment) => () => sendBackTask({ task, comment }),
    },
  );
}

const ON_GATE: readonly (readonly [action: GateAction, effect: string])[] = [
  ["retry", "its attempts begin anew"],
  ["skip", "it counts as passed"],
  ["abort", "the task fails"],
];

function addList(group: Command): void {
  interface Options extends CommonOptions, PageOptions {
    readonly all?: boolean;
  }
  const command = group
    .command("list", { isDefault: true })
    .description("list what waits for a human")
    .option("--all", "questions and blockers too that are only information");
  readingOptions(pageOptions(command))
    .addHelpText("after", "\nExample:\n  signalbox inbox list --json")
    .action(({ all = false, after, ...options }: Options) =>
      guarded(() =>
        withProject(options, ({ queries }) =>
          printPage(
            "inbox",
            options,
            (limit) => queries.inbox({ all, after, limit }),
            inboxKey,
            (items) => {
              if (items.length === 0) print(`Nothing ${after === undefined ? "" : "more "}waits for you.`);
              for (const item of items) showItem(item);
            },
          ),
        ),
      ),
    );
}

interface Act {
  /** What the id is of; absent: an item of the inbox. */
  readonly of?: "task";
  /** What a second argument means; absent: there is none. */
  readonly text?: string;
  plan(id: number, text: string): (state: State) => Decision;
}

function act(
  group: Command,
  name: string,
  description: string,
  example: string,
  { of, text, plan }: Act,
): void {
  const command = group
    .command(name)
    .description(description)
    .argument("<id>", of === "task" ? "the task's id" : "as the list shows it", parseId);
  writingOptions(text === undefined ? command : command.argument("<text>", text))
    .addHelpText("after", `\nExample:\n  signalbox inbox ${name} ${example}`)
    .action((id: number, ...rest: unknown[]) =>
      guarded(async () => {
        // Commander passes the arguments, then the options, then the command itself.
        const options = rest.at(-2) as CommonOptions;
        const given = text === undefined ? "" : String(rest[0]);
        await withProject(options, async (project) => {
          const events = await project.decideOn(plan(id, given), options.key);
          const [event] = events;
          const of = taskIn(event.payload);
          const task = of === undefined ? undefined : await project.queries.taskRow(of);
          if (options.json) printJson({ id, act: event.type, position: event.position, task });
          else {
            print(`${event.type} at position ${event.position}; task ${task?.id} is ${task?.status}.`);
            const decided = await project.ask((readModel) => decidedLines(readModel, events));
            for (const line of decided) print(line);
          }
        });
      }),
    );
}

const SYMBOLS: Readonly<Record<InboxItem["kind"], string>> = {
  question: "❓",
  blocker: "🚫",
  contest: "⚖",
  proposal: "🤖",
  gate_approval: "🔑",
  gate: "⛔",
  acceptance: "✋",
  hold: "⏸",
  merge: "🔀",
  flag: "🚩",
};

/** So much of what belongs to a merge is shown, its end: the commands. */
const MERGE_LINES = 12;

/** An item of the inbox, with the command that deals with it. */
export function showItem(item: InboxItem): void {
  const isApproval = item.kind === "gate_approval";
  const text = isApproval ? visibleLines(item.text).join("\n     ") : quoteLine(item.text, 100);
  print(`${SYMBOLS[item.kind]} ${pc.bold(String(item.id))}  ${text}`);
  const state = isApproval ? "an agent wants this to be run" : `${item.kind} ${item.state}`;
  print(pc.dim(`     task ${item.task} ${quoteLine(item.task_title, 60)} · ${state}`));
  if (item.feature !== null && !item.feature_exists) {
    print(`     names the feature ${quoteLine(item.feature, 40)}, which does not exist`);
  }
  if (item.kind === "merge") {
    for (const line of (item.detail ?? "").split("\n").slice(-MERGE_LINES))
      if (line !== "" && line !== commandFor(item)) print(`     ${quoteLine(line, 200)}`);
  }
  if (item.ended !== null) print(`     ${quoteLine(item.ended, 300)}`);
  if (item.denied.length > 0)
    print(
      pc.yellow(`     denied: ${quoteLine(deniedWords(item.denied), 200)}  (docs/clients.md#permissions)`),
    );
  if (item.changed.length > 0) print(pc.yellow(`     ${changeOf(item)}`));
  for (const choice of choicesOf(item)) {
    print(`     • ${quoteLine(choice)}${choice === item.preferred ? pc.green(" (preferred)") : ""}`);
  }
  print(pc.dim(`     ${hintFor(item)}`));
}
