// @module-tag chromium
import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import type { Project } from "../../src/api/project.ts";
import { decide } from "../../src/decisions/decide.ts";
import type { FindingKind } from "../../src/events/types/session-work.ts";
import {
  answerQuestion,
  createTask,
  recordGateAttempt,
  setTaskStatus,
  startSession,
} from "../../src/index.ts";
import { endSessionWith } from "../../src/operations/sessions.ts";
import { freshProject } from "../support/project.ts";
import { freshTask, say, start } from "./support/agent.ts";
import { anotherPage, freshPanel, openPage, routeOpened, useBrowser } from "./support/browser.ts";
import {
  ask,
  givenEveryKind,
  givenQuestions,
  givenStalled,
  partial,
  session,
} from "./support/given-inbox.ts";
import { goTo } from "./support/views.ts";

useBrowser();

const NO_FAULTS = { faults: [], strangers: [] };
const rows = (page: Page) => page.getByRole("region", { name: /^Waiting for you/ }).getByRole("link");
const rowOf = (page: Page, name: string | RegExp) => rows(page).filter({ hasText: name });
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name });

/** The events of some types, in log order. */
async function eventsOf(project: Project, ...types: readonly string[]) {
  return (await project.log.read(0, 500)).filter(({ type }) => types.includes(type));
}

/** A task whose session closed with done, and what its driver found. */
async function givenFound(project: Project, kind: FindingKind, says: string) {
  const task = await freshTask(project, { title: says });
  const session = `s-${task}`;
  await start(project, task, session);
  await say(project, { task, session }, "done", { summary: "Did it." });
  const [found] = [{ kind, says, paths: [], more: 0, refs: [] }];
  await project.decide(
    endSessionWith(
      {
        work: {
          ...{ session, task, start: "a".repeat(40), head: "c".repeat(40), tree_before: "b".repeat(40) },
          ...{ commits: 0, files: [], more: 0, added: 0, removed: 0, findings: [found] },
        },
      },
      { session, exit: "exited" },
    ),
  );
  return { task, session };
}

