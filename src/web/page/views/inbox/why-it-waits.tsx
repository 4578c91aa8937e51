import { visible } from "../../../../events/visible.ts";
import { TaskLink } from "../../parts/links.tsx";
import type { WholeItem } from "./handling.ts";

const MEND = "The task stays done. Mend it by these commands, or let an agent do it.";
const WHY_MERGE_WAITS: Readonly<Record<string, string>> = {
  proposed: "Its branch is merged when you say so.",
  conflicted: MEND,
  gate_failed: MEND,
  waiting: "It is tried again when the changes are gone.",
};

/** In a sentence what it holds up, and what ends that (rules.md, Settlement and Humans). */
export function WhyItWaits({ item }: { readonly item: WholeItem }) {
  const task = (id: number | null) => id !== null && <TaskLink id={id}>task {id}</TaskLink>;
  const { kind, state, other_task: other } = item;
  switch (kind) {
    case "question":
      return (
        <p class="why-it-waits">
          {state === "raised"
            ? "Its session still runs. An answer goes into the next prompt of the task."
            : "The task waits for an answer, which goes into its next prompt."}
        </p>
      );
    case "blocker":
      return other === null ? (
        <p class="why-it-waits">The task is blocked until somebody resolves or dismisses this.</p>
      ) : (
        <p class="why-it-waits">It resolves by itself when {task(other)} is done or skipped.</p>
      );
    case "contest":
      return (
        <p class="why-it-waits">
          {task(other)} is done or skipped, and the agent says that it is not good enough.
        </p>
      );
    case "proposal":
      return (
        <p class="why-it-waits">
          An agent proposes it; {task(other)} is a draft until you decide.
          {item.feature !== null &&
            !item.feature_exists &&
            ` It names the feature “${visible(item.feature)}”, which does not exist.`}
        </p>
      );
    case "gate_approval":
      return (
        <p class="why-it-waits">
          An agent wants this to be run. None of it is, and the task is not ready, until you decide.
        </p>
      );
    case "gate":
      return (
        <p class="why-it-waits">
          The last attempt {item.ended ?? "is not known"}. It is not run again until you decide.
        </p>
      );
    case "acceptance":
      return (
        <p class="why-it-waits">
          Its agent says that it is done, and its gates bear that out. It waits to be accepted.
        </p>
      );
    case "hold":
      return (
        <p class="why-it-waits">
          That says nothing about the task. No loop starts it again until you let it.
        </p>
      );
    case "merge":
      return <p class="why-it-waits">{WHY_MERGE_WAITS[state]}</p>;
    case "flag":
      return (
        <p class="why-it-waits">
          {item.of_kind !== null && `A flag of the category ${item.of_kind}. `}It is only shown, and goes when
          the next session of {task(item.task)} starts.
        </p>
      );
  }
}
