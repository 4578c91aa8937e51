import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { createFeature } from "../../../src/operations/features.ts";
import { startSession } from "../../../src/operations/sessions.ts";
import { coded } from "../../support/refusal.ts";
import { givenClient, taskCreated } from "./given.ts";

async function complete(client: Client, uri: string, name: string, value: string) {
  const ref = { type: "ref/resource", uri } as const;
  return (await client.complete({ ref, argument: { name, value } })).completion;
}

test("an id is completed by its beginning: the one that is just this first, then the newest", async () => {
  const { project, client } = await givenClient();
  await project.log.append(Array.from({ length: 11 }, (_, index) => taskCreated(index + 2)));
  expect(await complete(client, "ralph://tasks/{id}", "id", "1")).toEqual({
    values: ["1", "12", "11", "10"],
    total: 4,
    hasMore: false,
  });
  expect(await complete(client, "ralph://tasks/{id}", "id", "x")).toEqual({
    values: [],
    total: 0,
    hasMore: false,
  });
});

test("at most 100 values are given, with how many there are", async () => {
  const { project, client } = await givenClient();
  await project.log.append(Array.from({ length: 149 }, (_, index) => taskCreated(index + 2)));
  const completion = await complete(client, "ralph://tasks/{id}", "id", "");
  expect(completion).toMatchObject({ total: 150, hasMore: true });
  expect(completion.values).toHaveLength(100);
  expect(completion.values[0]).toBe("150");
});

test("names are completed as they are, letter by letter", async () => {
  const { project, client } = await givenClient();
  for (const name of ["a/b ü", "a%b", "axb", "Ab"])
    await project.decide(createFeature({ name, display_name: name }));
  const values = async (begun: string) =>
    (await complete(client, "ralph://features/{name}", "name", begun)).values;
  expect(await values("a")).toEqual(["axb", "a%b", "a/b ü"]);
  expect(await values("a%")).toEqual(["a%b"]);
  expect(await values("a_")).toEqual([]);
  expect(await values("gen")).toEqual(["general"]);
});

test("disciplines and sessions are completed, too", async () => {
  const { project, client } = await givenClient();
  await project.decide(startSession({ task: 1, session: "s-1" }));
  expect((await complete(client, "ralph://disciplines/{name}", "name", "g")).values).toEqual(["general"]);
  expect((await complete(client, "ralph://sessions/{id}", "id", "s-")).values).toEqual(["s-1"]);
});

test.each([
  ["a prompt", { type: "ref/prompt", name: "x" }, "id", "no prompts"],
  [
    "a template that is not there",
    { type: "ref/resource", uri: "ralph://x/{id}" },
    "id",
    "ralph://tasks/{id}",
  ],
  [
    "a resource without a variable",
    { type: "ref/resource", uri: "ralph://board" },
    "id",
    "ralph://tasks/{id}",
  ],
  ["another variable", { type: "ref/resource", uri: "ralph://tasks/{id}" }, "name", 'its argument is "id"'],
] as const)("completing %s is refused, with the valid choices", async (_what, ref, name, message) => {
  const { client } = await givenClient();
  await expect(client.complete({ ref, argument: { name, value: "" } })).rejects.toMatchObject(
    coded(-32602, message),
  );
});

test.each([
  ["resources/read", {}, "`uri` is missing"],
  ["resources/read", { uri: 7 }, "`uri` is 7, it must be text"],
  ["resources/subscribe", undefined, "`uri` is missing"],
  ["resources/unsubscribe", { uri: null }, "`uri` is null, it must be text"],
  ["resources/list", { cursor: 7 }, "`cursor` is 7, it must be text"],
  ["resources/templates/list", { cursor: 7 }, "`cursor` is 7, it must be text"],
  [
    "completion/complete",
    { ref: { type: "ref/tool" } },
    '`ref.type` is "ref/tool", legal values are ref/prompt, ref/resource; `argument` is missing',
  ],
])(
  "%s with the parameters %j is refused, naming the field and a valid value",
  async (method, params, problem) => {
    const { client } = await givenClient();
    await expect(client.request({ method, params }, ResultSchema)).rejects.toMatchObject(
      coded(-32602, `${method}: ${problem}; params are {`),
    );
  },
);
