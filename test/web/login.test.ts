import { expect, test, vi } from "vitest";
import { loginsOf } from "../../src/outside/people/logins.ts";
import { holders, listPersonTokens } from "../../src/outside/people/tokens.ts";
import { CLIENT, givenProvider, logInAt } from "../people/given-provider.ts";
import { freshProject, givenConfig } from "../support/project.ts";
import { ask, type Told } from "./support/ask.ts";
import { freshPanel, usePanels } from "./support/panel.ts";

/* Catches: a login by another's answer, one that outlives its person, and a fault that leaves people without a word. */

usePanels();

const HTML = { accept: "text/html" };
const PEOPLE = { ada: { role: "answer", login: "Ada@Example.com" }, wim: { role: "watch" } };

/** A panel where people log in at a provider. */
async function givenLogin(claims?: (name: string) => Record<string, unknown>) {
  const { project, folder, db } = await freshProject();
  let late_ms = 0;
  const now = () => Date.now() + late_ms;
  const { panel, origin } = await freshPanel({
    project,
    people: holders(db, now),
    logins: loginsOf(db, now),
  });
  const callback = `${origin}/login/callback`;
  const issuer = await givenProvider({ redirectUris: [callback], ...(claims && { claims }) });
  vi.stubEnv("SIGNALBOX_TEST_SECRET", CLIENT.secret);
  const login = { issuer, client_id: CLIENT.id, client_secret: { env: "SIGNALBOX_TEST_SECRET" } };
  givenConfig(folder, { people: PEOPLE, login });
  const get = (path: string, cookie = "", headers: Record<string, string> = HTML) =>
    ask(panel, path, { headers: { ...headers, cookie } });
  const begin = async (to = "/") => {
    const { status, headers } = await get(`/login?to=${encodeURIComponent(to)}`);
    return { status, address: String(headers.location), cookie: cookieIn(headers) };
  };
  /** To where the provider sends back a person, with the cookie of the browser that began. */
  const comeBack = async (name: string, to?: string) => {
    const { address, cookie } = await begin(to);
    return { path: (await logInAt(issuer, address, name)).slice(origin.length), cookie };
  };
  const logIn = async (name: string, to?: string) => {
    const { path, cookie } = await comeBack(name, to);
    return get(path, cookie);
  };
  const overview = (cookie: string) => get("/api/overview", cookie);
  const wait = (ms: number) => {
    late_ms += ms;
  };
  return { project, folder, db, panel, origin, issuer, login, get, begin, comeBack, logIn, overview, wait };
}

function cookieIn(headers: Told["headers"], nth = -1): string {
  return [headers["set-cookie"] ?? []].flat().at(nth)?.split(";")[0] ?? "";
}

