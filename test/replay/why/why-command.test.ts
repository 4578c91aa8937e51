import { expect, test } from "vitest";
import { fails, signalbox, signalboxJson } from "../../support/cli.ts";
import { freshFolder } from "../../support/project.ts";

/** A task whose session asked, learned and left work; the question (position 6) was answered. */
async function given(): Promise<{ cwd: string; run: (...args: string[]) => ReturnType<typeof signalbox> }> {
  const cwd = freshFolder();
  const run = async (...args: string[]) => {
    const ran = await signalbox(args, { cwd });
    return ran;
  };
  await run("init");
  await run("task", "add", "Read the configuration");
  await run("session", "start", "1", "--session", "s-1");
  await run("signal", "learned", "--session", "s-1", "--text", "Rows come in chunks.", "--kind", "discovery");
  await run("signal", "ask", "--session", "s-1", "--question", "Semicolons or tabs?", "--blocking");
  await run("signal", "partial", "--session", "s-1", "--summary", "Half.", "--remaining", "The rest.");
  await run("session", "end", "s-1", "--exit", "exited");
  await run("inbox", "answer", "6", "Tabs, please.");
  return { cwd, run };
}

test("why explains a task's status back to its beginning, and a question, a learning and a session likewise", async () => {
  const { cwd, run } = await given();
  const { stdout } = await run("why", "1");
  expect(stdout).toContain("#1 Read the configuration is pending (ready), as of position 9");
  expect(stdout.indexOf("needs_input → pending")).toBeLessThan(stdout.indexOf("in_progress → needs_input"));
  expect(stdout).toMatch(/ 6 {2}\d{4}-.* agent, s-1 .*Semicolons or tabs\?/);
  expect(await signalboxJson(["why", "question", "6"], { cwd })).toMatchObject({
    state: "answered",
    task: 1,
    because: [{ events: [9] }, { events: [7, 8] }, { events: [6] }],
    moved: [
      { to: "pending", causes: [9] },
      { to: "needs_input", causes: [6, 7, 8] },
    ],
  });
  expect(await signalboxJson(["why", "learning", "5"], { cwd })).toMatchObject({ id: 5, said: [5] });
  expect(await signalboxJson(["why", "session", "s-1"], { cwd })).toMatchObject({
    outcome: "partial",
    because: [{ events: [8] }, { events: [7] }, { events: [4] }],
  });
});

test("a line of a prompt leads to the events that say it", async () => {
  const { cwd, run } = await given();
  await run("session", "start", "1", "--session", "s-2");
  const prompt = (await run("prompt", "1", "--session", "s-2")).stdout.split("\n");
  const line = prompt.find((one) => one.includes("Tabs, please.")) ?? "";
  expect(await signalboxJson(["why", "prompt", "s-2", "--line", line], { cwd })).toMatchObject({
    from: [6, 9],
  });
  expect(
    await signalboxJson(["why", "prompt", "s-2", "--line", "> Rows come in chunks."], { cwd }),
  ).toMatchObject({
    from: [5],
  });
  expect(await signalboxJson(["why", "learning", "5"], { cwd })).toMatchObject({
    prompts: [{ session: "s-2" }],
  });
  expect((await run("why", "prompt", "s-2", "--line", "Nobody said this.")).stdout).toContain(
    "It comes from no event",
  );
  expect(await run("why", "prompt", "s-2", "--line", "3")).toMatchObject({ exitCode: 1 });
});

test("a line of a prompt comes from the events that became it, not from others with its words", async () => {
  const cwd = freshFolder();
  const run = async (...args: string[]) => {
    const ran = await signalbox(args, { cwd });
    expect(ran.exitCode, ran.stderr).toBe(0);
    return ran.stdout;
  };
  await run("init");
  await run("task", "add", "Export", "--description", "Use semicolons everywhere.");
  await run("session", "start", "1", "--session", "s-1");
  await run("signal", "ask", "--session", "s-1", "--question", "Semicolons or tabs?", "--blocking");
  await run("signal", "learned", "--session", "s-1", "--text", "kind: discovery", "--kind", "discovery");
  await run("signal", "partial", "--session", "s-1", "--summary", "Half.", "--remaining", "- test");
  await run("session", "end", "s-1", "--exit", "exited");
  await run("inbox", "answer", "5", "Yes");
  await run("session", "start", "1", "--session", "s-2");
  const lines = (await run("prompt", "1", "--session", "s-2")).split("\n");
  const from = async (words: string) => {
    const line = lines.find((one) => one.includes(words)) ?? "";
    expect(line, words).not.toBe("");
    const { from: positions } = (await signalboxJson(["why", "prompt", "s-2", "--line", line], { cwd })) as {
      from: number[];
    };
    return positions;
  };
  expect(await from("ANSWER to your question")).toEqual([5, 9]);
  expect(await from("Use semicolons everywhere.")).toEqual([3]);
  expect(await from("> - test")).toEqual([7]);
  expect(await from("The last session closed with partial")).toEqual([7]);
  expect(await from("learned(")).toEqual([]);
  const empty = await signalbox(["why", "prompt", "s-2", "--line", ""], { cwd });
  expect(empty).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("An empty line") });
});

test("for people each rule is shown once, each event with its task, and --last limits the changes", async () => {
  const { run } = await given();
  await run("session", "start", "1", "--session", "s-2");
  const whole = (await run("why", "1")).stdout;
  expect(whole.match(/Starting a session puts its task in progress/g)).toHaveLength(1);
  expect(whole).toMatch(/ 10 {2}\d{4}-.* #1 +driver, s-2 .*started/);
  const last = (await run("why", "1", "--last", "1")).stdout;
  expect(last.match(/→/g)).toHaveLength(1);
  expect(last).toContain("pending → in_progress");
  expect((await run("why", "learning", "5")).stdout).toContain("said once");
});

test("in a fresh project why says that there is no such thing, and what it can explain", async () => {
  const cwd = freshFolder();
  await signalbox(["init"], { cwd });
  for (const what of [
    ["7"],
    ["question", "7"],
    ["blocker", "7"],
    ["suggestion", "7"],
    ["learning", "7"],
    ["session", "s-1"],
    ["prompt", "s-1"],
  ]) {
    const ran = await signalbox(["why", ...what], { cwd });
    expect(ran.exitCode, what.join(" ")).toBe(1);
    expect(ran.stderr, what.join(" ")).toContain("There is no");
  }
  const misspelt = await signalbox(["why", "qestion", "7"], { cwd });
  expect(misspelt).toMatchObject(
    fails(2, "unknown command 'qestion'. The commands are task, question, blocker"),
  );
  const two = await signalbox(["why", "7", "8"], { cwd });
  expect(two).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('leave out "8"') });
});