test("urgent items come first: gate, question, blocker, contest, proposal, held task, flag, the rest", async () => {
  const { panel } = await freshPanel({ project: await givenEveryKind() });
  const { page, seen } = await openPage(panel, "/inbox");
  await rows(page).first().waitFor();
  const texts = await rows(page).allInnerTexts();
  const kinds = texts.map((text) => /(?:\n)([a-z ]+) · #/.exec(text)?.[1]);
  expect(kinds).toEqual([
    "escalated gate",
    "question",
    "blocker",
    "contest",
    "proposal",
    "held task",
    "blocking flag",
    "acceptance",
    "gate approval",
  ]);
  await expect.poll(() => page.title()).toBe("(9) Inbox · signalbox");
  expect(seen).toEqual(NO_FAULTS);
});

test("a digit answers a question; 1 is the preferred option", async () => {
  const project = await givenQuestions("First?", "Second?");
  const { panel } = await freshPanel({ project });
  const { page, seen } = await openPage(panel, "/inbox");
  await heading(page, "First?").waitFor();
  await expect
    .poll(() => page.getByRole("list", { name: "Options" }).getByRole("button").allInnerTexts())
    .toEqual([expect.stringMatching(/semicolons\s+preferred/), expect.stringMatching(/tabs/)]);
  await page.keyboard.press("1");
  await heading(page, "Second?").waitFor();
  await expect.poll(() => rowOf(page, "First?").count()).toBe(0);
  await page.locator(":focus", { hasText: "Second?" }).waitFor();
  await page.getByRole("button", { name: "Undo: answered “semicolons”" }).waitFor();
  await expect
    .poll(() => eventsOf(project, "question.answered"))
    .toMatchObject([{ payload: { answer: "semicolons" } }]);
  await page.getByRole("button", { name: "tabs" }).click();
  await page.getByText("Nothing needs you").first().waitFor();
  expect(seen).toEqual(NO_FAULTS);
});

test("an answered item disappears before the server confirms, and the next item has the focus", async () => {
  const { panel } = await freshPanel({ project: await givenQuestions("First?", "Second?") });
  const { page } = await openPage(panel, "/inbox");
  await heading(page, "First?").waitFor();
  const held: (() => Promise<void>)[] = [];
  await routeOpened(page, "**/api/acts/inbox", (route) => {
    held.push(() => route.continue());
  });
  await page.keyboard.press("2");
  await rowOf(page, "First?").waitFor({ state: "detached" });
  await page.locator(":focus", { hasText: "Second?" }).waitFor();
  await expect.poll(() => held).toHaveLength(1);
  for (const go of held) await go();
  await page.getByRole("button", { name: /^Undo: answered “tabs”/ }).waitFor();
});

test("a custom answer is sent with Ctrl-Enter; Escape and a reload keep the draft", async () => {
  const project = await givenQuestions("First?", "Second?");
  const { panel } = await freshPanel({ project });
  const { page, seen } = await openPage(panel, "/inbox");
  await heading(page, "First?").waitFor();
  const own = page.getByRole("textbox", { name: "Your own answer" });
  await page.keyboard.press("a");
  await page.keyboard.type("Neither: jkxz");
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await heading(page, "Second?").waitFor();
  await expect.poll(() => own.inputValue()).toBe("");
  await page.keyboard.press("k");
  await heading(page, "First?").waitFor();
  await page.reload();
  await heading(page, "First?").waitFor();
  await expect.poll(() => own.inputValue()).toBe("Neither: jkxz");
  await own.focus();
  await page.keyboard.press("End");
  await page.keyboard.type(".");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: /^Undo: answered “Neither: jkxz.”/ }).waitFor();
  await expect
    .poll(() => eventsOf(project, "question.answered"))
    .toMatchObject([{ payload: { answer: "Neither: jkxz." } }]);
  expect(seen).toEqual(NO_FAULTS);
});

test.each([
  [/licence key/, "r", "blocker.resolved", /^Undo: resolved/],
  [/licence key/, "x", "blocker.dismissed", /^Undo: dismissed/],
  [/^Import/, "a", "suggestion.approved", /^Undo: approved/],
  [/^Import/, "x", "suggestion.rejected", /^Undo: rejected/],
  [/floats/, "a", "flag.acknowledged", /^Undo: acknowledged/],
  [/lint/, "a", "gate.approved", /^Undo: approved/],
  [/lint/, "x", "gate.rejected", /^Undo: rejected/],
] as const)("on %s, %s records %s, which z takes back", async (row, key, type, undo) => {
  const project = await givenEveryKind();
  const { panel } = await freshPanel({ project });
  const { page, seen } = await openPage(panel, "/inbox");
  await rowOf(page, row).click();
  await rowOf(page, row).and(page.locator("[aria-current=true]")).waitFor();
  await page.getByRole("article").getByRole("button").first().waitFor();
  await page.keyboard.press(key);
  await page.getByRole("button", { name: undo }).waitFor();
  await expect.poll(() => eventsOf(project, type)).not.toEqual([]);
  await page.keyboard.press("z");
  await rowOf(page, row).waitFor();
  await page.getByRole("button", { name: undo }).waitFor({ state: "detached" });
  await expect.poll(() => eventsOf(project, type.replace(/\.\w+$/, ".reopened"))).not.toEqual([]);
  expect(seen).toEqual(NO_FAULTS);
});

