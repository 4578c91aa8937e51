import { expect, test } from "vitest";
import { initialState, itemsOf } from "../../src/cli/watch/state.ts";
import { inboxPage } from "../../src/queries/inbox.ts";
import type { InboxItem } from "../../src/queries/inbox-item.ts";
import { overview } from "../../src/queries/overview.ts";
import { signalboxJson } from "../support/cli.ts";
import { givenEveryKind } from "../web/support/given-inbox.ts";

test("inbox list, watch and the page have one order: the urgent kinds first, the oldest first among its like", async () => {
  const project = await givenEveryKind();
  const { readModel } = project.store;
  const [folder = ""] = readModel.database.name.split("/.ralph/");
  const named = (items: readonly Pick<InboxItem, "kind" | "id">[]) =>
    items.map(({ kind, id }) => `${kind} ${id}`);

  const inbox = async (...options: string[]) => {
    const { inbox: items } = (await signalboxJson(["inbox", "list", ...options], { cwd: folder })) as {
      inbox: InboxItem[];
    };
    return named(items);
  };
  const listed = await inbox();
  expect(listed.map((item) => item.split(" ")[0])).toEqual([
    ...["gate", "question", "blocker", "contest", "proposal", "hold", "flag", "acceptance", "gate_approval"],
  ]);
  const watched = { ...overview(readModel, "2000-01-01 00:00:00"), loops: [] };
  expect(named(itemsOf(initialState(watched)))).toEqual(listed);
  expect(named(inboxPage(readModel, { limit: 50 }).rows)).toEqual(listed);
  expect(await inbox("--all")).toEqual(listed);
});
