import { expect, test } from "vitest";
import { changeDiscipline, createDiscipline, deleteDiscipline } from "../../src/operations/disciplines.ts";
import {
  addContextFile,
  changeFeature,
  createFeature,
  deleteFeature,
} from "../../src/operations/features.ts";
import { setTaskStatus } from "../../src/operations/task-status.ts";
import { createTask } from "../../src/operations/tasks.ts";
import { givenStore } from "./given.ts";
import { expectRefused, notFound, type Outcome, type Refused } from "./refused.ts";

const core = createFeature({ name: "core" });
const web = createFeature({ name: "web", dependencies: ["core"] });
const api = createFeature({ name: "api", dependencies: ["web"] });
const backend = createDiscipline({ name: "backend" });
const noFeature = notFound('There is no feature "mobile". The features are: "general".');
const noDiscipline = notFound('There is no discipline "mobile". The disciplines are: "general".');
const ralph = { ralph: { command: "npx" } };
const notOurs = (name = "ralph"): Outcome => [
  "not_possible",
  `An MCP server of a discipline cannot be called "${name}": agents would confuse its tools with those of the built-in server, "ralph". Give it another name.`,
];

const refusals: readonly Refused[] = [
  [
    "a feature whose name is taken",
    [],
    createFeature({ name: "general" }),
    "already_exists",
    'The feature "general" already exists.',
  ],
  ["a change of no feature", [], changeFeature({ name: "mobile", description: "x" }), ...noFeature],
  [
    "a change of a feature to nothing",
    [],
    changeFeature({ name: "general", description: undefined }),
    "nothing_to_do",
    `Nothing to change in "general": give at least one of display_name, description, acronym, context_files, knowledge_paths, architecture, boundaries, dependencies.`,
  ],
  [
    "a discipline whose name is taken",
    [],
    createDiscipline({ name: "general" }),
    "already_exists",
    'The discipline "general" already exists.',
  ],
  ["a change of no discipline", [], changeDiscipline({ name: "mobile", description: "x" }), ...noDiscipline],
  [
    "a change of a discipline to nothing",
    [],
    changeDiscipline({ name: "general" }),
    "nothing_to_do",
    `Nothing to change in "general": give at least one of display_name, description, acronym, icon, color, system_prompt, skills, conventions, disabled_tools, mcp_servers.`,
  ],

  ["the deletion of no feature", [], deleteFeature({ name: "mobile" }), ...noFeature],
  ["the deletion of no discipline", [], deleteDiscipline({ name: "mobile" }), ...noDiscipline],
  ["a context file of no feature", [], addContextFile({ name: "mobile", path: "a" }), ...noFeature],
  [
    "a name that is nearly one that is there",
    [createFeature({ name: "audit-log" })],
    changeFeature({ name: "audit_logs", description: "x" }),
    "not_found",
    'There is no feature "audit_logs". Did you mean "audit-log"? The features are: "audit-log", "general".',
  ],
  [
    "a feature that depends on none",
    [],
    createFeature({ name: "web", dependencies: ["mobile"] }),
    ...noFeature,
  ],
  [
    "a feature that depends on itself",
    [],
    createFeature({ name: "web", dependencies: ["general", "web"] }),
    "circle",
    'The feature "web" cannot depend on "web": that would be a circular dependency, "web" → "web".',
  ],
  [
    "a change of a feature to depend on itself",
    [core],
    changeFeature({ name: "core", dependencies: ["core"] }),
    "circle",
    'The feature "core" cannot depend on "core": that would be a circular dependency, "core" → "core".',
  ],
  [
    "a dependency that closes a circle",
    [core, web, api],
    changeFeature({ name: "core", dependencies: ["general", "api"] }),
    "circle",
    'The feature "core" cannot depend on "api": that would be a circular dependency, "core" → "api" → "web" → "core".',
  ],
  [
    "a context file that is there",
    [createFeature({ name: "core", context_files: ["a.md"] })],
    addContextFile({ name: "core", path: "a.md" }),
    "nothing_to_do",
    '"a.md" is already a context file of the feature "core".',
  ],
  [
    "the deletion of a feature that others depend on",
    [core, web, createFeature({ name: "cli", dependencies: ["web", "core"] })],
    deleteFeature({ name: "core" }),
    "not_possible",
    'The feature "core" cannot be deleted while other features depend on it: "cli", "web". ' +
      "Remove that dependency first with `signalbox feature set NAME --depends-on …`.",
  ],
  [
    "the deletion of a feature that tasks refer to, done ones too",
    [
      core,
      createTask({ title: "Four", feature: "core" }),
      createTask({ title: "Five", feature: "core" }),
      setTaskStatus({ task: 5, status: "done" }),
    ],
    deleteFeature({ name: "core" }),
    "not_possible",
    'The feature "core" cannot be deleted while tasks refer to it: 4, 5. ' +
      "Move them with `signalbox task set ID --feature NAME`, or delete them.",
  ],
  [
    "the deletion of a discipline that many tasks refer to",
    [
      backend,
      ...Array.from({ length: 13 }, (_, index) => createTask({ title: `${index}`, discipline: "backend" })),
    ],
    deleteDiscipline({ name: "backend" }),
    "not_possible",
    'The discipline "backend" cannot be deleted while tasks refer to it: 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 and 3 more. ' +
      "Move them with `signalbox task set ID --discipline NAME`, or delete them.",
  ],
  [
    "a new discipline with a server named like ours",
    [],
    createDiscipline({ name: "web", mcp_servers: ralph }),
    ...notOurs(),
  ],
  [
    "a change to a server named like ours",
    [backend],
    changeDiscipline({ name: "backend", mcp_servers: { shadcn: { command: "npx" }, ...ralph } }),
    ...notOurs(),
  ],
  [
    "a change to a server whose tools would pass for ours",
    [backend],
    changeDiscipline({ name: "backend", mcp_servers: { ralph__x: { command: "npx" } } }),
    ...notOurs("ralph__x"),
  ],
];

test.each(refusals)("%s is refused with the reason", async (...refused) => {
  await expectRefused(refused);
});

test("the general feature and the general discipline stay, since new tasks are theirs", async () => {
  const { decides, does, store } = givenStore();
  await does(createFeature({ name: "general" }), createDiscipline({ name: "general" }));
  const head = await store.log.head();
  await expect(decides(deleteFeature({ name: "general" }))).rejects.toMatchObject({
    code: "not_possible",
    message:
      'The feature "general" cannot be deleted: it is the default for tasks that name no other feature.',
  });
  await expect(decides(deleteDiscipline({ name: "general" }))).rejects.toThrow(
    "tasks that name no other discipline",
  );
  expect(await store.log.head()).toBe(head);
});

test("what depends on nothing that leads back is no circle, however it is tied together", async () => {
  const { decides, does } = givenStore();
  await does(
    createFeature({ name: "a" }),
    createFeature({ name: "b", dependencies: ["a"] }),
    createFeature({ name: "c", dependencies: ["a"] }),
  );
  const [event] = await decides(createFeature({ name: "d", dependencies: ["c", "b", "a"] }));
  expect(event?.payload).toMatchObject({ dependencies: ["c", "b", "a"] });
  await does(changeFeature({ name: "b", dependencies: ["c"] }));
  await expect(decides(changeFeature({ name: "c", dependencies: ["b"] }))).rejects.toMatchObject({
    code: "circle",
  });
});
