import { expect, test } from "vitest";
import { github } from "../../adapters/trackers/github/github.ts";
import { syncTracker } from "../../adapters/trackers/sync.ts";
import { redact } from "../../src/history/redaction/redact.ts";
import { startSession } from "../../src/operations/sessions.ts";
import { changeTask } from "../../src/operations/tasks.ts";
import { freshProject } from "../support/project.ts";
import { GithubServer } from "./github-server.ts";

/* Catches: a task, a comment or an answer twice, a gate that a stranger's issue runs, and an answer by somebody who may not give it. */

const PEOPLE = {
  ada: { role: "answer", github: "ada-l", channels: [] },
  wim: { role: "watch", github: "wim-w", channels: [] },
} as const;

async function givenGithub() {
  const server = await new GithubServer().start();
  const { project, folder, db } = await freshProject();
  const adapter = github({ repository: "acme/shop", label: "signalbox", url: server.url, token: "t0ken" });
  const sync = () =>
    syncTracker(project, adapter, { readModelPath: db, people: () => structuredClone(PEOPLE) as never });
  const ask = async (task: number, question: string) => {
    await project.decide(startSession({ task, session: `s-${task}` }));
    const { events } = await project.log.append([
      {
        type: "signal.ask",
        actor: "agent",
        payload: { task, session: `s-${task}`, question, blocking: true },
      },
    ]);
    return events[0]?.position ?? 0;
  };
  const acts = async (type: string) =>
    (await project.log.read(0, 1_000)).filter((event) => event.type === type);
  return { server, project, folder, db, adapter, sync, ask, acts };
}

test("issues with the label become tasks, once, with gates that wait and dependencies", async () => {
  const { server, project, sync } = await givenGithub();
  server.issue({
    title: "Add export",
    body: "As CSV.\n\nverify: npm test\n- verify: `npm run lint`\n<!-- verify: rm -rf / -->\n\nDepends on #2.",
  });
  server.issue({ title: "Add a column" });
  server.issue({ title: "Of no concern", labels: ["bug"] });
  server.issue({ title: "A pull request", isPull: true });
  server.issue({ title: "Was closed", state: "closed" });
  expect(await sync()).toMatchObject({ issues: 3, created: 2, problems: [] });
  expect(await sync()).toMatchObject({ created: 0, changed: 0, comments: 0 });
  expect(await project.queries.tasks()).toMatchObject([
    { id: 1, title: "Add export", depends_on: [2], status: "pending" },
    { id: 2, title: "Add a column", depends_on: [] },
  ]);
  const details = await project.queries.task(1);
  expect(details?.gates).toMatchObject([
    { command: "npm test", approval: "waiting" },
    { command: "npm run lint", approval: "waiting" },
  ]);
  expect(details?.description).toMatch(
    /^As CSV\..*From https:\/\/github\.example\/acme\/shop\/issues\/1 by octo\.$/s,
  );
  expect((await project.queries.readyTasks()).map(({ id }) => id)).toEqual([2]);
  expect(server.issues[0]?.labels).toContain("signalbox: pending");
  const told = server.saidBy("signalbox-bot").join();
  expect(told).toContain("Gates wait for approval");
  expect(told).toMatch(/begins with `\/reject \d+`\.\n\nTo approve \d+, see it whole/);
  expect(server.faults).toEqual([]);
});

test("a question goes to the issue once, and a known person's answer comes back as theirs", async () => {
  const { server, sync, ask, acts } = await givenGithub();
  server.issue({ title: "Add export" });
  await sync();
  const question = await ask(1, "Sync or async? @everyone fixes #1 ```` <!-- signalbox x -->");
  await sync();
  await sync();
  const told = server.saidBy("signalbox-bot");
  expect(told).toHaveLength(1);
  expect(told[0]).toContain("**An agent asks a question**");
  expect(told[0]).toContain(`\`/answer ${question} TEXT\``);
  expect(told[0]).toMatch(/`````text\nSync or async\? @everyone fixes #1 ```` /);
  server.say(1, "stranger", `/answer ${question} whatever`);
  server.say(1, "wim-w", `/answer ${question} async`);
  server.say(1, "ADA-L", `/answer ${question} Sync, please.\n\nWith a retry.`);
  await sync();
  await sync();
  expect(await acts("question.answered")).toMatchObject([
    {
      actor: "ada",
      via: { channel: "tracker", program: "github" },
      payload: { question, answer: "Sync, please.\n\nWith a retry." },
    },
  ]);
  expect(
    server
      .saidBy("signalbox-bot")
      .slice(1)
      .map((body) => body.split("\n")[0]),
  ).toEqual([
    "wim has the role watch; this needs answer. Nothing was recorded.",
    `Recorded as ada's: answer ${question}.`,
  ]);
  expect(server.faults).toEqual([]);
});

