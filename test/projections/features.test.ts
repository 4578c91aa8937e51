import { expect, test } from "vitest";
import type { Draft, PayloadOf } from "../../src/events/types/index.ts";
import { findFeature, listFeatures } from "../../src/queries/catalogue.ts";
import { event, suggest } from "./board/history.ts";
import { done, end, reduced, rowsIn, start, task } from "./loop-drafts.ts";

/* Catches: a field that is lost or left over, words of an agent that are taken for a human's. */

type Fields = Partial<Omit<PayloadOf<"feature.created">, "feature">>;

const created = (feature: string, fields: Fields = {}, actor = "human") =>
  event("feature.created", { feature, display_name: feature, description: "", ...fields }, actor);
const changed = (feature: string, fields: Fields, actor = "human") =>
  event("feature.changed", { feature, ...fields }, actor);
const deleted = (feature: string) => event("feature.deleted", { feature });

const everything = {
  display_name: "Billing",
  description: "Invoices.",
  acronym: "BILL",
  context_files: ["a.ts", "b.ts"],
  knowledge_paths: ["docs/"],
  architecture: "One queue.",
  boundaries: "No tax.",
  dependencies: ["core"],
};

test("a feature has its given fields, and the others are empty", async () => {
  const readModel = await reduced(created("core"), created("billing", everything));
  expect(listFeatures(readModel)).toMatchObject([
    {
      name: "core",
      id: 1,
      display_name: "core",
      description: "",
      acronym: null,
      context_files: [],
      knowledge_paths: [],
      architecture: null,
      boundaries: null,
      dependencies: [],
      agent_words: 0,
      agent_fields: [],
    },
    { name: "billing", id: 2, ...everything },
  ]);
});

test("a change replaces only the named fields, lists as a whole", async () => {
  const readModel = await reduced(
    created("billing", everything),
    changed("billing", { boundaries: "", context_files: ["c.ts"], dependencies: [] }),
    changed("nowhere", { description: "x" }),
  );
  expect(listFeatures(readModel)).toMatchObject([
    { ...everything, id: 1, boundaries: "", context_files: ["c.ts"], dependencies: [] },
  ]);
});

test("a feature recreated after its deletion inherits nothing, and has another id", async () => {
  const readModel = await reduced(
    created("billing", everything, "agent"),
    deleted("billing"),
    created("billing"),
  );
  expect(listFeatures(readModel)).toMatchObject([
    { name: "billing", id: 3, description: "", acronym: null, context_files: [], agent_fields: [] },
  ]);
});

test("a suggestion that names a feature which was deleted becomes a task of the suggesting task's", async () => {
  const readModel = await reduced(
    created("general"),
    created("old"),
    created("new"),
    task(1),
    start(1, "s-1"),
    suggest("One", { feature: "old" }),
    suggest("Two", { feature: "new" }),
    deleted("old"),
    deleted("new"),
    created("new"),
    done(1, "s-1", "All."),
    end("s-1"),
  );
  expect(rowsIn(readModel, "SELECT title, feature FROM tasks WHERE origin = 'agent' ORDER BY id")).toEqual([
    { title: "One", feature: "general" },
    { title: "Two", feature: "new" },
  ]);
});

test.each<[what: string, Draft[], fields: string[]]>([
  ["a human's feature holds no agent's words", [created("x", everything)], []],
  [
    "an agent's feature holds its words in all that it said",
    [created("x", { boundaries: "Mine." }, "agent")],
    ["boundaries", "description", "display_name"],
  ],
  [
    "a field that an agent changed is the agent's, and no other",
    [created("x", everything), changed("x", { architecture: "Mine." }, "agent")],
    ["architecture"],
  ],
  [
    "a text that a human wrote anew is the human's",
    [
      created("x", everything),
      changed("x", { architecture: "Mine.", boundaries: "Mine." }, "agent"),
      changed("x", { architecture: "Ours." }),
    ],
    ["boundaries"],
  ],
  [
    "a list that an agent added to stays the agent's when a human adds to it",
    [
      created("x", everything),
      changed("x", { context_files: ["a.ts", "b.ts", "c.ts"] }, "agent"),
      changed("x", { context_files: ["a.ts", "b.ts", "c.ts", "d.ts"] }),
    ],
    ["context_files"],
  ],
  [
    "a list of which a human kept a part stays the agent's",
    [
      created("x"),
      changed("x", { knowledge_paths: ["a/", "b/"] }, "agent"),
      changed("x", { knowledge_paths: ["b/"] }),
    ],
    ["knowledge_paths"],
  ],
  [
    "a list of which nothing is left is the human's who gave another",
    [
      created("x", everything),
      changed("x", { context_files: ["a.ts", "c.ts"], dependencies: ["web"] }, "agent"),
      changed("x", { context_files: ["d.ts"], dependencies: [] }),
    ],
    [],
  ],
  ["a driver is no agent", [created("x", everything), changed("x", { description: "Ours." }, "driver")], []],
])("%s", async (_what, events, fields) => {
  const feature = findFeature(await reduced(...events), "x");
  expect(feature?.agent_fields).toEqual(fields);
  expect(feature?.agent_words).toBe(fields.length > 0 ? 1 : 0);
});
