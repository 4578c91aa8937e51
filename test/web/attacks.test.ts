// @module-tag chromium
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { createTask } from "../../src/operations/tasks.ts";
import { freshPanel, openPage, type Seen, useBrowser } from "./support/browser.ts";
import { hostileProject } from "./support/hostile.ts";
import { goTo } from "./support/views.ts";

useBrowser();

/** What a text became on the page that it must not; to be run in the page, of whose types tests know nothing. */
const INTRUDERS = `(() => {
  const bad = "script:not([src^='/assets/']), img, iframe, object, embed, form[action], base, meta[http-equiv], style";
  const all = [...document.querySelectorAll("*")];
  const ours = location.origin;
  return [
    ...[...document.querySelectorAll(bad)].map((one) => one.outerHTML.slice(0, 200)),
    ...[...document.querySelectorAll("link")].filter(({ rel, href }) => !(rel === "icon" && href.startsWith("data:image/svg+xml,")) && !href.startsWith(ours + "/assets/")).map((one) => one.outerHTML),
    ...all.filter((one) => [...one.attributes].some(({ name }) => name.startsWith("on"))).map((one) => one.outerHTML.slice(0, 200)),
    ...[...document.links].filter((link) => link.origin !== ours && !(/^https?:$/.test(link.protocol) && link.rel === "noreferrer noopener nofollow" && link.textContent.length > 0)).map((link) => link.outerHTML.slice(0, 200)),
    ...[...document.links].filter((link) => link.origin === ours && link.pathname.startsWith("/api/") && link.pathname !== "/api/log.jsonl").map((link) => link.outerHTML.slice(0, 200)),
    ...(/[\\u202a-\\u202e\\u2066-\\u2069\\u200b\\u0007\\u001b]/.test(document.body.innerText + document.title) ? ["hidden characters: " + document.body.innerText.match(/.{0,40}[\\u202a-\\u202e\\u2066-\\u2069\\u200b\\u0007\\u001b].{0,20}/)] : []),
    ...all.flatMap((one) => ["title", "aria-label"].map((name) => one.getAttribute(name) ?? "")).filter((text) => /[\\u202a-\\u202e\\u2066-\\u2069]/.test(text)).map((text) => "hidden in an attribute: " + text.slice(0, 80)),
    ...(window.broken === undefined ? [] : ["a script of a text was run"]),
  ];
})()`;

async function expectInert(page: Page, seen: Seen, where: string): Promise<void> {
  expect.soft(await page.evaluate(INTRUDERS), where).toEqual([]);
  expect(seen, where).toEqual({ faults: [], strangers: [] });
}

const UNVERIFIED = "Unverified: the done did not count";

