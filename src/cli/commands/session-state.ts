import { Argument, type Command, InvalidArgumentError } from "commander";
import { reportState, stateAnswer } from "../../decisions/reports.ts";
import { AGENT } from "../../events/actors.ts";
import { idFromKey } from "../../events/ids.ts";
import { type ReportedState, reportedStates } from "../../events/types/sessions.ts";
import { print, printJson } from "../../terminal/output.ts";
import { type CommonOptions, guarded, withProject, writingOptions } from "../command.ts";

interface Options extends CommonOptions {
  readonly metadata?: Record<string, unknown>;
}

/** What `update_session_state` does, for agents without MCP. */
export function addState(group: Command): void {
  writingOptions(
    group
      .command("state")
      .description("report the phase that a session's agent is in")
      .argument("<session>", "the session's id")
      .addArgument(new Argument("<state>", "the phase").choices(reportedStates))
      .option(
        "--metadata <json>",
        "an object: files, testResults {passed, failed, skipped}, error",
        parseObject,
      ),
    AGENT,
  )
    .addHelpText(
      "after",
      `\nExample:\n  signalbox session state s-1 testing --metadata '{"testResults": {"passed": 12, "failed": 1}}'`,
    )
    .action((session: string, state: ReportedState, options: Options) =>
      guarded(() =>
        withProject(options, async ({ store, actor }) => {
          const id = options.key === undefined ? store.environment.newId() : idFromKey(options.key, "0");
          const report = await reportState(
            store,
            { session, actor },
            { state, metadata: options.metadata, id },
          );
          if (options.json) printJson(stateAnswer(report));
          else {
            print(`Session ${session}: ${report.previousState} → ${report.newState}.`);
            if (report.irregular) print("An unusual step; it was recorded.");
          }
        }),
      ),
    );
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InvalidArgumentError("It must be JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidArgumentError('It must be a JSON object such as {"files": ["src/export.ts"]}.');
  }
  return { ...value };
}
