import { expect, onTestFinished, test } from "vitest";
import {
  holders,
  listPersonTokens,
  makePersonToken,
  revokePersonToken,
} from "../../src/outside/people/tokens.ts";
import { asks } from "../notices/given.ts";
import { freshProject, givenConfig } from "../support/project.ts";
import { ask, cookieOf } from "./support/ask.ts";
import { freshPanel, usePanels } from "./support/panel.ts";
import { starts, task } from "./support/work.ts";

/* Catches: a request in another's name, an act that its person's role does not have, and a token that outlives its end. */

usePanels();

const PEOPLE = {
  wim: { role: "watch" },
  ada: { role: "answer" },
  dora: { role: "decide" },
  olga: { role: "own" },
};

async function givenPeople() {
  const { project, folder, db } = await freshProject();
  givenConfig(folder, { people: PEOPLE });
  await project.log.append([task(1, "Add export"), starts("s-1", 1)]);
  const { events } = await project.log.append([asks("Sync or async?")]);
  const { panel } = await freshPanel({ project, people: holders(db) });
  const tokenOf = (person: string, valid_ms?: number) =>
    makePersonToken(db, { person, by: "token", now_ms: Date.now(), valid_ms });
  const actAs = (token: string, name: string, input: object) =>
    ask(panel, `/api/acts/${name}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ key: crypto.randomUUID(), input }),
    });
  const look = (token: string) =>
    ask(panel, "/api/overview", { headers: { authorization: `Bearer ${token}` } });
  return { project, folder, db, panel, tokenOf, actAs, look, question: events[0]?.position ?? 0 };
}

test("what a person does by a token is recorded as theirs", async () => {
  const { project, tokenOf, actAs, look, question } = await givenPeople();
  const { token } = tokenOf("ada");
  expect(JSON.parse((await look(token)).body).answer.visitor).toEqual({
    name: "ada",
    role: "answer",
    by: "token",
  });
  const answer = { id: question, kind: "question", task: 1, act: "answer", text: "sync" };
  expect(await actAs(token, "inbox", answer)).toMatchObject({ status: 200 });
  expect(await actAs(token, "comment", { task: 1, body: "Done." })).toMatchObject({ status: 200 });
  expect((await project.log.read(question, 10)).map(({ type, actor, via }) => [type, actor, via])).toEqual([
    ["question.answered", "ada", { channel: "page" }],
    ["comment.added", "ada", { channel: "page" }],
  ]);
  expect(await actAs(token, "undo", { id: question })).toMatchObject({ status: 200 });
});

test.each([
  ["wim", "comment", { task: 1, body: "x" }, "answer"],
  ["ada", "set_status", { task: 1, status: "skipped" }, "decide"],
  ["ada", "create_task", { title: "x" }, "decide"],
  ["ada", "inbox", { id: 1, kind: "gate_approval", task: 1, act: "approve" }, "decide"],
  ["ada", "undo", { id: 1 }, "decide"],
  ["dora", "pause_work", {}, "own"],
  ["dora", "start_loop", {}, "own"],
])("%s may not %s, and is told the role that it needs", async (person, act, input, needed) => {
  const { project, tokenOf, actAs } = await givenPeople();
  const head = await project.log.head();
  const told = await actAs(tokenOf(person).token, act, input);
  expect(told).toMatchObject({ status: 403 });
  expect(JSON.parse(told.body).error).toMatchObject({
    code: "not_allowed",
    message: expect.stringMatching(new RegExp(`^${person} has the role .* this needs ${needed}\\.`)),
  });
  expect(await project.log.head()).toBe(head);
});

test.each([
  ["dora", "create_task", { title: "Another" }],
  ["olga", "pause_work", {}],
])("%s may %s", async (person, act, input) => {
  const { tokenOf, actAs } = await givenPeople();
  expect(await actAs(tokenOf(person).token, act, input)).toMatchObject({ status: 200 });
});

test("an address with a person's token opens the page as that person, by a cookie that no script reads", async () => {
  const { panel, tokenOf } = await givenPeople();
  const { token } = tokenOf("ada");
  const opened = await ask(panel, `/inbox?token=${token}&item=question-5`);
  expect(opened).toMatchObject({ status: 303, headers: { location: "/inbox?item=question-5" } });
  const set = String(opened.headers["set-cookie"]);
  expect(set).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
  const told = await ask(panel, "/api/overview", { headers: { cookie: set.split(";")[0] ?? "" } });
  expect(JSON.parse(told.body).answer.visitor).toEqual({ name: "ada", role: "answer", by: "token" });
});

test("a revoked, expired or foreign token opens nothing from the next request on, nor does one whose person is gone", async () => {
  const { db, folder, tokenOf, look, actAs } = await givenPeople();
  const { token, id } = tokenOf("ada");
  expect(await look(token)).toMatchObject({ status: 200 });
  expect(revokePersonToken(db, id)).toBe(true);
  expect(await look(token)).toMatchObject({ status: 401 });
  expect(await look(tokenOf("ada", -1).token)).toMatchObject({ status: 401 });
  expect(await look((await givenPeople()).tokenOf("ada").token)).toMatchObject({ status: 401 });
  const { token: ofDora } = tokenOf("dora");
  givenConfig(folder, { people: { dora: { role: "watch" } } });
  expect(await actAs(ofDora, "set_status", { task: 1, status: "skipped" })).toMatchObject({ status: 403 });
  givenConfig(folder, { people: {} });
  expect(await look(ofDora)).toMatchObject({ status: 401 });
});

test("a stream that is open ends once its token is revoked", async () => {
  const { project, db, panel, tokenOf } = await givenPeople();
  const { token, id } = tokenOf("wim");
  const headers = { authorization: `Bearer ${token}` };
  const ended = fetch(`http://127.0.0.1:${panel.port}/api/stream`, { headers }).then((stream) =>
    stream.text(),
  );
  await expect.poll(() => Promise.race([ended, Promise.resolve("open")])).toBe("open");
  revokePersonToken(db, id);
  await project.log.append([task(2, "Another")]);
  const heard = await ended;
  expect(heard).not.toContain('"head":6');
});

