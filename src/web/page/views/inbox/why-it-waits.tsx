import type { ComponentChildren } from "preact";
import { visible } from "../../../../events/visible.ts";
import { TaskLink } from "../../parts/links.tsx";
import type { WholeItem } from "./handling.ts";

/** In a sentence what it holds up, and what ends that (rules.md, Settlement and Humans). */
export function WhyItWaits({ item }: { readonly item: WholeItem }) {
  return <p class="why-it-waits">{sentenceOf(item)}</p>;
}

function sentenceOf(item: WholeItem): ComponentChildren {
  const task = (id: number | null) => id !== null && <TaskLink id={id}>task {id}</TaskLink>;
  const { kind, state, other_task: other } = item;
  switch (kind) {
    case "question":
      return state === "raised"
        ? "Its session still runs. An answer goes into the next prompt of the task."
        : "The task waits for an answer, which goes into its next prompt.";
    case "blocker":
      return other === null ? (
        "The task is blocked until somebody resolves or dismisses this."
      ) : (
        <>It resolves by itself when {task(other)} is done or skipped.</>
      );
    case "contest":
      return <>{task(other)} is done or skipped, and the agent says that it is not good enough.</>;
    case "proposal":
      return (
        <>
          An agent proposes it; {task(other)} is a draft until you decide.
          {item.feature !== null &&
            !item.feature_exists &&
            ` It names the feature “${visible(item.feature)}”, which does not exist.`}
        </>
      );
    case "gate_approval":
      return "An agent wants this to be run. None of it is, and the task is not ready, until you decide.";
    case "gate":
      return `The last attempt ${item.ended ?? "is not known"}. It is not run again until you decide.`;
    case "acceptance":
      return "Its agent says that it is done, and its gates bear that out. It waits to be accepted.";
    case "hold":
      return "No loop starts it again until you let it.";
    case "merge":
      return WHY_MERGE_WAITS[state];
    case "flag":
      return (
        <>
          {item.of_kind !== null && `A flag of the category ${item.of_kind}. `}It is only shown, and goes when
          the next session of {task(item.task)} starts.
        </>
      );
  }
}

const MEND = "Mend it by these commands, or let an agent do it.";
const WHY_MERGE_WAITS: Readonly<Record<string, string>> = {
  proposed: "Merged when you say so.",
  conflicted: MEND,
  gate_failed: MEND,
  waiting: "A loop tries it again.",
};
