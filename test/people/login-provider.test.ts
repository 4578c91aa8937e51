import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { expect, onTestFinished, test, vi } from "vitest";
import { readModelPathIn } from "../../src/api/project.ts";
import { listening } from "../../src/lib/listening.ts";
import { loginCheck } from "../../src/loop/doctor/login.ts";
import { type LoginSettings, loginProvider } from "../../src/outside/people/login-provider.ts";
import { freshFolder, givenConfig, writeConfig } from "../support/project.ts";
import { coded } from "../support/refusal.ts";
import { CLIENT, givenProvider, logInAt } from "./given-provider.ts";

const CALLBACK = "http://127.0.0.1:4100/login/callback";

/** What names the variable that has the client's secret. */
function settingsFor(issuer: string, claim: LoginSettings["claim"] = "email"): LoginSettings {
  vi.stubEnv("SIGNALBOX_TEST_SECRET", CLIENT.secret);
  onTestFinished(() => void vi.unstubAllEnvs());
  return { issuer, client_id: CLIENT.id, client_secret: { env: "SIGNALBOX_TEST_SECRET" }, claim };
}

type Provider = Omit<Parameters<typeof givenProvider>[0], "redirectUris">;

/** A provider to which mia's browser has gone, and from which it comes back. */
async function cameBack(given: Provider = {}, claim: LoginSettings["claim"] = "email") {
  const issuer = await givenProvider({ redirectUris: [CALLBACK], ...given });
  const login = loginProvider(settingsFor(issuer, claim));
  const { address, checks } = await login.begin(CALLBACK);
  return { issuer, login, checks, callback: new URL(await logInAt(issuer, address, "mia")) };
}

test("a login gives the verified e-mail address, once", async () => {
  const { login, callback, checks } = await cameBack();
  expect(await login.finish(callback, checks)).toBe("mia@example.com");
  await expect(login.finish(callback, checks)).rejects.toMatchObject({ code: "stale_login" });
});

test("a login by subject needs no address", async () => {
  const { login, callback, checks } = await cameBack({ claims: () => ({}) }, "sub");
  expect(await login.finish(callback, checks)).toBe("mia");
});

test("an answer to another login, and without one, is refused before the provider is asked", async () => {
  const onAsked = vi.fn();
  const { login, callback, checks } = await cameBack({ beforeTokens: onAsked });
  const stale = { code: "stale_login", message: expect.stringContaining("Log in again") };
  await expect(login.finish(callback, { ...checks, state: "another" })).rejects.toMatchObject(stale);
  await expect(login.finish(new URL(CALLBACK), checks)).rejects.toMatchObject(stale);
  expect(onAsked).not.toHaveBeenCalled();
});

test("a code without its verifier or with another nonce opens nothing", async () => {
  const { login, callback, checks } = await cameBack();
  const verifier = "x".repeat(43);
  await expect(login.finish(callback, { ...checks, verifier })).rejects.toMatchObject({
    code: "stale_login",
  });
  const other = await cameBack();
  await expect(
    other.login.finish(other.callback, { ...other.checks, nonce: "another" }),
  ).rejects.toMatchObject({ code: "provider_fault", message: expect.stringContaining("nonce") });
});

test.each([
  [{ email: "mia@example.com", email_verified: false }, "mia@example.com"],
  [{ email: "mia@example.com" }, "mia@example.com"],
  [{ email_verified: true }, "no e-mail address"],
])("%j is no verified e-mail address", async (claims, words) => {
  const { login, callback, checks } = await cameBack({ claims: () => claims });
  await expect(login.finish(callback, checks)).rejects.toMatchObject(coded("unverified_email", words));
});

test("by a clock that is an hour fast the login has expired", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const { login, callback, checks } = await cameBack({
    beforeTokens: () => vi.setSystemTime(Date.now() + 3_700_000),
  });
  await expect(login.finish(callback, checks)).rejects.toMatchObject(coded("wrong_clock", "Set the clock"));
});