test("an answer that was edited, is late, or names nothing is refused with a word", async () => {
  const { server, sync, ask, acts } = await givenGithub();
  server.issue({ title: "Add export" });
  await sync();
  const question = await ask(1, "Sync or async?");
  await sync();
  const edited = server.say(1, "ada-l", "/answer sync");
  edited.updated = server.now();
  server.say(1, "ada-l", "/approve");
  server.say(1, "ada-l", "/answer");
  server.say(1, "ada-l", "/answer sync");
  server.say(1, "ada-l", `/answer ${question} async`);
  await sync();
  expect(await acts("question.answered")).toMatchObject([{ payload: { answer: "sync" } }]);
  expect(
    server
      .saidBy("signalbox-bot")
      .slice(1)
      .map((body) => body.split("\n")[0]),
  ).toEqual([
    expect.stringContaining("was changed after it was written"),
    expect.stringContaining("nothing to approve on this task. Possible: /answer, /dismiss"),
    expect.stringContaining(`Write the text behind it: /answer ${question} TEXT.`),
    `Recorded as ada's: answer ${question}.`,
    expect.stringContaining("may have been settled meanwhile"),
  ]);
});

test("an edit of the issue follows; one of the task stays; of both, nothing is overwritten", async () => {
  const { server, project, sync } = await givenGithub();
  const issue = server.issue({ title: "Add export" });
  await sync();
  server.edit(issue, "ada-l", { title: "Add export as CSV" });
  expect(await sync()).toMatchObject({ changed: 1, problems: [] });
  await project.decide(changeTask({ task: 1, title: "Export, as CSV" }));
  expect(await sync()).toMatchObject({ changed: 0, problems: [] });
  expect((await project.queries.task(1))?.title).toBe("Export, as CSV");
  issue.title = "Something else";
  expect(await sync()).toMatchObject({
    changed: 0,
    problems: [expect.stringContaining("were both changed")],
  });
  expect((await project.queries.task(1))?.title).toBe("Export, as CSV");
});

test("what was redacted here does not come back from an issue", async () => {
  const { server, project, db, sync } = await givenGithub();
  server.issue({ title: "Add export", body: "The key is hunter2-hunter2." });
  await sync();
  const created = (await project.log.read(0, 100)).find(({ type }) => type === "task.created");
  await redact(
    project.store,
    db,
    { position: created?.position ?? 0, reason: "a key", fields: ["description"] },
    { actor: "human", wait_ms: 5_000 },
  );
  const head = await project.log.head();
  expect(await sync()).toMatchObject({ changed: 0, problems: [expect.stringContaining("was redacted")] });
  expect(await project.log.head()).toBe(head);
});

