import { expect, test } from "vitest";
import { github } from "../../adapters/trackers/github/github.ts";
import { syncTracker } from "../../adapters/trackers/sync.ts";
import type { PayloadOf } from "../../src/events/types/index.ts";
import { givenProject, startNotifier, WEBHOOK } from "../notices/given.ts";
import * as h from "../projections/board/history.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { GithubServer } from "../trackers/github-server.ts";

/* Catches: a finding that one place words in another way than the others, so that nobody can tell that it is the same one. */

const STASH = "left behind: a.txt is in a stash: run `git stash apply 3f2a0c6f5d0b` and commit.";
const BACK = "undoes: Your branch takes back what others brought into main: b.txt. Run `git rm -- b.txt`.";
const FOUND: PayloadOf<"session.work">["findings"] = [
  { kind: "left_behind", paths: ["a.txt"], more: 0, refs: [], says: STASH.slice("left behind: ".length) },
  { kind: "undoes", paths: ["b.txt"], more: 0, refs: [], says: BACK.slice("undoes: ".length) },
];
const worked = (session: string, findings = FOUND) =>
  h.event(
    "session.work",
    {
      ...{ session, task: 2, start: "a".repeat(40), base: "c".repeat(40), head: "d".repeat(40) },
      ...{ tree_before: "b".repeat(40), commits: 1, files: [], more: 0, added: 0, removed: 0 },
      findings,
    },
    "driver",
  );

test("all places tell both findings of a session in the same words", async () => {
  const server = await new GithubServer().start();
  const { project, folder, db } = await givenProject({ notices: { channels: { team: WEBHOOK } } });
  const cwd = { cwd: folder };
  const tracker = github({ repository: "acme/shop", label: "signalbox", url: server.url, token: "t0ken" });
  const sync = () => syncTracker(project, tracker, { readModelPath: db, people: () => ({}) });
  server.issue({ title: "Add export" });
  await sync();
  const close = (session: string) =>
    project.log.append([h.done({ session, task: 2 }), worked(session), h.ended("exited", session)]);
  const holdsBoth = (text: string, where: string) => {
    for (const words of [STASH, BACK]) expect(text, where).toContain(words);
  };

  await project.log.append([h.started("s-2", 2)]);
  await close("s-2");
  for (const command of ["task show 2", "why 2", "session show s-2", "prompt 2"])
    holdsBoth((await signalbox(command.split(" "), cwd)).stdout, command);
  // One line an event, cut.
  expect((await signalbox(["log"], cwd)).stdout).toContain(STASH.slice(0, 30));
  // As JSON has each field.
  expect(await signalboxJson(["task", "show", "2"], cwd)).toMatchObject({
    remaining: `${STASH}\n\n${BACK}`,
    proof: { worked: { findings: [{ kind: "left_behind" }, { kind: "undoes" }] } },
  });

  // From here on a human is asked.
  const asks = (policy: "evidence.left_behind" | "evidence.undoes") =>
    h.event("policy.set", { policy, value: "ask" });
  await project.log.append([asks("evidence.left_behind"), asks("evidence.undoes"), h.started("s-3", 2)]);
  const { channel } = startNotifier(project, db);
  await close("s-3");
  await sync();
  holdsBoth((await signalbox(["why", "2"], cwd)).stdout, "why, of an acceptance");
  const diff = `git diff ${"c".repeat(40)}...${"d".repeat(40)}`;
  const detail = `${STASH}\n${BACK}\n${diff}`;
  expect(await signalboxJson(["inbox"], cwd)).toMatchObject({ inbox: [{ kind: "acceptance", detail }] });
  expect(server.comments.map(({ body }) => body)).toEqual([expect.stringContaining(detail)]);
  await expect
    .poll(() => channel("team").messages)
    .toMatchObject([{ notices: [{ kind: "acceptance", detail }] }]);
});

test("a task that a human has to accept names the command that shows its work, also where nothing was found", async () => {
  const { project, folder, db } = await givenProject({ notices: { channels: { team: WEBHOOK } } });
  const { channel } = startNotifier(project, db);
  await project.log.append([
    ...[h.created(2, { accept: "human" }), h.started("s-2", 2), h.done({ session: "s-2", task: 2 })],
    ...[worked("s-2", []), h.ended("exited", "s-2")],
  ]);
  const detail = `git diff ${"c".repeat(40)}...${"d".repeat(40)}`;
  const { stdout } = await signalbox(["inbox"], { cwd: folder });
  expect(stdout.split("\n").map((line) => line.trim())).toContain(detail);
  await expect
    .poll(() => channel("team").messages)
    .toMatchObject([{ notices: [{ kind: "acceptance", detail }] }]);
});
