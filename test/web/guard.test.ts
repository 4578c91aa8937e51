import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { Project } from "../../src/api/project.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { freshProject } from "../support/project.ts";
import { actOn, ask, cookieOf } from "./support/ask.ts";
import { givenQuestions } from "./support/given-inbox.ts";
import { freshPanel, usePanels } from "./support/panel.ts";

usePanels();

const PATHS = ["/", "/inbox", "/api/overview", "/api/stream", "/api/nothing", "/assets/none.js"];

test.each(PATHS)("without token and cookie %s is refused", async (path) => {
  const { panel } = await freshPanel();
  const told = await ask(panel, path);
  expect(told.status).toBe(401);
  expect(told.body).toContain("signalbox serve");
  const wrong = await ask(panel, `${path}?token=wrong`, {
    headers: { cookie: `signalbox_${panel.port}=wrong` },
  });
  expect(wrong.status).toBe(401);
});

test("a browser without the token gets a page that says what to do, with its own style and no script", async () => {
  const { panel } = await freshPanel();
  const told = await ask(panel, "/board", { headers: { accept: "text/html,*/*;q=0.8" } });
  expect(told).toMatchObject({ status: 401, headers: { "content-type": "text/html; charset=UTF-8" } });
  expect(told.body).toContain("<code>signalbox serve</code>");
  expect(told.body).not.toContain("<script");
  const style = /<style>(.*)<\/style>/s.exec(told.body)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  expect(told.headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(told.headers["content-security-policy"]).toContain(`'sha256-${hash}'`);
  expect((await ask(panel, "/api/overview", { headers: { accept: "text/html" } })).headers).toMatchObject({
    "content-type": "application/json",
  });
});

test("the token is exchanged for a cookie that no script reads and that stays with its port", async () => {
  const { panel } = await freshPanel();
  const { search } = new URL(panel.address);
  const told = await ask(panel, `/tasks/7${search}&at=3`);
  expect(told).toMatchObject({ status: 303, headers: { location: "/tasks/7?at=3" } });
  const cookie = String(told.headers["set-cookie"]);
  expect(cookie).toMatch(new RegExp(`^signalbox_${panel.port}=.{40,}; Path=/; HttpOnly; SameSite=Lax$`));
  expect(cookie).not.toContain(search.slice("?token=".length));
  const opened = await ask(panel, "/tasks/7", { headers: { cookie: await cookieOf(panel) } });
  expect(opened).toMatchObject({ status: 200, headers: { "content-type": "text/html; charset=utf-8" } });
});

test("the cookie of one panel opens no other one", async () => {
  const { panel: one } = await freshPanel();
  const { panel: other } = await freshPanel();
  const cookie = await cookieOf(one);
  const value = cookie.split("=")[1];
  expect((await ask(other, "/", { headers: { cookie } })).status).toBe(401);
  expect((await ask(other, "/", { headers: { cookie: `signalbox_${other.port}=${value}` } })).status).toBe(
    401,
  );
});

test("another port's cookie of the same name does not lock anyone out", async () => {
  const { panel } = await freshPanel();
  const right = await cookieOf(panel);
  const cookie = `signalbox_${panel.port}=x; ${right}`;
  expect((await ask(panel, "/board", { headers: { cookie } })).status).toBe(200);
  const wrong = `signalbox_${panel.port}=x; other_${right}`;
  expect((await ask(panel, "/board", { headers: { cookie: wrong } })).status).toBe(401);
});

test("an unsupported method is refused, with the supported ones", async () => {
  const { panel } = await freshPanel();
  const cookie = await cookieOf(panel);
  for (const [method, path, allow] of [
    ["POST", "/", "GET, HEAD"],
    ["PUT", "/api/board", "GET, HEAD"],
    ["DELETE", "/api/stream", "GET, HEAD"],
    ["GET", "/api/acts/undo", "POST"],
  ] as const) {
    const told = await ask(panel, path, { method, headers: { cookie } });
    expect(told, `${method} ${path}`).toMatchObject({ status: 405, headers: { allow } });
  }
});

test("a comment is signed by who decides", async () => {
  const { project } = await freshProject();
  const ours = new Project(project.store, "ada");
  await ours.decide(createTask({ title: "Lay the points" }));
  const { panel } = await freshPanel({ project: ours });
  expect(await actOn(panel, "comment", { task: 1, body: "Mind the frost." })).toMatchObject({ status: 200 });
  expect(await ours.queries.comments(1)).toMatchObject([{ author: "ada", actor: "ada" }]);
});

test("a key that was used for another decision, and a question of another task, are refused", async () => {
  const project = await givenQuestions("First?");
  const { panel } = await freshPanel({ project });
  const [item] = await project.queries.inbox();
  const id = item?.id ?? 0;
  const head = await project.log.head();
  const answer = { id, kind: "question", act: "answer", text: "yes" };
  expect(await actOn(panel, "inbox", { ...answer, task: 99 })).toMatchObject({ status: 404 });
  expect(await project.log.head()).toBe(head);
  const key = crypto.randomUUID();
  await project.decide(createTask({ title: "Lay the points" }), key);
  const told = await actOn(panel, "inbox", { ...answer, task: item?.task }, {}, key);
  expect(told).toMatchObject({ status: 409, body: expect.stringContaining("id_conflict") });
});

test("an address of two slashes leads to no other host", async () => {
  const { panel } = await freshPanel();
  const { search } = new URL(panel.address);
  for (const path of ["//evil.example/", "/\\evil.example/", "///evil.example"]) {
    const { location } = (await ask(panel, `${path}${search}`)).headers;
    const origin = `http://127.0.0.1:${panel.port}`;
    expect(new URL(String(location), origin).origin).toBe(origin);
  }
});

test("a name that somebody else had point here is refused, with the right cookie too", async () => {
  const { panel } = await freshPanel();
  const cookie = await cookieOf(panel);
  const hosts = [
    "evil.example",
    `evil.example:${panel.port}`,
    "127.0.0.1",
    "127.0.0.1:1",
    `127.0.0.1.evil.example:${panel.port}`,
  ];
  for (const host of hosts) {
    expect((await ask(panel, "/api/overview", { headers: { cookie, host } })).status, host).toBe(421);
  }
  for (const host of [`127.0.0.1:${panel.port}`, `localhost:${panel.port}`, `[::1]:${panel.port}`]) {
    expect((await ask(panel, "/api/overview", { headers: { cookie, host } })).status, host).toBe(200);
  }
});

test("a request from another site's page is refused, even with the right cookie", async () => {
  const { panel, project } = await freshPanel();
  await project.decide(createTask({ title: "Lay the points" }));
  const before = await project.log.head();
  const input = { id: 1, kind: "question", task: 1, gate: null, act: "answer", text: "yes" };
  const foreign: Record<string, string>[] = [
    { origin: "http://evil.example" },
    { origin: "null" },
    { origin: `http://127.0.0.1:${panel.port + 1}`, "sec-fetch-site": "same-site" },
    { origin: `http://localhost:${panel.port}` },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ];
  for (const headers of foreign) {
    expect((await actOn(panel, "inbox", input, headers)).status, JSON.stringify(headers)).toBe(403);
    const cookie = await cookieOf(panel);
    expect((await ask(panel, "/api/overview", { headers: { cookie, ...headers } })).status).toBe(403);
  }
  expect((await actOn(panel, "inbox", input, { "content-type": "text/plain" })).status).toBe(415);
  expect(await project.log.head()).toBe(before);
});

test("a link on another site opens a view", async () => {
  const { panel } = await freshPanel();
  const headers = {
    cookie: await cookieOf(panel),
    "sec-fetch-site": "cross-site",
    "sec-fetch-mode": "navigate",
  };
  expect((await ask(panel, "/inbox", { headers })).status).toBe(200);
});

test("every answer has the strict headers, refusals too", async () => {
  const { panel } = await freshPanel();
  const cookie = await cookieOf(panel);
  for (const [path, headers] of [
    ["/", { cookie }],
    ["/", {}],
    ["/api/overview", { cookie }],
    ["/api/none", { cookie }],
    ["/", { host: "evil" }],
  ] as const) {
    const told = await ask(panel, path, { headers });
    expect(told.headers["content-security-policy"]).toMatch(
      /^default-src 'none'; script-src 'self'; .*trusted-types 'none'$/,
    );
    expect(told.headers).toMatchObject({
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(told.headers["access-control-allow-origin"]).toBeUndefined();
  }
});

test("with --read-only every act is refused", async () => {
  const { panel, project } = await freshPanel({ readOnly: true });
  const before = await project.log.head();
  const told = await actOn(panel, "undo", { id: 1 });
  expect(told.status).toBe(403);
  expect(told.body).toContain("--read-only");
  expect(await project.log.head()).toBe(before);
});

test("an invalid request gets the fault, and records nothing", async () => {
  const { panel, project } = await freshPanel();
  const cookie = await cookieOf(panel);
  const before = await project.log.head();
  const get = (path: string) => ask(panel, path, { headers: { cookie } });
  expect(await get("/api/log?after=x&limit=1")).toMatchObject({
    status: 400,
    body: expect.stringContaining("after"),
  });
  expect(await get("/api/log?after=0&limit=1&colour=red")).toMatchObject({
    status: 400,
    body: expect.stringContaining("colour"),
  });
  expect(await get("/api/overview?at=99")).toMatchObject({
    status: 404,
    body: expect.stringContaining("99"),
  });
  expect(await get("/api/overview?at=soon")).toMatchObject({ status: 400 });
  expect(await get("/api/none")).toMatchObject({ status: 404, body: expect.stringContaining("/api/none") });
  expect((await get("/assets/../../package.json")).body).toContain("<title>signalbox</title>");
  expect(await actOn(panel, "undo", { id: "one" })).toMatchObject({
    status: 400,
    body: expect.stringContaining("id"),
  });
  expect(await actOn(panel, "undo", { id: 999 })).toMatchObject({ status: 404 });
  expect(await actOn(panel, "none", {})).toMatchObject({ status: 404 });
  const large = { id: 1, kind: "question", task: 1, gate: null, act: "answer", text: "x".repeat(200_000) };
  expect(await actOn(panel, "inbox", large)).toMatchObject({ status: 413 });
  expect(await project.log.head()).toBe(before);
});
