import { expect, test } from "vitest";
import { gitlab } from "../../../adapters/trackers/gitlab/gitlab.ts";
import { syncTracker } from "../../../adapters/trackers/sync.ts";
import type { People } from "../../../src/outside/people/people.ts";
import { inboxOfTask } from "../../../src/queries/inbox.ts";
import { asks } from "../../notices/given.ts";
import { freshProject } from "../../support/project.ts";
import { ends, starts } from "../../web/support/work.ts";
import { givenGitLab, TOKEN } from "./server.ts";

test("what waits on an issue of GitLab is settled by the comment that it asks for, once", async () => {
  const { server, project, sync, waiting, asked } = await given();
  server.issue({ title: "Add export", description: "As CSV." });
  expect(await sync()).toMatchObject({ issues: 1, created: 1, problems: [] });
  await project.log.append([
    starts("s-1", 1),
    asks("Which separator?\n/close"),
    {
      type: "signal.suggest",
      actor: "agent",
      payload: { task: 1, session: "s-1", what: "Add import", kind: "new_task", why: "Needed." },
    },
    ends("s-1"),
  ]);
  expect(await sync()).toMatchObject({ created: 0, comments: 2, problems: [] });
  expect(server.issues[0]?.labels).toEqual(["signalbox", "signalbox: needs input"]);

  server.write(1, "mallory", asked("answer").replace("TEXT", "Nothing."));
  server.write(1, "ada", asked("answer").replace("/signalbox ", "/").replace("TEXT", "A semicolon."));
  server.write(1, "ADA", asked("approve"));
  expect(await sync()).toMatchObject({ answers: 2, problems: [] });
  expect(server.ran).toEqual([]);
  expect(await waiting()).toEqual([]);
  const acts = (await project.log.read(0, 100)).filter(({ actor }) => actor === "Ada");
  expect(acts.map(({ type, payload }) => [type, "answer" in payload ? payload.answer : undefined])).toEqual([
    ["question.answered", "A semicolon."],
    ["suggestion.approved", undefined],
  ]);

  const notes = server.notes.get(1)?.length;
  await sync();
  expect(server.notes.get(1)).toHaveLength(notes ?? 0);
});

async function given() {
  const server = await givenGitLab();
  const { project, db } = await freshProject();
  const url = `${server.url}/api/v4`;
  const adapter = gitlab({ repository: "acme/tools/shop", label: "signalbox", url, token: TOKEN });
  const people: People = { Ada: { gitlab: "ada", role: "decide", channels: [] } };
  return {
    server,
    project,
    sync: () => syncTracker(project, adapter, { readModelPath: db, people: () => people }),
    waiting: () => project.ask((tables) => inboxOfTask(tables, 1)),
    /** The comment that the last notes ask for, to do this. */
    asked(act: string): string {
      const bodies =
        server.notes
          .get(1)
          ?.map(({ body }) => body)
          .join("\n") ?? "";
      return (
        new RegExp(`\`(/[^\`]*\\b${act}\\b[^\`]*)\``).exec(bodies)?.[1] ??
        expect.fail(`nothing asks to ${act}`)
      );
    },
  };
}
