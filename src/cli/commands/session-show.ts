import type { Command } from "commander";
import { Refusal } from "../../decisions/refusal.ts";
import { toSeconds } from "../../events/time.ts";
import { proofLines } from "../../operations/proof-lines.ts";
import type { SessionDetails } from "../../projections/queries/session-details.ts";
import { pc, print, printJson, quoteLine, quoteText } from "../../terminal/output.ts";
import { type CommonOptions, guarded, readingOptions, withProject } from "../command.ts";

export function addSessionShow(group: Command): void {
  readingOptions(
    group
      .command("show")
      .description("show a session: its states, what it signalled, what is proven of its work")
      .argument("<session>", "the session's id"),
  )
    .addHelpText("after", "\nExample:\n  signalbox session show s-1")
    .action((id: string, options: CommonOptions) =>
      guarded(() =>
        withProject(options, async ({ queries }) => {
          const session = await queries.sessionDetails(id);
          if (!session) {
            throw new Refusal(
              "not_found",
              `There is no session ${id}; \`signalbox session list\` shows those there are.`,
            );
          }
          if (options.json) printJson(session);
          else show(session);
        }),
      ),
    );
}

function show(session: SessionDetails): void {
  const { id, task_id, current_state, outcome, closing, inferred, end_reason } = session;
  const closed = closing === null ? "" : ` (${closing}${inferred ? ", inferred" : ""})`;
  print(pc.bold(`${quoteLine(id, 60)} of task ${task_id}`));
  print(outcome === null ? `open · ${current_state}` : `${outcome}${closed}`);
  print(`${session.started_at.slice(0, 19)} to ${session.completed_at?.slice(0, 19) ?? "now"}`);
  if (end_reason !== null) print(`ended: ${quoteLine(end_reason, 200)}`);
  print(`\n${session.proof ? proofLines(session.proof).join("\n") : LATER}`);
  print(`\n${pc.dim("states")}`);
  for (const { state, entered_at, irregular } of session.state_history) {
    const time = toSeconds(entered_at);
    print(`  ${pc.dim(time)}  ${state}${irregular ? pc.yellow("  unusual") : ""}`);
  }
  if (session.timeline.length > 0) print(`\n${pc.dim("signals")}`);
  for (const { id: position, verb, body, created } of session.timeline) {
    print(`  ${pc.dim(created.slice(0, 19))}  ${pc.cyan(verb)} ${pc.dim(`#${position}`)}`);
    print(quoteText(body).replace(/^/gm, "    "));
  }
}

/** Gates tell how the task is now, which says nothing of an earlier session. */
const LATER = "Another session of its task has started since, or the task was deleted.";