test("a person who logs in at the provider comes back to the page as who they are, until they log out", async () => {
  const { project, db, panel, origin, get, logIn, overview } = await givenLogin();
  const refused = await get("/inbox?item=question-5");
  expect(refused).toMatchObject({ status: 401, body: expect.stringContaining("Log in at 127.0.0.1:") });
  expect(refused.body).toContain('href="/login?to=%2Finbox%3Fitem%3Dquestion-5"');
  expect(JSON.parse((await overview("")).body).error.code).toBe("login_needed");
  const back = await logIn("ada", "/inbox?item=question-5");
  expect(back).toMatchObject({ status: 303, headers: { location: "/inbox?item=question-5" } });
  expect(back.headers["set-cookie"]).toEqual([
    expect.stringMatching(/_login=; Max-Age=0; Path=\/login; HttpOnly; SameSite=Lax$/),
    expect.stringMatching(/=sbp_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
  const cookie = cookieIn(back.headers);
  expect(JSON.parse((await overview(cookie)).body).answer.visitor).toEqual({
    name: "ada",
    role: "answer",
    by: "login",
  });
  expect(listPersonTokens(db)).toMatchObject([{ person: "ada", by: "login" }]);
  expect(await project.log.head()).toBe((await project.log.read(0, 100)).length);
  const foreign = { cookie, origin: "http://evil.example" };
  expect(await ask(panel, "/logout", { method: "POST", headers: foreign })).toMatchObject({ status: 403 });
  expect(await overview(cookie)).toMatchObject({ status: 200 });
  const out = await ask(panel, "/logout", { method: "POST", headers: { cookie, origin } });
  expect(out).toMatchObject({ status: 200 });
  expect(await overview(cookie)).toMatchObject({ status: 401 });
  expect(listPersonTokens(db)).toEqual([]);
});

test("an answer opens nothing twice, in another browser, or with another state", async () => {
  const { get, begin, comeBack } = await givenLogin();
  const { path, cookie } = await comeBack("ada");
  const stale = { status: 400, body: expect.stringContaining("Log in again") };
  expect(await get(path)).toMatchObject(stale);
  expect(await get(path, (await begin()).cookie)).toMatchObject(stale);
  expect(await get(path.replace(/state=[^&]*/, "state="), cookie)).toMatchObject(stale);
  expect(await get(path, `${cookie.split("=")[0]}=x; ${cookie}`)).toMatchObject({ status: 303 });
  expect(await get(path, cookie)).toMatchObject(stale);
});

test("a login ends after twelve hours, and with its person", async () => {
  const { db, folder, login, logIn, overview, wait } = await givenLogin();
  const first = cookieIn((await logIn("ada")).headers);
  wait(12 * 3_600_000 - 60_000);
  expect(await overview(first)).toMatchObject({ status: 200 });
  wait(60_001);
  expect(await overview(first)).toMatchObject({ status: 401 });
  const second = cookieIn((await logIn("ada")).headers);
  expect(listPersonTokens(db)).toHaveLength(1);
  givenConfig(folder, { people: { wim: PEOPLE.wim }, login });
  expect(await overview(second)).toMatchObject({ status: 401 });
});

test("whom nobody here knows is told the address, as text, and what to ask for", async () => {
  const { db, logIn } = await givenLogin(() => ({ email: "<b>eve</b>@example.com", email_verified: true }));
  const told = await logIn("eve");
  expect(told).toMatchObject({
    status: 403,
    body: expect.stringContaining("&lt;b&gt;eve&lt;/b&gt;@example.com"),
  });
  expect(told.body).toContain(".ralph/config.json");
  expect(told.body).not.toContain("<b>");
  expect(listPersonTokens(db)).toEqual([]);
});

test("an address that the provider has not verified opens nothing", async () => {
  const { logIn } = await givenLogin(() => ({ email: "ada@example.com", email_verified: false }));
  expect(await logIn("ada")).toMatchObject({ status: 403, body: expect.stringContaining("verified") });
});

test("faults of provider and configuration are told on a page, without what is the server's own", async () => {
  const { folder, login, begin, get } = await givenLogin();
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const config = (changed: object) =>
    givenConfig(folder, { people: PEOPLE, login: { ...login, ...changed } });
  config({ issuer: login.issuer.replace("127.0.0.1", "localhost") });
  expect(await get("/login")).toMatchObject({ status: 502, body: expect.stringContaining("calls itself") });
  config({ client_secret: { file: "/run/no-such-secret" } });
  const told = await get("/login");
  expect(told).toMatchObject({ status: 503 });
  expect(told.body).not.toContain("no-such-secret");
  expect(String(write.mock.lastCall?.[0])).toContain("no-such-secret");
  givenConfig(folder, { people: PEOPLE });
  expect(await get("/login")).toMatchObject({ status: 404, body: expect.stringContaining("no login") });
  expect((await get("/")).body).toContain("signalbox serve");
  config({});
  expect(await begin()).toMatchObject({ status: 303 });
  write.mockRestore();
});

test("a login leads to no other host", async () => {
  const { logIn } = await givenLogin();
  for (const to of [
    "//evil.example/",
    "/\\evil.example",
    "https://evil.example",
    "http://a//",
    `/${"x".repeat(2_000)}`,
  ])
    expect((await logIn("ada", to)).headers.location, to.slice(0, 30)).toBe("/");
});
