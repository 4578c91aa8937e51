import { expect, test } from "vitest";
import { TrackerError } from "../../../adapters/trackers/adapter.ts";
import { fenced } from "../../../adapters/trackers/comment-text.ts";
import { gitlab } from "../../../adapters/trackers/gitlab/gitlab.ts";
import { type GitLabServer, givenGitLab, TOKEN } from "./server.ts";

const adapterOf = ({ url }: GitLabServer, token = TOKEN) =>
  gitlab({ repository: "acme/tools/shop", label: "signalbox", url: `${url}/api/v4/`, token });

test("all issues with the label come in the order of their numbers, closed ones too, from every page", async () => {
  const server = await givenGitLab();
  server.issue({ iid: 900, title: "Imported" });
  for (let n = 2; n <= 101; n++) server.issue();
  server.issue({ labels: ["other"] });
  server.issue({
    labels: ["signalbox", "bug"],
    state: "closed",
    title: "Last",
    description: "Text",
    author: { username: "bob" },
  });
  const issues = await adapterOf(server).issues();
  const numbers = [...Array.from({ length: 100 }, (_, at) => at + 2), 103, 900];
  expect(issues.map(({ number }) => number)).toEqual(numbers);
  expect(issues.at(-2)).toEqual({
    number: 103,
    title: "Last",
    body: "Text",
    isOpen: false,
    author: "bob",
    labels: ["signalbox", "bug"],
    updated: server.issues[102]?.updated_at,
    url: "https://gitlab.example/acme/tools/shop/-/issues/103",
  });
  expect(issues[0]).toMatchObject({ body: "", isOpen: true });
  expect(server.requests).toHaveLength(2);
});

test("comments come oldest first, without GitLab's own, and say whether they were changed", async () => {
  const server = await givenGitLab();
  server.issue();
  const first = server.note(1, "First");
  server.note(1, "added ~bug label", { system: true });
  server.editNote(server.note(1, "Second", { by: "bob" }), "Second, changed");
  expect(await adapterOf(server).comments(1)).toEqual([
    { id: first.id, body: "First", author: "ada", isEdited: false },
    { id: first.id + 2, body: "Second, changed", author: "bob", isEdited: true },
  ]);
});

test("an issue's time of change moves with each comment and label", async () => {
  const server = await givenGitLab();
  server.issue();
  const adapter = adapterOf(server);
  const updated = async () => (await adapter.issues())[0]?.updated;
  const times = [await updated()];
  await adapter.comment(1, "Hello");
  times.push(await updated());
  await adapter.changeLabels(1, "signalbox: done", []);
  times.push(await updated());
  expect(new Set(times).size).toBe(3);
});

test("no text that goes out runs a quick action", async () => {
  const server = await givenGitLab();
  server.issue();
  const hostile = [
    "/close",
    "````\n```\n/close\n```\n````",
    "/assign @ada\r/label ~bug\r\n/CLOSE now",
    "/usr/bin/env",
  ].join("\n");
  const adapter = adapterOf(server);
  await adapter.comment(1, fenced(hostile));
  await adapter.comment(1, "/clo\rse\n\nText");
  await adapter.openPullRequest({
    branch: "b",
    base: "main",
    title: "/close",
    body: `${fenced(hostile)}\n/approve`,
  });
  expect(server.ran).toEqual([]);
  const [, plain] = await adapter.comments(1);
  expect(plain?.body).toBe("\\/close\n\nText");
  expect(server.mergeRequests[0]?.description).toContain("\n/usr/bin/env\n");
});

test("labels that people set meanwhile stay", async () => {
  const server = await givenGitLab();
  const issue = server.issue({ labels: ["signalbox", "signalbox: in progress"] });
  const adapter = adapterOf(server);
  await adapter.issues();
  issue.labels.push("urgent");
  await adapter.changeLabels(1, "signalbox: done", ["signalbox: in progress"]);
  expect(issue.labels).toEqual(["signalbox", "urgent", "signalbox: done"]);
});

test("a merge request is found by its branch, but none that is closed or from a fork", async () => {
  const server = await givenGitLab();
  const adapter = adapterOf(server);
  server.mergeRequest({ source_project_id: 99 });
  server.mergeRequest({ state: "closed" });
  expect(await adapter.pullRequest("signalbox/task-1")).toBeUndefined();
  const opened = await adapter.openPullRequest({
    branch: "signalbox/task-1",
    base: "main",
    title: "Add it",
    body: "Proof",
  });
  expect(opened).toEqual({ number: 3, url: "https://gitlab.example/acme/tools/shop/-/merge_requests/3" });
  expect(server.mergeRequests[2]).toMatchObject({
    target_branch: "main",
    title: "Add it",
    description: "Proof",
  });
  expect(await adapter.pullRequest("signalbox/task-1")).toEqual(opened);
  for (const state of ["locked", "merged"] as const) {
    server.mergeRequest({ source_branch: state, state });
    expect(await adapter.pullRequest(state)).toMatchObject({ number: server.mergeRequests.length });
  }
});

test("a refused request says why, what to do, and nothing of the token", async () => {
  const server = await givenGitLab();
  server.mergeRequest();
  const adapter = adapterOf(server);
  const again = await failureOf(
    adapter.openPullRequest({ branch: "signalbox/task-1", base: "main", title: "T", body: "" }),
  );
  expect(again.message).toMatch(
    /with 409 \(Another open merge request already exists for this source branch: !1\)/,
  );
  const revoked = await failureOf(adapterOf(server, "glpat-revoked").issues());
  expect(revoked).toMatchObject({
    status: 401,
    retryAfter_ms: undefined,
    code: "tracker",
    fault: "unusable",
  });
  expect(revoked.message).toMatch(/The token is not valid/);
  server.instead.push({
    status: 403,
    body: { error: "insufficient_scope", error_description: "needs more" },
  });
  const narrow = await failureOf(adapter.issues());
  expect(narrow.message).toMatch(/with 403 \(needs more\).*what the token may do/);
  server.instead.push({
    status: 301,
    headers: { location: "https://elsewhere.example/api/v4/projects/9/issues" },
  });
  const moved = await failureOf(adapter.issues());
  expect(moved.message).toMatch(/to elsewhere\.example, .*token may not follow/);
  expect(JSON.stringify([again, revoked, narrow, moved].map(String))).not.toMatch(/glpat/);
});

test("a rate limit says when to ask again", async () => {
  const server = await givenGitLab();
  const adapter = adapterOf(server);
  server.instead.push({ status: 429, headers: { "retry-after": "7" } });
  expect(await failureOf(adapter.issues())).toMatchObject({ status: 429, retryAfter_ms: 7_000 });
  const date = "Thu, 26 Nov 2026 03:00:00 GMT";
  const reset = String(Date.parse(date) / 1_000 + 40);
  server.instead.push({
    status: 429,
    headers: { "ratelimit-reset": reset, "ratelimit-remaining": "0", date },
  });
  expect(await failureOf(adapter.issues())).toMatchObject({ retryAfter_ms: 40_000 });
  server.instead.push({ status: 502 });
  expect((await failureOf(adapter.issues())).retryAfter_ms).toBeGreaterThan(0);
});

async function failureOf(request: Promise<unknown>): Promise<TrackerError> {
  const error = await request.then(
    () => expect.fail("was not refused"),
    (thrown: unknown) => thrown,
  );
  if (error instanceof TrackerError) return error;
  throw error;
}
