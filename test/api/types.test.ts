import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { installed } from "./installed.ts";

/** Each of these fails to compile where a type has become `any`, or what is internal is public. */
const CONSUMER = `
import { createTask, type Event, initProject, openProject, type Project } from "signalbox";

type IsAny<T> = 0 extends 1 & T ? true : false;
const no = <T extends false>(_?: T): void => {};
no<IsAny<Project>>();
no<IsAny<Event>>();
no<IsAny<Project["log"]>>();
no<IsAny<Awaited<ReturnType<Project["log"]["read"]>>>>();
no<"store" extends keyof Project ? true : false>();

export async function use(folder: string): Promise<number> {
  await initProject(folder);
  await using project = await openProject(folder, { actor: "my-driver" });
  // @ts-expect-error nothing internal is public
  project.store;
  const [created] = await project.decide(createTask({ title: "Export orders as CSV" }));
  no<IsAny<typeof created>>();
  const title: string = created.payload.title;
  // @ts-expect-error a task has a title
  createTask({});
  return created.position + title.length;
}
`;

test("the types resolve in a fresh strict project that checks those of its packages, for Node and for bundlers", () => {
  const { compile } = installed();
  const resolutions = [
    { module: "nodenext", moduleResolution: "nodenext" },
    { module: "esnext", moduleResolution: "bundler" },
  ];
  const said = resolutions.map((options) => compile({ "use.ts": CONSUMER }, { ...options, noEmit: true }));
  expect(said).toEqual(["", ""]);
});

const OWN = `
import { initProject, openProject } from "signalbox";
import { openMemoryLog, replayEnvironment } from "signalbox/log";
import { defineEvent, defineProjection, defineTable, integer, payloadOf, text } from "signalbox/projections";
import { openTestProject } from "signalbox/testing";
import { z } from "zod";

const deployFinished = defineEvent({
  type: "acme.deploy.finished",
  version: 1,
  description: "A version was deployed.",
  payload: z.strictObject({ target: z.string() }),
  stream: ({ target }) => "acme-deploys-" + target,
  timeline: ({ target }) => "Deployed to " + target,
  example: { target: "staging" },
});
const deploys = defineTable("acme_deploys", { columns: { target: text, count: integer }, key: ["target"] });
const projection = defineProjection({
  name: "acme_deploys",
  version: 1,
  events: [deployFinished],
  tables: { deploys },
  on: {
    "acme.deploy.finished": ({ payload }, { deploys }) => {
      const count = deploys.get(payload.target)?.count;
      if (count === undefined) deploys.insert({ target: payload.target, count: 1 });
      else deploys.update(payload.target, { count: count + 1 });
      // @ts-expect-error the payload has its type
      payload.task;
    },
  },
});

await initProject("shop");
for (const project of [
  await openProject("shop", { projections: [projection] }),
  await openTestProject({ projections: [projection] }),
]) {
  await using opened = project;
  for (const target of ["staging", "live", "live"]) await opened.record(deployFinished, { target });
  // @ts-expect-error the payload is checked
  await opened.record(deployFinished, { target: 7 }).catch(() => {});
  const counts = await opened.ask((tables) => tables.rowsOf({ deploys }).deploys.scan());
  const events = await opened.log.read(0, 100);
  const targets = events.flatMap((event) => payloadOf(deployFinished, event)?.target ?? []);
  console.log(JSON.stringify([counts, targets]));
}
console.log(await openMemoryLog(replayEnvironment("seed", () => 0)).head());
`;

const COUNTED = '[[{"target":"live","count":2},{"target":"staging","count":1}],["staging","live","live"]]';

test("a fresh project defines an event and a table of its own with its own copy of zod, and both are kept", () => {
  const { folder, compile, run } = installed();
  expect(compile({ "own.ts": OWN }, { module: "nodenext", types: [], lib: ["es2022", "dom"] })).toBe("");
  expect(run("own.js")).toEqual({ stdout: `${COUNTED}\n${COUNTED}\n0\n`, stderr: "" });
  const shop = join(folder, "shop");
  // Processes that were not given the definition read on: they pass over the event.
  for (const [command = "", said] of [
    ["log", "acme.deploy.finished"],
    ["status", ""],
    ["verify", "all unchanged"],
    ["export", "acme.deploy.finished"],
  ]) {
    const { stdout, stderr } = run("node_modules/signalbox/bin/signalbox.js", command, "--db", shop);
    expect(stderr, command).toBe("");
    expect(stdout, command).toContain(said);
  }
});

test("of other packages the types name zod and rxjs alone", () => {
  const dist = join(installed().folder, "node_modules/signalbox/dist");
  const types = readdirSync(dist).filter((file) => file.endsWith(".d.ts"));
  const texts = types.map((file) => readFileSync(join(dist, file), "utf8")).join("\n");
  const named = [...texts.matchAll(/^import .*? from "([^".][^"]*)";/gm)].map(([, name]) => name);
  expect([...new Set(named)].sort()).toEqual(["rxjs", "zod"]);
  for (const internal of ["class ReadModel ", "readonly store:"]) expect(texts).not.toContain(internal);
});
