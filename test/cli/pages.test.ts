import { expect, test } from "vitest";
import { addLearning } from "../../src/operations/learnings.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { signalbox } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

test("a list has pages, each with the key of the next one", async () => {
  const { project, folder: cwd } = await freshProject();
  for (const task of [1, 2, 3]) {
    await project.decide(createTask({ title: `Task ${task}` }));
    await project.decide(startSession({ task, session: `s-${task}` }));
    await project.log.append([
      {
        type: "signal.ask",
        actor: "agent",
        payload: { task, session: `s-${task}`, question: `Number ${task}?`, blocking: true },
      },
    ]);
    await project.decide(
      addLearning({ text: `Trains number ${"x".repeat(task)}`, kind: "discovery", source: "human" }),
    );
  }
  for (const list of [
    ["task", "list"],
    ["session", "list"],
    ["session", "list", "--open"],
    ["learning", "list"],
    ["learning", "list", "--search", "train"],
    ["inbox", "list"],
    ["inbox", "list", "--all"],
  ]) {
    const ask = async (...options: string[]): Promise<Page> => {
      const { tasks, sessions, learnings, inbox, next } = JSON.parse(
        (await signalbox([...list, ...options, "--json"], { cwd })).stdout,
      );
      return { rows: tasks ?? sessions ?? learnings ?? inbox, next };
    };
    const whole = await ask();
    expect(whole.rows).toHaveLength(3);
    expect(whole.next).toBe(null);
    const first = await ask("--limit", "2");
    expect(first).toEqual({ rows: whole.rows.slice(0, 2), next: keyOf(list, whole.rows[1]) });
    expect(await ask("--limit", "2", "--after", String(first.next))).toEqual({
      rows: whole.rows.slice(2),
      next: null,
    });
    const printed = async (limit: string) => (await signalbox([...list, "--limit", limit], { cwd })).stdout;
    expect(await printed("2")).toContain(`… more: --after ${first.next}`);
    expect(await printed("3")).not.toContain("more");
  }
});

test("the last page of the inbox is not reported as an empty inbox", async () => {
  const { project, folder: cwd } = await freshProject();
  await project.decide(createTask({ title: "Trains" }));
  await project.decide(startSession({ task: 1, session: "s-1" }));
  const [ask] = (
    await project.log.append([
      {
        type: "signal.ask",
        actor: "agent",
        payload: { task: 1, session: "s-1", question: "Which?", blocking: true },
      },
    ])
  ).events;
  const { stdout } = await signalbox(["inbox", "list", "--after", `question-${ask?.position}`], { cwd });
  expect(stdout).toBe("Nothing more needs you.\n");
});

interface Page {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

interface Row {
  readonly id: string | number;
  readonly kind?: string;
}

/** An item of the inbox is known by its kind too. */
function keyOf([group]: readonly string[], row: Row | undefined): string {
  return group === "inbox" ? `${row?.kind}-${row?.id}` : String(row?.id);
}