test("a person who says no is refused with the provider's reason", async () => {
  const { issuer, login, checks } = await cameBack();
  const callback = new URL(CALLBACK);
  callback.search = `${new URLSearchParams({ error: "access_denied", error_description: "Not on my watch", state: checks.state, iss: issuer })}`;
  await expect(login.finish(callback, checks)).rejects.toMatchObject(
    coded("login_refused", "access_denied, Not on my watch"),
  );
});

test("a wrong secret of the client is named with the settings to check", async () => {
  const { issuer, callback, checks } = await cameBack();
  vi.stubEnv("SIGNALBOX_TEST_WRONG", "another");
  const wrong = { ...settingsFor(issuer), client_secret: { env: "SIGNALBOX_TEST_WRONG" } };
  await expect(loginProvider(wrong).finish(callback, checks)).rejects.toMatchObject(
    coded("wrong_client", "login.client_secret"),
  );
});

test("a provider by another name says which one to write", async () => {
  const issuer = await givenProvider({ redirectUris: [CALLBACK] });
  const named = issuer.replace("127.0.0.1", "localhost");
  await expect(loginProvider(settingsFor(named)).discover()).rejects.toMatchObject(
    coded("wrong_issuer", `calls itself "${issuer}"`),
  );
});

test("plain HTTP is for a provider on this machine", async () => {
  await expect(loginProvider(settingsFor("http://login.example")).discover()).rejects.toMatchObject(
    coded("wrong_issuer", "without TLS"),
  );
});

test("an answer that is no provider's is told by its status, also where a server has replaced Response", async () => {
  // As in the panel's process.
  createAdaptorServer({ fetch: () => new Response() });
  const server = createServer((_, response) => response.writeHead(503, { connection: "close" }).end());
  await listening(server, { port: 0, host: "127.0.0.1" }, () => undefined);
  onTestFinished(() => void server.close());
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await expect(loginProvider(settingsFor(issuer)).discover()).rejects.toThrow("HTTP status 503");
});

test("a provider that is down is asked again at the next login", async () => {
  // A connection that is kept would be found closed, not refused.
  const server = createServer((_, response) => response.writeHead(503, { connection: "close" }).end());
  await listening(server, { port: 0, host: "127.0.0.1" }, () => undefined);
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const login = loginProvider(settingsFor(issuer));
  await expect(login.discover()).rejects.toMatchObject(coded("provider_fault", "HTTP status 503"));
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await expect(login.discover()).rejects.toMatchObject(coded("provider_down", "ECONNREFUSED"));
});

test("nothing is asked where the client's secret is not there", async () => {
  const settings = { ...settingsFor("http://127.0.0.1:9"), client_secret: { env: "SIGNALBOX_TEST_UNSET" } };
  await expect(loginProvider(settings).begin(CALLBACK)).rejects.toThrow(
    "login.client_secret is kept in the environment variable SIGNALBOX_TEST_UNSET",
  );
});

test("doctor asks the provider of a confirmed configuration, and names logins that let nobody in", async () => {
  const issuer = await givenProvider({ redirectUris: [CALLBACK] });
  const folder = freshFolder();
  const look = () =>
    loginCheck.look({ cwd: folder, readModelPath: readModelPathIn(folder), noProject: "", env: process.env });
  const people = { mia: { login: "mia@example.com" }, lea: {} };
  const login = settingsFor(issuer);
  writeConfig(folder, JSON.stringify({ login, people }));
  expect(await look()).toEqual([]);
  givenConfig(folder, { login, people });
  expect(await look()).toMatchObject([{ state: "ok", found: `${issuer} answers; 1 of 2 people can log in` }]);
  givenConfig(folder, { login, people: { ...people, lea: { login: "Mia@Example.com" } } });
  expect(await look()).toMatchObject([
    { state: "warning", found: expect.stringContaining("mia@example.com") },
  ]);
  givenConfig(folder, { login, people: { lea: {} } });
  expect(await look()).toMatchObject([
    { state: "warning", found: expect.stringContaining("nobody can log in") },
  ]);
  givenConfig(folder, { people });
  expect(await look()).toEqual([]);
});