test("an escalated gate shows the end of its output as text, and the effect of each verdict", async () => {
  const project = await givenEveryKind();
  const { panel } = await freshPanel({ project });
  const { page, seen } = await openPage(panel, "/inbox");
  const output = page.getByRole("region", { name: "Output" });
  await output.waitFor();
  const lines = (await output.locator("pre").innerText()).split("\n");
  expect(lines).toHaveLength(40);
  expect(lines.at(-1)).toBe("\\u{1b}[31mnot ok 61\\u{1b}[0m expected 3, got 4");
  await output.getByRole("checkbox", { name: "Wrap lines" }).uncheck();
  await expect
    .poll(() => page.evaluate(`getComputedStyle(document.querySelector(".gate-output pre")).whiteSpace`))
    .toBe("pre");
  await page.getByText("its attempts restart at 0").waitFor();
  await page.getByText("it counts as passed").waitFor();
  await page.getByRole("button", { name: "Abort" }).click();
  await rowOf(page, /escalated gate/).waitFor({ state: "detached" });
  await page.keyboard.press("z");
  await page.getByText("“abort” cannot be undone.").waitFor();
  await expect.poll(() => eventsOf(project, "gate.acted")).toMatchObject([{ payload: { action: "abort" } }]);
  expect(seen).toEqual(NO_FAULTS);
});

test("z after a final act undoes nothing else before saying so", async () => {
  const project = await givenEveryKind();
  const { panel } = await freshPanel({ project });
  const { page } = await openPage(panel, "/inbox");
  await rowOf(page, /lint/).click();
  await page.getByRole("button", { name: "Approve" }).waitFor();
  await page.keyboard.press("a");
  await page.getByRole("button", { name: /^Undo: approved/ }).waitFor();
  await rowOf(page, /escalated gate/).click();
  await page.getByRole("button", { name: "Abort" }).click();
  await rowOf(page, /escalated gate/).waitFor({ state: "detached" });
  await expect.poll(() => eventsOf(project, "gate.acted")).toHaveLength(1);
  await page.keyboard.press("z");
  await page.getByText("“abort” cannot be undone.").waitFor();
  expect(await eventsOf(project, "gate.reopened")).toEqual([]);
  await page.keyboard.press("z");
  await rowOf(page, /lint/).waitFor();
});