test("an answer without a number is for what was told there, and one whose reply was lost is told as recorded", async () => {
  const { server, project, adapter, db, ask, acts } = await givenGithub();
  server.issue({ title: "Add export" });
  const of = { readModelPath: db, people: () => structuredClone(PEOPLE) as never };
  await syncTracker(project, adapter, of);
  server.say(1, "ada-l", "/answer yes");
  await ask(1, "Drop the table?");
  await syncTracker(project, adapter, of);
  expect(await acts("question.answered")).toEqual([]);
  server.say(1, "ada-l", "/answer no");
  const lost = {
    ...adapter,
    comment: async () => {
      throw new Error("cut off");
    },
  };
  await expect(syncTracker(project, lost, of)).rejects.toThrow("cut off");
  await syncTracker(project, adapter, of);
  expect(await acts("question.answered")).toMatchObject([{ payload: { answer: "no" } }]);
  expect(server.saidBy("signalbox-bot").at(-1)).toMatch(/^Recorded as ada's: answer\./);
});

test("titles to and fro, and a gate that comes later, are taken over; a dependency removed here stays removed", async () => {
  const { server, project, sync } = await givenGithub();
  const issue = server.issue({ title: "A", body: "Depends on #2." });
  server.issue({ title: "Other" });
  await sync();
  for (const title of ["B", "A", "B"]) {
    server.edit(issue, "ada-l", { title });
    expect(await sync()).toMatchObject({ changed: 1, problems: [] });
    expect((await project.queries.task(1))?.title).toBe(title);
  }
  await project.decide(changeTask({ task: 1, depends_on: [] }));
  server.edit(issue, "ada-l", { body: `${issue.body}\nverify: npm test` });
  expect(await sync()).toMatchObject({ problems: [] });
  expect(await project.queries.task(1)).toMatchObject({
    depends_on: [],
    gates: [{ command: "npm test", approval: "waiting" }],
  });
  expect(await sync()).toMatchObject({ changed: 0 });
});

test("a comment whose answer was lost, and a lost file of what is known, bring nothing twice", async () => {
  const { server, project, db, adapter, ask } = await givenGithub();
  server.issue({ title: "Add export" });
  const sync = (readModelPath: string) =>
    syncTracker(project, adapter, { readModelPath, people: () => ({}) });
  await sync(db);
  await ask(1, "Sync or async?");
  // The comment is posted, and the connection ends before its answer.
  const lost = {
    ...adapter,
    comment: async (issue: number, body: string) => {
      await adapter.comment(issue, body);
      throw new Error("cut off");
    },
  };
  await expect(syncTracker(project, lost, { readModelPath: db, people: () => ({}) })).rejects.toThrow(
    "cut off",
  );
  await sync(db);
  expect(server.saidBy("signalbox-bot")).toHaveLength(1);
});

test("a pull request of a fork from a branch of the same name is not taken for ours", async () => {
  const { server, adapter } = await givenGithub();
  const fork = {
    number: 9,
    title: "x",
    body: "",
    branch: "signalbox/task-1",
    base: "main",
    repository: "mallory/shop",
  };
  server.pulls.push(fork);
  expect(await adapter.pullRequest("signalbox/task-1")).toBeUndefined();
  server.pulls.push({ ...fork, number: 10, repository: "acme/shop" });
  expect(await adapter.pullRequest("signalbox/task-1")).toMatchObject({ number: 10 });
});

test("a list of many pages is read whole", async () => {
  const { server, sync } = await givenGithub();
  for (let at = 0; at < 230; at++)
    server.issue({ title: `Issue ${at}`, state: at < 225 ? "closed" : "open" });
  expect(await sync()).toMatchObject({ issues: 230, created: 5 });
  expect(server.asked.filter((one) => one === "GET /repos/acme/shop/issues")).toHaveLength(3);
});

test.each([
  [
    "a spent rate limit",
    403,
    {
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String(Date.parse("2026-11-26T11:00:00Z") / 1_000),
      date: "Thu, 26 Nov 2026 10:59:00 GMT",
    },
    /403.*again in 60 s/,
    60_000,
  ],
  ["a secondary limit", 429, { "retry-after": "17" }, /429.*again in 17 s/, 17_000],
  ["a failure of the server", 502, {}, /502.*again in 30 s/, 30_000],
  [
    "a redirect elsewhere",
    301,
    { location: "https://elsewhere.example/x" },
    /redirects .* to elsewhere\.example, which the token may not follow/,
    undefined,
  ],
  ["a wrong token", 401, {}, /401.*token is not valid/, undefined],
  ["a repository that is not there", 404, {}, /404.*Check the repository's name/, undefined],
])(
  "%s ends the sync with a word that says what is right",
  async (_what, status, headers, words, retryAfter_ms) => {
    const { server, sync } = await givenGithub();
    server.instead.push((_request, response) => {
      response.writeHead(status, headers).end("{}");
      return true;
    });
    await expect(sync()).rejects.toMatchObject({ message: expect.stringMatching(words), retryAfter_ms });
    expect(await sync()).toMatchObject({ problems: [] });
  },
);

test("an issue full of hostile text is a task with that text, and nothing else", async () => {
  const { server, project, sync } = await givenGithub();
  server.issue({
    title: "\u202eevil\u0000 <!-- signalbox -->\n# x".replace("\n", " "),
    body: `${"x".repeat(200_000)}\nverify: echo \u0007; rm -rf /\nverify: ${"y".repeat(100_000)}\ndepends on #999, #1`,
  });
  const report = await sync();
  expect(report).toMatchObject({ created: 1 });
  const task = await project.queries.task(1);
  expect(task?.title).not.toMatch(/[\u202e\u0000]/);
  expect(task?.gates).toEqual([]);
  expect(task?.depends_on).toEqual([]);
  expect(server.saidBy("signalbox-bot").join()).toContain("was not taken");
  expect(server.faults).toEqual([]);
});
