import { type Command, Option } from "commander";
import { endSession, startSession } from "../../decisions/sessions.ts";
import { idFromKey } from "../../events/ids.ts";
import { type SessionExit, sessionExits } from "../../events/types/sessions.ts";
import { sessionVariables } from "../../mcp/session-variables.ts";
import type { Session } from "../../projections/board/tables.ts";
import { print, printJson, printTable } from "../../terminal/output.ts";
import {
  type CommonOptions,
  guarded,
  parseId,
  readingOptions,
  readModelPath,
  withProject,
  writingOptions,
} from "../command.ts";
import { type PageOptions, pageOptions, printPage } from "../paging.ts";
import { addObserved } from "./session-observed.ts";
import { addSessionShow } from "./session-show.ts";
import { addState } from "./session-state.ts";

export function addSession(program: Command): void {
  const group = program.command("session").description("sessions: runs of an agent on a task");
  addStart(group);
  addState(group);
  addEnd(group);
  addList(group);
  addSessionShow(group);
  addObserved(group);
}

function addStart(group: Command): void {
  interface Options extends CommonOptions {
    readonly session?: string;
    readonly workspace?: string;
    readonly force?: boolean;
    readonly driver?: string;
  }
  writingOptions(
    group
      .command("start")
      .description("start a session: the task is in progress; prints what the agent's MCP server needs")
      .argument("<task>", "the task's id", parseId)
      .option("--session <id>", "the session's id; absent: a new one")
      .option("--workspace <fingerprint>", "identifies the content of the workspace")
      .option("--driver <name>", "the driver that watches it, which gives signs of life with `driver beat`")
      .option("--force", "start a task that is not ready"),
    "driver",
  )
    .addHelpText(
      "after",
      '\nExample:\n  signalbox session start 7 --workspace "$(git rev-parse HEAD)" --json',
    )
    .action((task: number, options: Options) =>
      guarded(() =>
        withProject(options, async (project) => {
          const { workspace, force, driver } = options;
          // Under a key the id follows from it, so that the same command sent again means the same session.
          const fresh = options.key ? idFromKey("session", options.key) : project.store.environment.newId();
          const wanted = options.session ?? `s-${fresh}`;
          const [event] = await project.decide(
            startSession({ task, session: wanted, workspace, force, driver }),
            options.key,
          );
          const { session } = event.payload;
          const db = readModelPath(options);
          const env = sessionVariables(task, session, db);
          if (options.json) printJson({ session, task, env });
          else {
            print(`Session ${session} of task ${task} is open. Its agent's MCP server needs:`);
            for (const [name, value] of Object.entries(env)) print(`  ${name}=${value}`);
          }
        }),
      ),
    );
}

function addEnd(group: Command): void {
  interface Options extends CommonOptions {
    readonly exit: SessionExit;
    readonly workspace?: string;
    readonly reason?: string;
  }
  writingOptions(
    group
      .command("end")
      .description("end a session: its task is settled by what was signalled")
      .argument("<session>", "the session's id")
      .addOption(new Option("--exit <exit>", "how it ended").choices(sessionExits).makeOptionMandatory())
      .option("--workspace <fingerprint>", "identifies the content of the workspace now")
      .option("--reason <text>", "why, where the exit does not say it all"),
    "driver",
  )
    .addHelpText("after", "\nExample:\n  signalbox session end s-1 --exit exited --json")
    .action((session: string, options: Options) =>
      guarded(() =>
        withProject(options, async (project) => {
          const { exit, workspace, reason } = options;
          await project.decide(endSession({ session, exit, workspace, reason }), options.key);
          const outcome = await project.queries.session(session);
          const task = outcome && (await project.queries.taskRow(outcome.task));
          if (options.json) printJson({ session, ...outcome, status: task?.status });
          else {
            const closing = outcome?.closing ?? "no closing verb";
            print(
              `Session ${session} ended: ${outcome?.outcome} (${closing}${outcome?.inferred ? ", inferred" : ""}).`,
            );
            print(`Task ${outcome?.task} is ${task?.status}.`);
          }
        }),
      ),
    );
}

function addList(group: Command): void {
  pageOptions(
    readingOptions(
      group
        .command("list", { isDefault: true })
        .description("list sessions in the order of their ids")
        .option("--task <id>", "only those of a task", parseId)
        .option("--open", "only those that run"),
    ),
  )
    .addHelpText("after", "\nExample:\n  signalbox session list --open --json")
    .action((options: CommonOptions & PageOptions & { task?: number; open?: boolean }) =>
      guarded(() =>
        withProject(options, ({ queries }) =>
          printPage(
            "sessions",
            options,
            (limit) => queries.sessions({ ...options, limit }),
            ({ id }) => id,
            showSessions,
          ),
        ),
      ),
    );
}

function showSessions(sessions: readonly Session[]): void {
  printTable(
    ["session", "task", "state", "outcome", "signals", "late", "started"],
    sessions.map((one) => [
      one.id,
      one.task_id,
      one.current_state,
      one.outcome ?? "open",
      one.signals,
      one.late,
      one.started_at.slice(0, 19),
    ]),
  );
}
