// @module-tag script
import { expect, test } from "vitest";
import { createTask } from "../../src/index.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";
import { signalboxOnTerminal } from "../support/terminal.ts";

/* Catches: an act at a terminal that reads as a program's, or the other way round; a list of human acts without one, or with an agent's. */

test("an act says at which terminal it was taken, or which program called; log and why show it", async () => {
  const { project, folder: cwd } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  const typed = signalboxOnTerminal(["task", "set", "1", "--status", "done", "--actor", "ada"], { cwd });
  expect(await typed.ended()).toBe(0);
  await signalboxJson(["comment", "1", "Well done."], { cwd });
  await signalboxJson(["session", "start", "1", "--session", "s-1", "--force"], { cwd });

  const events = await project.log.read(3, 10);
  expect(events).toMatchObject([
    { type: "task.status_set", actor: "ada", via: { channel: "terminal", tty: expect.stringMatching(/./) } },
    {
      type: "comment.added",
      actor: "human",
      via: { channel: "program", program: expect.stringMatching(/./) },
    },
    { type: "session.started", actor: "driver" },
  ]);
  expect(events[2]).not.toHaveProperty("via");

  const tty = events[0]?.via?.tty ?? "";
  const { stdout } = await signalbox(["log", "list", "--humans"], { cwd });
  const lines = stdout.split("\n").filter((line) => /^ *\d/.test(line));
  expect(lines.at(-2)).toContain(`terminal ${tty}`);
  expect(lines.at(-1)).toMatch(/Well done\..* · program \S/);
  expect(stdout).not.toContain("session.started");
  expect((await signalbox(["why", "1"], { cwd })).stdout).toContain(`ada (terminal ${tty}`);
});