test("no text of others is active in any view, now or in the past", async () => {
  const { project, task, session, done } = await hostileProject();
  const { panel } = await freshPanel({ project });
  const { page, seen } = await openPage(panel);
  page.on("dialog", (dialog) => {
    seen.faults.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const past = `at=${await project.log.head()}`;
  const learning = (await project.queries.learnings())[0]?.id;
  const of = encodeURIComponent(session);
  for (const [path, part] of [
    ["/board", "Ready"],
    [`/board?task=${task}`, "Criteria"],
    [`/sessions?session=${of}`, "Signals"],
    [`/tasks/${task}`, "Session ended"],
    [`/tasks/${task}#e${done}`, UNVERIFIED],
    ["/learnings", "discovery"],
    [`/learnings?learning=${learning}&text=evil`, "Used in"],
    ["/charts", "Show table"],
    ["/log", "learning.added"],
    [`/board?task=${task}&${past}`, "Criteria"],
    [`/tasks/${task}?${past}#e${done}`, UNVERIFIED],
  ] as const) {
    await goTo(page, path);
    await page.getByText(part).first().waitFor({ state: "attached" });
    await expectInert(page, seen, path);
  }
  await page.goto(new URL(`/board?task=${task}&show=graph`, page.url()).href);
  await page.locator(".graph-node").first().waitFor();
  await expectInert(page, seen, "graph");
  await page.goto(new URL("/log?text=evil.example", page.url()).href);
  await page.locator(".log-row").first().waitFor();
  await expectInert(page, seen, "log, searched");
});

test("no text of others is active in any inbox item or log event", async () => {
  const { project } = await hostileProject();
  const { panel } = await freshPanel({ project });
  const { page, seen } = await openPage(panel);
  await goTo(page, "/inbox");
  const items = page.getByRole("region", { name: /^Waiting for you/ }).getByRole("link");
  await items.first().waitFor();
  await expect.poll(() => items.count()).toBeGreaterThan(3);
  for (const item of await items.all()) {
    const address = (await item.getAttribute("href")) ?? "";
    await item.click();
    await page.waitForURL(new URL(address, page.url()).href);
    await page.locator(".inbox h2").first().waitFor();
    await expectInert(page, seen, address);
  }
  const head = await project.log.head();
  for (let position = 3; position <= head; position++) {
    await page.goto(new URL(`/log?event=${position}`, page.url()).href);
    const event = page.getByRole("complementary", { name: "Event" });
    await event.getByRole("heading", { name: `#${position}` }).waitFor();
    await expectInert(page, seen, `event ${position}`);
  }
});

test("a link in a text gets no referrer and no access to the panel's window", async () => {
  const { project, task } = await hostileProject();
  const told: (string | undefined)[] = [];
  const foreign = await foreignServer((request) => {
    told.push(request.headers.referer);
    return "<!doctype html><title>elsewhere</title>";
  });
  const { panel } = await freshPanel({ project });
  const { page, context } = await openPage(panel);
  await page.goto(new URL(`/tasks/${task}`, page.url()).href);
  const box = page.getByRole("textbox", { name: /^Comment on task/ });
  await box.fill(`[read](${foreign}/secret)`);
  await box.press("Control+Enter");
  const link = page.locator(`a[href="${foreign}/secret"]`).first();
  const opening = context.waitForEvent("page");
  await link.click({ modifiers: ["Control"] });
  const opened = await opening;
  await expect.poll(() => opened.title()).toBe("elsewhere");
  expect(await opened.evaluate("[document.referrer, window.opener]")).toEqual(["", null]);
  expect(told).toEqual([undefined]);
});

test.each([
  ["another port of this machine", "127.0.0.1"],
  ["another host", "localhost"],
])(
  "a page of %s can neither read nor do anything, with the panel's cookie in the browser",
  async (_, host) => {
    const { project, panel, origin } = await freshPanel();
    await project.decide(createTask({ title: "Lay the points" }));
    const head = await project.log.head();
    const { context } = await openPage(panel);
    const foreign = (await foreignServer(() => attackOn(origin))).replace("127.0.0.1", host);
    const page = await context.newPage();
    const answers: number[] = [];
    const framed: number[] = [];
    page.on("response", (response) => {
      if (!response.url().startsWith(origin)) return;
      answers.push(response.status());
      if (response.request().resourceType() === "document") framed.push(response.status());
    });
    await page.goto(foreign);
    await expect
      .poll(() => page.evaluate("window.results"), { timeout: 30_000 })
      .toEqual({
        "fetch the board": "refused",
        "fetch as the browser likes": "nothing to read",
        "post an act": "refused",
        "post an act as a form would": "nothing to read",
        "send a beacon": "sent",
        "open a window": "nothing to read",
        "listen to its stream": "refused",
        "load it as a script": "refused",
      });
    await expect.poll(() => framed).toEqual([403]);
    await page.evaluate("document.forms[0].submit()");
    await page.waitForURL(`${origin}/**`);
    await expect
      .poll(() => page.getByText("Only the panel's own page may send this request.").count())
      .toBe(1);
    expect(answers.filter((status) => status === 200 || status === 303)).toEqual([]);
    expect(await project.log.head()).toBe(head);
  },
);

test("an API address opened by a link shows data as data, only to its user, and changes nothing", async () => {
  const { project, panel, origin } = await freshPanel();
  await project.decide(createTask({ title: "<script>document.title = 'run'</script>" }));
  const head = await project.log.head();
  const { context } = await openPage(panel);
  const foreign = await foreignServer(
    () =>
      `<!doctype html><a href="${origin}/api/acts/undo?input=1">undo</a><a href="${origin}/api/log?after=0&limit=10">log</a>`,
  );
  const page = await context.newPage();
  for (const [name, status] of [
    ["undo", 405],
    ["log", 200],
  ] as const) {
    await page.goto(foreign);
    const answering = page.waitForResponse(`${origin}/**`);
    await page.getByRole("link", { name }).click();
    const answered = await answering;
    expect(answered.status()).toBe(status);
    expect(answered.headers()).toMatchObject({
      "content-type": "application/json",
      "x-content-type-options": "nosniff",
    });
    await page.waitForURL(`${origin}/**`);
    expect(await page.title()).not.toBe("run");
  }
  expect(await project.log.head()).toBe(head);
});

/** A server of somebody else. @returns its origin */
async function foreignServer(
  answer: (request: { headers: { referer?: string } }) => string,
): Promise<string> {
  const server = createServer((request, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(request.url === "/favicon.ico" ? "" : answer(request as never));
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A page that tries all that a page can. */
function attackOn(origin: string): string {
  const body = JSON.stringify({ key: crypto.randomUUID(), input: { task: 1, status: "done" } });
  return `<!doctype html><title>evil</title>
<form method="post" action="${origin}/api/acts/set_status" enctype="text/plain"><input name='${body.slice(0, -1)},"a":"' value='"}'></form>
<script>
window.results = {};
const tell = (name, result) => { window.results[name] = result; };
const refused = (name) => () => tell(name, "refused");
const opaque = (name) => async (response) => tell(name, (await response.text()) === "" ? "nothing to read" : "read it");
const target = ${JSON.stringify(origin)};
const body = ${JSON.stringify(body)};
fetch(target + "/api/board", { credentials: "include" }).then(opaque("fetch the board"), refused("fetch the board"));
fetch(target + "/api/board", { credentials: "include", mode: "no-cors" }).then(opaque("fetch as the browser likes"), () => tell("fetch as the browser likes", "nothing to read"));
fetch(target + "/api/acts/set_status", { method: "POST", credentials: "include", headers: { "Content-Type": "application/json" }, body }).then(opaque("post an act"), refused("post an act"));
fetch(target + "/api/acts/set_status", { method: "POST", credentials: "include", mode: "no-cors", headers: { "Content-Type": "text/plain" }, body }).then(opaque("post an act as a form would"), () => tell("post an act as a form would", "nothing to read"));
navigator.sendBeacon(target + "/api/acts/set_status", body);
tell("send a beacon", "sent");
const frame = document.createElement("iframe");
frame.src = target + "/board";
document.body.append(frame);
const opened = window.open(target + "/board");
setTimeout(() => { let text = ""; try { text = opened.document.body.textContent; } catch {} tell("open a window", text === "" ? "nothing to read" : "read it"); }, 1000);
const stream = new EventSource(target + "/api/stream", { withCredentials: true });
stream.onmessage = () => tell("listen to its stream", "read it");
stream.onerror = () => { stream.close(); tell("listen to its stream", "refused"); };
const script = document.createElement("script");
script.onload = () => tell("load it as a script", "read it");
script.onerror = refused("load it as a script");
script.src = target + "/api/board";
document.body.append(script);
</script>`;
}
