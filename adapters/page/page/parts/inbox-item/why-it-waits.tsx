import type { ComponentChildren } from "preact";
import { visible } from "../../core.ts";
import { TaskLink } from "../links.tsx";
import type { WholeItem } from "./handling.ts";

/** Why the item waits, and what ends that (docs/rules.md, Settlement, Humans). */
export function WhyItWaits({ item }: { readonly item: WholeItem }) {
  return <p class="why-it-waits">{sentenceOf(item)}</p>;
}

function sentenceOf(item: WholeItem): ComponentChildren {
  const task = (id: number | null) => id !== null && <TaskLink id={id}>task {id}</TaskLink>;
  const { kind, state, other_task: other } = item;
  switch (kind) {
    case "question":
      return state === "raised"
        ? "Its session is still running. Your answer goes into the task's next prompt."
        : "The task is waiting for your answer, which goes into its next prompt.";
    case "blocker":
      return other === null ? (
        "The task is blocked until someone resolves or dismisses this."
      ) : (
        <>This resolves automatically when {task(other)} is done or skipped.</>
      );
    case "contest":
      return <>{task(other)} is done or skipped, but an agent says the result is not good enough.</>;
    case "proposal":
      if (item.of_kind === "edit")
        return "Somebody who is none of the project’s people edited the issue. The task keeps its words until you decide.";
      return (
        <>
          An agent proposed this; {task(other)} stays a draft until you decide.
          {item.feature !== null &&
            !item.feature_exists &&
            ` It names the feature “${visible(item.feature)}”, which does not exist.`}
        </>
      );
    case "gate_approval":
      return "An agent asks to run this. Nothing runs, and the task is not ready, until you decide.";
    case "gate":
      return `The last attempt ${item.ended ?? "is unknown"}. The gate does not run again until you decide.`;
    case "acceptance":
      return item.detail === null
        ? "The agent says the task is done, and its gates confirm it. Accept it or send it back."
        : "The agent says the task is done. Look at what was found in its workspace; then accept it or send it back.";
    case "stall":
      return "No loop starts it again until you decide.";
    case "setup":
      return "No task gets a new worktree until it passes. A loop tries it again; mend what it needs, or the configuration.";
    case "hold":
      return "No loop starts it again until you set it to pending.";
    case "merge":
      return WHY_MERGE_WAITS[state];
    case "flag":
      return (
        <>
          {item.of_kind !== null && `Category: ${item.of_kind}. `}It needs no answer: it leaves the inbox when
          you acknowledge it, or when the next session of {task(item.task)} starts.
        </>
      );
  }
}

const MEND = "Fix it with these commands, or let an agent do it.";
const WHY_MERGE_WAITS: Readonly<Record<string, string>> = {
  proposed: "A loop merges it when you choose merge.",
  conflicted: MEND,
  gate_failed: MEND,
  waiting: "A loop will retry it.",
};