test("of a thousand wrong tokens none is accepted", async () => {
  const { look, tokenOf } = await givenPeople();
  const { token } = tokenOf("olga");
  const wrong = Array.from({ length: 1_000 }, (_, at) =>
    at % 2 === 0
      ? `sbp_${crypto.randomUUID()}${crypto.randomUUID()}`.slice(0, 47)
      : token.slice(0, at % token.length),
  );
  const statuses = new Set<number>();
  for (const one of wrong) statuses.add((await look(one)).status);
  expect([...statuses]).toEqual([401]);
});

test("tokens are kept as hashes, and listed without themselves", async () => {
  const { db, tokenOf } = await givenPeople();
  const { token, id } = tokenOf("ada", 1_000_000);
  const listed = listPersonTokens(db);
  expect(listed).toMatchObject([{ id, person: "ada", by: "token", expires: expect.any(String) }]);
  expect(JSON.stringify(listed)).not.toContain(token.slice(4, 20));
});

/** A browser that is somebody already, and is led to an address with a token. */
async function led(from: "owner" | "ada", to: "owner" | "dora" | "ada" | "nobody", path = "/inbox") {
  const given = await givenPeople();
  const { panel, tokenOf } = given;
  const own = new URL(panel.address).searchParams.get("token") ?? "";
  const tokens = {
    owner: own,
    nobody: "wrong",
    ada: tokenOf("ada").token,
    dora: tokenOf("dora").token,
  };
  const cookie = from === "owner" ? await cookieOf(panel) : `signalbox_${panel.port}=${tokens.ada}`;
  const told = await ask(panel, `${path}?token=${tokens[to]}`, { headers: { cookie } });
  return { ...given, told, cookie, tokens };
}

test.each([
  ["owner", "ada"],
  ["owner", "dora"],
  ["ada", "dora"],
  ["ada", "owner"],
] as const)(
  "who is %s and is led to an address of %s is asked, and stays who they were",
  async (from, to) => {
    const { panel, told, cookie } = await led(from, to);
    expect(told).toMatchObject({ status: 303, headers: { location: "/identity?to=%2Finbox" } });
    const set = String(told.headers["set-cookie"]);
    expect(set).toMatch(
      new RegExp(`^signalbox_${panel.port}_next=.*; Path=/identity; HttpOnly; SameSite=Lax$`),
    );
    const both = `${cookie}; ${set.split(";")[0]}`;
    const page = await ask(panel, "/identity?to=%2Finbox", { headers: { cookie: both } });
    expect(page).toMatchObject({ status: 200 });
    expect(page.body).toContain('action="/identity"');
    expect(page.headers["content-security-policy"]).toContain("form-action 'self'");
    const origin = `http://127.0.0.1:${panel.port}`;
    const taken = new RegExp(`signalbox_${panel.port}=`);
    const [, become = ""] = /value="((?:person|owner) [^"]+)"/.exec(page.body) ?? [];
    const answer = (act: string, headers: Record<string, string>) =>
      ask(panel, "/identity", {
        method: "POST",
        headers: { cookie: both, "content-type": "application/x-www-form-urlencoded", ...headers },
        body: `act=${encodeURIComponent(act)}&to=%2Finbox`,
      });
    for (const other of ["null", "http://127.0.0.1:1", "https://evil.example"])
      expect((await answer(become, { origin: other })).status, other).toBe(403);
    expect((await answer(become, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await answer(`person ${"x".repeat(20_000)}`, { origin })).status).toBe(413);
    for (const other of ["switch", "person olga", "owner olga"])
      expect(String((await answer(other, { origin })).headers["set-cookie"]), other).not.toMatch(taken);
    const kept = await answer("keep", { origin });
    expect(kept).toMatchObject({ status: 303, headers: { location: "/inbox" } });
    expect(String(kept.headers["set-cookie"])).not.toMatch(taken);
    expect(String((await answer(become, { origin })).headers["set-cookie"])).toMatch(taken);
  },
);

test.each([
  ["owner", "owner"],
  ["ada", "ada"],
] as const)("who is %s already and opens an own address is asked nothing", async (from, to) => {
  const { told } = await led(from, to);
  expect(told).toMatchObject({ status: 303, headers: { location: "/inbox" } });
});

test("a wrong token in an address changes nothing for who is somebody", async () => {
  const { told } = await led("owner", "nobody");
  expect(told).toMatchObject({ status: 303, headers: { location: "/inbox" } });
  expect(told.headers["set-cookie"]).toBeUndefined();
});

test("one person's streams leave those of others free", async () => {
  const { panel, tokenOf } = await givenPeople();
  const { token } = tokenOf("wim");
  const open = (headers: Record<string, string>) => {
    const leaving = new AbortController();
    onTestFinished(() => leaving.abort());
    return fetch(`http://127.0.0.1:${panel.port}/api/stream`, { headers, signal: leaving.signal });
  };
  const wims = await Promise.all(
    Array.from({ length: 65 }, () => open({ authorization: `Bearer ${token}` })),
  );
  expect(wims.filter(({ status }) => status === 429)).toHaveLength(1);
  expect((await open({ cookie: await cookieOf(panel) })).status).toBe(200);
  expect((await open({ authorization: `Bearer ${tokenOf("ada").token}` })).status).toBe(200);
});
