// @module-tag script
import { expect, test } from "vitest";
import { createTask, openProject } from "../../src/index.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { freshFolder, freshProject, reopened } from "../support/project.ts";
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

test("a project that a command makes, and a redaction by one, say so, too", async () => {
  const cwd = freshFolder();
  await signalboxJson(["init", "--yes"], { cwd });
  await signalboxJson(["task", "add", "One", "--description", "sk-live-7f3a9c0d"], { cwd });
  await signalboxJson(["redact", "3", "--reason", "It is live.", "--actor", "ada"], { cwd });
  await reopened(cwd, async ({ log }) => {
    const events = await log.read(0, 10);
    expect(events.map(({ actor, via }) => `${actor} ${via?.channel}`)).toEqual([
      ...Array(3).fill("human program"),
      "ada program",
    ]);
  });
});

test("the library signs with the program's name, and as a person only for one; a driver's acts are no human's", async () => {
  const { folder } = await freshProject();
  const actorOf = async (actor?: string) => {
    await using project = await openProject(folder, actor === undefined ? {} : { actor });
    const [task] = await project.decide(createTask({ title: "One" }));
    return { actor: task.actor, via: task.via?.channel };
  };
  expect(await actorOf()).toEqual({ actor: expect.stringMatching(/^program:./), via: "program" });
  expect(await actorOf("ada")).toEqual({ actor: "ada", via: "program" });
  expect(await actorOf("driver:shop")).toEqual({ actor: "driver:shop", via: undefined });
});
