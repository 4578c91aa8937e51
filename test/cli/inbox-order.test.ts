import { expect, test } from "vitest";
import { initialState, itemsOf } from "../../src/cli/watch/state.ts";
import { type InboxItem, inboxPage } from "../../src/projections/queries/inbox.ts";
import { overview } from "../../src/projections/queries/overview.ts";
import { signalboxJson } from "../support/cli.ts";
import { givenEveryKind } from "../web/support/given-inbox.ts";

test("inbox list, watch and the page have one order: the urgent kinds first, the oldest first among its like", async () => {
  const project = await givenEveryKind();
  const { readModel } = project.store;
  const [folder = ""] = readModel.database.name.split("/.ralph/");
  const named = (items: readonly Pick<InboxItem, "kind" | "id">[]) =>
    items.map(({ kind, id }) => `${kind} ${id}`);

  const listed = named((await signalboxJson(["inbox", "list"], { cwd: folder })) as InboxItem[]);
  expect(listed.map((item) => item.split(" ")[0])).toEqual([
    ...["gate", "question", "blocker", "contest", "proposal", "hold", "flag", "acceptance", "gate_approval"],
  ]);
  expect(named(itemsOf(initialState(overview(readModel, "2000-01-01 00:00:00"))))).toEqual(listed);
  expect(named(inboxPage(readModel, { limit: 50 }).items)).toEqual(listed);
  expect(named((await signalboxJson(["inbox", "list", "--all"], { cwd: folder })) as InboxItem[])).toEqual(
    listed,
  );
});