test("a proposal is changed before it is approved", async () => {
  const project = await givenEveryKind();
  const { panel } = await freshPanel({ project });
  const { page, seen } = await openPage(panel, "/inbox");
  await rowOf(page, /^Import/).click();
  await page.getByRole("button", { name: "Edit …" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("Import orders");
  await page.getByRole("combobox", { name: "Priority" }).selectOption("high");
  await page.getByRole("button", { name: "Save" }).click();
  await heading(page, "Import orders").waitFor();
  await page.getByText("Edited since it was proposed: title.").waitFor();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("button", { name: /^Undo: approved/ }).waitFor();
  await expect
    .poll(() => project.queries.taskRow(5))
    .toMatchObject({
      title: "Import orders",
      priority: "high",
      status: "pending",
    });
  expect(seen).toEqual(NO_FAULTS);
});

test("a contested task is linked, and set pending", async () => {
  const project = await givenEveryKind();
  const { panel } = await freshPanel({ project });
  const { page } = await openPage(panel, "/inbox");
  await rowOf(page, /contest/).click();
  await expect
    .poll(() => page.getByRole("article").getByRole("link", { name: "task 4" }).getAttribute("href"))
    .toBe("/tasks/4");
  await page.keyboard.press("p");
  await rowOf(page, /contest/).waitFor({ state: "detached" });
  await expect.poll(async () => (await project.queries.taskRow(4))?.status).toBe("pending");
});

test("a done that waits to be accepted is sent back with a text", async () => {
  const project = await givenEveryKind();
  const { panel } = await freshPanel({ project });
  const { page } = await openPage(panel, "/inbox");
  await rowOf(page, /acceptance/).click();
  await page.getByRole("button", { name: "Accept", exact: true }).waitFor();
  await page.keyboard.press("x");
  await page.keyboard.type("The total is missing.");
  await page.getByRole("button", { name: "Send back" }).click();
  await rowOf(page, /acceptance/).waitFor({ state: "detached" });
  await expect
    .poll(async () => (await eventsOf(project, "task.sent_back"))[0]?.payload)
    .toMatchObject({
      comment: "The total is missing.",
    });
});

test.each([
  ["Go on", "task.continued", { hint: "The header row comes first." }],
  ["Edit", "task.changed", { description: "The header row comes first." }],
  ["Split", "task.created", { title: "The header row comes first." }],
  ["Fail", "task.status_set", { status: "failed" }],
])(
  "a task that does not get on shows what its sessions said and changed; act: %s",
  async (name, type, payload) => {
    const project = await givenStalled();
    const { panel } = await freshPanel({ project });
    const { page, seen } = await openPage(panel, "/inbox");
    await rowOf(page, /stalled task/).click();
    const said = page.getByRole("article").getByRole("listitem").filter({ hasText: "changed: nothing" });
    await expect.poll(() => said.count()).toBe(3);
    expect(await said.first().innerText()).toContain("The writer.");
    await page.getByRole("textbox").fill("The header row comes first.");
    await page.getByRole("button", { name }).click();
    await rowOf(page, /stalled task/).waitFor({ state: "detached" });
    await expect.poll(async () => (await eventsOf(project, type)).at(-1)?.payload).toMatchObject(payload);
    expect(seen).toEqual(NO_FAULTS);
  },
);

test("what was found in the workspace of a done stands where a human accepts it, and at a done that was refused", async () => {
  const { project } = await freshProject();
  const { task } = await givenFound(project, "no_change", "No file differs, by `git`.");
  const refused = await givenFound(project, "left_behind", "list.txt is in a stash.");
  const { panel } = await freshPanel({ project });
  const { page, seen } = await openPage(panel, "/inbox");
  await page.getByText("Look at what was found in its workspace").waitFor();
  await page.getByText("no change: No file differs, by git.").waitFor();
  await page.getByText(/git diff \w+/).waitFor();
  // Its pane has the files and their diffs.
  await page
    .getByRole("article")
    .getByRole("link", { name: /^session / })
    .waitFor();
  await page.keyboard.press("a");
  await expect.poll(async () => (await project.queries.taskRow(task))?.status).toBe("done");
  const [accepted] = await eventsOf(project, "task.accepted");
  expect(accepted?.payload).toEqual({ task, findings: ["no_change"] });
  await goTo(page, `/tasks/${refused.task}`);
  const card = page.getByRole("article", { name: /^Done/ });
  await card.getByText("Unverified: the done did not count").waitFor();
  await card.getByText("left behind: list.txt is in a stash.").waitFor();
  expect(seen).toEqual(NO_FAULTS);
});

test("a key chooses the act that Ctrl-Enter sends with the text", async () => {
  const project = await givenStalled();
  const { panel } = await freshPanel({ project });
  const { page } = await openPage(panel, "/inbox");
  await page.getByRole("textbox").waitFor();
  await page.keyboard.press("e");
  await page.locator("button", { hasText: /Edit\s+Ctrl-Enter/ }).waitFor();
  await page.keyboard.type("Only the CSV.");
  await page.keyboard.press("Control+Enter");
  await expect
    .poll(async () => (await eventsOf(project, "task.changed"))[0]?.payload)
    .toMatchObject({ description: "Only the CSV." });
});

test("gates can be approved only after the end of their commands was visible", async () => {
  const { project } = await freshProject();
  const long = Array.from({ length: 120 }, (_, nth) => `echo ${nth}`).join("\n");
  const gates = [{ command: `${long}\nrm -rf \u202eehcac`, max: 1, timeout_s: 30 }];
  await decide(project.store, createTask({ title: "Long", gates }), { actor: "agent" });
  const { panel } = await freshPanel({ project });
  const { page } = await openPage(panel, "/inbox");
  const approve = page.getByRole("button", { name: "Approve" });
  await approve.click();
  await expect.poll(() => page.locator(".command").innerText()).toContain("rm -rf \\u{202e}ehcac");
  expect(await eventsOf(project, "gate.approved")).toEqual([]);
  await page.keyboard.press("a");
  await page.getByRole("button", { name: /^Undo: approved/ }).waitFor();
});

test("if two pages answer at once, one event is recorded, and the other page shows who was first", async () => {
  const project = await givenQuestions("First?", "Second?");
  const { panel } = await freshPanel({ project });
  const { page, context, seen } = await openPage(panel, "/inbox");
  const { page: other } = await anotherPage(context, panel, "/inbox");
  for (const one of [page, other]) await heading(one, "First?").waitFor();
  // The other page does not hear of it before it answers.
  const held: Route[] = [];
  await other.route("**/api/inbox**", (route) => {
    held.push(route);
  });
  await page.keyboard.press("1");
  await page.getByRole("button", { name: /^Undo: answered/ }).waitFor();
  const refused = other.waitForResponse("**/api/acts/inbox");
  await other.getByRole("button", { name: "tabs" }).click();
  expect((await refused).status()).toBe(409);
  await other.unroute("**/api/inbox**");
  // What was asked again meanwhile is not waited for any more.
  for (const route of held) await route.continue().catch(() => {});
  await other.getByText(/The question was already answered by human \(#\d+\)/).waitFor();
  await rowOf(other, "First?").waitFor({ state: "detached" });
  await expect.poll(() => eventsOf(project, "question.answered")).toHaveLength(1);
  expect(seen).toEqual(NO_FAULTS);
});

test("an item handled by someone else stays visible with its result, and no key hits another item", async () => {
  const project = await givenQuestions("First?", "Second?");
  const { panel } = await freshPanel({ project });
  const { page } = await openPage(panel, "/inbox");
  await heading(page, "First?").waitFor();
  await page.keyboard.press("a");
  await page.keyboard.type("half an answ");
  const question = (await project.queries.inbox()).find(({ text }) => text === "First?");
  await project.decide(answerQuestion({ id: question?.id ?? 0, answer: "x" }));
  await page.getByText(/Already answered by human \(#/).waitFor();
  await page.keyboard.press("1");
  await expect.poll(() => eventsOf(project, "question.answered")).toHaveLength(1);
  await page.keyboard.press("j");
  await heading(page, "Second?").waitFor();
});

test("a refused act restores its item in its place, with the reason", async () => {
  const project = await givenEveryKind();
  const { panel } = await freshPanel({ project });
  const { page } = await openPage(panel, "/inbox");
  await rowOf(page, /^Import/).click();
  await page.getByRole("button", { name: "Reject" }).waitFor();
  // As if the item were of another task, which the server refuses.
  await routeOpened(page, "**/api/acts/inbox", (route) =>
    route.continue({
      postData:
        route
          .request()
          .postData()
          ?.replace(/"task":\d+/, '"task":999') ?? "",
    }),
  );
  await page.keyboard.press("x");
  await rowOf(page, /refused/).click();
  await page.getByRole("alert").getByText("not to task 999").waitFor();
  expect((await rows(page).allInnerTexts()).findIndex((text) => text.includes("Import"))).toBe(4);
  expect(await eventsOf(project, "suggestion.rejected")).toEqual([]);
});

test("an act whose answer is lost is repeated under its key, and recorded once", async () => {
  const project = await givenQuestions("First?");
  const { panel } = await freshPanel({ project });
  const { page } = await openPage(panel, "/inbox");
  await heading(page, "First?").waitFor();
  // What the page knows of the inbox does not go on while its connection is bad.
  await routeOpened(page, "**/api/inbox**", (route) => route.abort());
  await routeOpened(page, "**/api/acts/inbox", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.keyboard.press("1");
  await expect.poll(async () => (await eventsOf(project, "question.answered")).length).toBe(1);
  await page.unroute("**/api/acts/inbox");
  const again = page.waitForResponse("**/api/acts/inbox");
  await rowOf(page, /refused/).click();
  await page.getByRole("alert").getByText("The server did not answer").waitFor();
  await page.keyboard.press("1");
  expect((await again).status()).toBe(200);
  await expect.poll(() => eventsOf(project, "question.answered")).toHaveLength(1);
});

test("an act whose answer was lost is a new one after an undo", async () => {
  const project = await givenQuestions("First?");
  const { panel } = await freshPanel({ project });
  const { page } = await openPage(panel, "/inbox");
  await heading(page, "First?").waitFor();
  await routeOpened(page, "**/api/acts/inbox", async (route) => {
    await route.fetch();
    await route.abort();
  });
  const region = page.getByRole("region", { name: "Actions you can undo" });
  // It is told only until the news of the event comes.
  await Promise.all([
    region.getByText("The server did not answer").waitFor(),
    page.getByText("Nothing needs you").first().waitFor(),
    page.keyboard.press("1"),
  ]);
  await page.unroute("**/api/acts/inbox");
  await page.getByText("Answered (1)").waitFor();
  await page.keyboard.press("z");
  await rowOf(page, "First?").waitFor();
  await page.getByRole("list", { name: "Options" }).getByRole("button").first().waitFor();
  await page.keyboard.press("1");
  await expect.poll(() => eventsOf(project, "question.answered")).toHaveLength(2);
});

test("an act can be undone on another page and after a restart, until a session has read it", async () => {
  const project = await givenQuestions("First?", "Second?");
  const first = await freshPanel({ project });
  const { page } = await openPage(first.panel, "/inbox");
  await heading(page, "First?").waitFor();
  await page.keyboard.press("1");
  await page.getByRole("button", { name: /^Undo/ }).waitFor();
  await page.close();
  const { panel } = await freshPanel({ project });
  const { page: later } = await openPage(panel, "/inbox");
  await later.getByText("until the next session of").waitFor();
  await later.getByRole("button", { name: "Undo: answered “semicolons”" }).click();
  await heading(later, "First?").waitFor();
  await later.keyboard.press("2");
  await later.getByRole("button", { name: "Undo: answered “tabs”" }).waitFor();
  await project.decide(startSession({ task: 1, session: "s-7" }));
  await later.getByText("followed by session").waitFor();
  await expect.poll(() => later.getByRole("button", { name: /^Undo/ }).count()).toBe(0);
});

test("an empty inbox shows what is running and when the last item came", async () => {
  const project = await givenQuestions("First?");
  await project.decide(setTaskStatus({ task: 1, status: "pending" }));
  await project.decide(startSession({ task: 1, session: "s-2" }));
  const { panel } = await freshPanel({ project });
  const { page, seen } = await openPage(panel, "/inbox");
  await page.getByText("Nothing needs you").first().waitFor();
  await page.getByRole("link", { name: "#1 Task of First?" }).waitFor();
  await page.getByText("The last item was on").waitFor();
  const { panel: other } = await freshPanel();
  const { page: empty } = await openPage(other, "/inbox");
  await empty.getByRole("heading", { name: "Nothing has needed you yet" }).waitFor();
  expect(seen).toEqual(NO_FAULTS);
});

test("the past shows its inbox, read-only", async () => {
  const project = await givenQuestions("First?");
  const at = await project.log.head();
  const [item] = await project.queries.inbox();
  await project.decide(answerQuestion({ id: item?.id ?? 0, answer: "x" }));
  const { panel } = await freshPanel({ project });
  const { page, seen } = await openPage(panel, `/inbox?at=${at}`);
  await heading(page, "First?").waitFor();
  await expect.poll(() => page.getByRole("button", { name: "semicolons" }).isDisabled()).toBe(true);
  await page.keyboard.press("1");
  await page.keyboard.press("L");
  await page.getByText(/Already answered by human \(#/).waitFor();
  await expect.poll(() => eventsOf(project, "question.answered")).toHaveLength(1);
  expect(seen).toEqual(NO_FAULTS);
});

test("an unknown item in the address is reported beside the list", async () => {
  const { panel } = await freshPanel({ project: await givenQuestions("First?") });
  const { page, seen } = await openPage(panel, "/inbox?item=question-9999");
  await page.getByText("No question 9999 is waiting for you.").waitFor();
  await page.keyboard.press("j");
  await heading(page, "First?").waitFor();
  expect(seen).toEqual(NO_FAULTS);
});

test("while someone types, new items are announced politely and take no focus", async () => {
  const project = await givenQuestions("First?");
  const { panel } = await freshPanel({ project });
  const { page } = await openPage(panel, "/inbox");
  await heading(page, "First?").waitFor();
  await page.keyboard.press("a");
  await page.keyboard.type("half ");
  await project.decide(createTask({ title: "Another", gates: [{ command: "true", max: 1, timeout_s: 30 }] }));
  await session(project, "s-8", 2, ask("Third?"), partial);
  await project.decide(recordGateAttempt({ task: 2, gate: 1, exit_code: 1 }));
  await rowOf(page, "escalated gate").waitFor();
  await page.getByRole("status").getByText("3 wait").waitFor();
  await page.keyboard.type("an answer");
  await expect
    .poll(() => page.getByRole("textbox", { name: "Your own answer" }).inputValue())
    .toBe("half an answer");
});

test("on a phone an item is a separate page, with full-width options and a way back", async () => {
  const project = await givenQuestions("First?", "Second?");
  const { panel } = await freshPanel({ project });
  const { page, seen } = await openPage(panel, "/inbox", {
    viewport: { width: 390, height: 780 },
    hasTouch: true,
  });
  await rowOf(page, "First?").tap();
  await heading(page, "First?").waitFor();
  await expect.poll(() => rows(page).first().isVisible()).toBe(false);
  const option = await page.getByRole("button", { name: "tabs" }).boundingBox();
  expect(option?.width).toBeGreaterThan(340);
  expect(option?.height).toBeGreaterThanOrEqual(48);
  await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  await page.getByRole("link", { name: /‹ Inbox/ }).tap();
  await rowOf(page, "Second?").tap();
  await page.getByRole("button", { name: "tabs" }).tap();
  await heading(page, "First?").waitFor();
  expect(seen).toEqual(NO_FAULTS);
});

test("a sound and a notification of the system are off until somebody switches them on", async () => {
  const project = await givenQuestions("First?");
  const { panel } = await freshPanel({ project });
  const { page, context } = await openPage(panel, "/inbox");
  await context.grantPermissions(["notifications"]);
  await page.addInitScript({
    content: `
      window.told = [];
      window.Notification = class {
        static async requestPermission() { return "granted"; }
        constructor(title, { body }) { window.told.push(title + ": " + body); }
      };`,
  });
  await page.reload();
  const notify = page.getByRole("button", { name: "Notify", pressed: false });
  // What is there already rings no bell.
  const known = page.waitForResponse(/api\/inbox\?row=0&limit=1$/);
  await notify.click();
  await page.getByRole("button", { name: "Notify", pressed: true }).waitFor();
  await page.getByRole("link", { name: "Log" }).click();
  await expect
    .poll(() =>
      page.evaluate(
        `navigator.locks.query().then(({ held }) => held.some(({ name }) => name === "signalbox-bell"))`,
      ),
    )
    .toBe(true);
  await (await known).finished();
  await project.decide(createTask({ title: "Another" }));
  await session(project, "s-8", 2, ask("Loud?"), partial);
  await expect.poll(() => page.evaluate("window.told")).toEqual(["#2 Another: question: Loud?"]);
});
