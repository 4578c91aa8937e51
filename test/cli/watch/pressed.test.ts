import { expect, test } from "vitest";
import { acted, refused } from "../../../src/cli/watch/pressed.ts";
import {
  initialState,
  itemsOf,
  noticed,
  selectedItem,
  type WatchState,
  withOverview,
} from "../../../src/cli/watch/state.ts";
import { inboxKey } from "../../../src/queries/inbox.ts";
import type { InboxItem } from "../../../src/queries/inbox-item.ts";
import { afterKeys, givenItem, givenOverview, screenText } from "./given.ts";

const question = (id: number) =>
  givenItem("question", id, { options: ["tabs", "semicolons"], preferred: "semicolons" });

function givenInbox(...inbox: readonly InboxItem[]) {
  return initialState(givenOverview({ inbox }));
}

test("j and k move the selection, and stop at the ends", () => {
  const state = givenInbox(givenItem("flag", 1), givenItem("flag", 2), givenItem("flag", 3));
  const selected = (...keys: string[]) => selectedItem(afterKeys(state, ...keys).state)?.id;
  expect(selected()).toBe(1);
  expect(selected("k")).toBe(1);
  expect(selected("j", "down")).toBe(3);
  expect(selected("end", "j", "k")).toBe(2);
});

test.each([
  ["question", "x", "dismiss"],
  ["blocker", "r", "resolve"],
  ["blocker", "x", "dismiss"],
  ["proposal", "a", "approve"],
  ["proposal", "x", "reject"],
  ["acceptance", "a", "accept"],
  ["gate", "t", "retry"],
  ["gate", "s", "skip"],
  ["gate", "b", "abort"],
  ["contest", "p", "set pending"],
  ["hold", "p", "set pending"],
] as const)("on a %s, %s asks at once for: %s", (kind, key, label) => {
  const { effect } = afterKeys(givenInbox(givenItem(kind, 15)), key);
  expect(effect).toMatchObject({ kind: "act", item: { id: 15 }, act: { label } });
});

test.each([
  ["question", "a", "answer"],
  ["question", "enter", "answer"],
  ["acceptance", "x", "send back"],
] as const)("on a %s, %s asks for a text, and Enter sends it: %s", (kind, key, label) => {
  const asked = afterKeys(givenInbox(givenItem(kind, 15)), key);
  expect(asked.effect).toBeUndefined();
  const { effect, state } = afterKeys(asked.state, ..."a b", "enter");
  expect(effect).toMatchObject({ kind: "act", act: { label }, text: "a b" });
  expect(state.prompt).toBeUndefined();
});

test("gates can be approved only once their whole text was shown, and rejected at once", () => {
  const state = givenInbox(givenItem("gate_approval", 15));
  const once = afterKeys(state, "a");
  expect(once.effect).toBeUndefined();
  expect(once.state).toMatchObject({
    opened: true,
    message: { text: "Read to the end, then press a again to approve." },
  });
  expect(afterKeys(once.state, "a").effect).toMatchObject({ item: { id: 15 }, act: { label: "approve" } });
  expect(afterKeys(state, "x").effect).toMatchObject({ item: { id: 15 }, act: { label: "reject" } });
});

test("a digit answers a question with that option; the preferred option is 1", () => {
  const state = givenInbox(question(15));
  expect(afterKeys(state, "1").effect).toMatchObject({ text: "semicolons" });
  expect(afterKeys(state, "2").effect).toMatchObject({ text: "tabs" });
  expect(afterKeys(state, "3").effect).toBeUndefined();
  expect(screenText(state)).toContain("      1 semicolons (preferred)");
});

test("in the input field the first digit inserts the option, and the rest is edited as text", () => {
  const state = givenInbox(question(15));
  expect(afterKeys(state, "a", "2").state.prompt?.text).toBe("tabs");
  expect(afterKeys(state, "a", "2", "ctrl-u", "2", "enter").effect).toMatchObject({ text: "2" });
  expect(afterKeys(state, "a", "i", "1").state.prompt?.text).toBe("i1");
});

test("in the input field letters are text, whatever they do in the list", () => {
  const { state, effect } = afterKeys(givenInbox(question(15)), "a", ..."quit? jkxrz");
  expect(effect).toBeUndefined();
  expect(state.prompt?.text).toBe("quit? jkxrz");
});

test("a pasted text becomes one line and is not sent", () => {
  const { state, effect } = afterKeys(givenInbox(question(15)), "a", { name: "paste", text: "one\ntwo\r\n" });
  expect(effect).toBeUndefined();
  expect(state.prompt?.text).toBe("one two ");
  expect(afterKeys(givenInbox(question(15)), { name: "paste", text: "a" }).state.prompt).toBeUndefined();
});

test("backspace removes one visible character", () => {
  expect(afterKeys(givenInbox(question(15)), "a", ..."a👩‍👧", "backspace").state.prompt?.text).toBe("a");
});

test("Escape keeps the draft with its item", () => {
  const state = givenInbox(question(15), question(16));
  const left = afterKeys(state, "a", ..."half", "escape").state;
  expect(left.prompt).toBeUndefined();
  expect(afterKeys(left, "j", "a").state.prompt?.text).toBe("");
  expect(afterKeys(left, "j", "k", "a").state.prompt?.text).toBe("half");
  expect(screenText(left).at(-1)).toContain("a answer (draft)");
});

test("an answer of blanks is not sent", () => {
  const { state, effect } = afterKeys(givenInbox(question(15)), "a", " ", "enter");
  expect(effect).toBeUndefined();
  expect(state.message?.text).toContain("Type something");
});

test("an item leaves the list as soon as it is acted on, and the next one is selected", () => {
  const state = afterKeys(givenInbox(givenItem("proposal", 1), givenItem("proposal", 2)), "a").state;
  expect(itemsOf(state).map(({ id }) => id)).toEqual([2]);
  expect(afterKeys(state, "a").effect).toMatchObject({ item: { id: 2 } });
});

test("a refused act restores the item in its place, with the reason and the draft", () => {
  const before = givenInbox(question(15), question(16));
  const { state, effect } = afterKeys(before, "a", ..."no", "enter");
  if (effect?.kind !== "act") throw new Error("an act was expected");
  const after = refused(state, effect.item, "Question 15 is answered already.");
  expect(itemsOf(after).map(({ id }) => id)).toEqual([15, 16]);
  expect(after.message).toEqual({ tone: "bad", text: "Question 15 is answered already." });
  expect(after.drafts.get(inboxKey(question(15)))).toBe("no");
});

test("an item that was acted on stays away until the project shows the act, and comes back when it was undone", () => {
  const inbox = [question(15)];
  const { state, effect } = afterKeys(initialState(givenOverview({ inbox, position: 20 })), "1");
  if (effect?.kind !== "act") throw new Error("an act was expected");
  const done = acted(state, effect, 22, "question.answered at #22.");
  expect(itemsOf(withOverview(done, givenOverview({ inbox, position: 21 })))).toEqual([]);
  expect(itemsOf(withOverview(done, givenOverview({ inbox, position: 23 })))).toEqual(inbox);
});

test("z takes back the last act that can be, and the key bar names it", () => {
  let position = 48_211;
  const acting = (state: WatchState, ...keys: string[]) => {
    const { state: after, effect } = afterKeys(state, ...keys);
    if (effect?.kind !== "act") throw new Error("an act was expected");
    return acted(after, effect, ++position, "");
  };
  const state = givenInbox(givenItem("gate", 30), question(15), question(16));
  const done = acting(acting(acting(state, "j", "1"), "1"), "s");
  expect(screenText(done).at(-1)).toContain("z undo answer 16");
  expect(afterKeys(done, "z").effect).toMatchObject({ kind: "undo", done: { id: 16 } });
  expect(afterKeys(givenInbox(), "z").state.message?.text).toMatch(/Nothing to undo/);
});

test("while others change things the selection stays on its item", () => {
  const state = afterKeys(givenInbox(question(15), question(16), question(17)), "j").state;
  const others = [question(13), question(14), question(15)];
  const more = withOverview(state, givenOverview({ inbox: [...others, question(16), question(17)] }));
  expect(selectedItem(more)?.id).toBe(16);
  const without = withOverview(more, givenOverview({ inbox: [...others, question(17)] }));
  expect(selectedItem(without)?.id).toBe(17);
  expect(selectedItem(withOverview(without, givenOverview({ inbox: [question(14)] })))?.id).toBe(14);
});

test("a key for an item that someone else removed does not hit the next item", () => {
  const proposals = [1, 2, 3].map((id) => givenItem("proposal", id));
  const slipped = withOverview(givenInbox(...proposals), givenOverview({ inbox: proposals.slice(1) }));
  for (const key of ["a", "x", "enter"]) expect(afterKeys(slipped, key).effect).toBeUndefined();
  expect(afterKeys(slipped, "a").state.message?.text).toContain("proposal 2 is selected");
  expect(afterKeys(slipped, "a", "a").effect).toMatchObject({ item: { id: 2 } });
  expect(afterKeys(slipped, "j", "a").effect).toMatchObject({ item: { id: 3 } });
  expect(afterKeys(noticed(slipped), "a").effect).toMatchObject({ item: { id: 2 } });
});

test("an outdated update of the project changes nothing", () => {
  const state = givenInbox(question(15));
  expect(withOverview(state, givenOverview({ position: 48_210 }))).toBe(state);
});

test("an answer that is being written is kept when somebody else deals with its question", () => {
  const state = afterKeys(givenInbox(question(15), question(16)), "a", ..."half").state;
  const after = withOverview(state, givenOverview({ inbox: [question(16)] }));
  expect(after.prompt).toBeUndefined();
  expect(after.message?.text).toContain("question 15 has left the inbox");
  expect(after.drafts.get(inboxKey(question(15)))).toBe("half");
});

test("? shows all keys, and any key but q goes back", () => {
  const sheet = afterKeys(givenInbox(question(15)), "?").state;
  for (const key of ["j k", "Enter", "1…9", "a ", "r ", "x ", "z ", "? ", "q "]) {
    expect(screenText(sheet).some((line) => line.startsWith(`  ${key}`))).toBe(true);
  }
  const back = afterKeys(sheet, "x");
  expect(back.effect).toBeUndefined();
  expect(back.state.sheet).toBe(false);
  expect(afterKeys(sheet, "q").effect).toEqual({ kind: "quit" });
});

test.each([[[]], [["?"]], [["a", "b"]]])("Ctrl-C quits from everywhere, after %j", (keys: string[]) => {
  expect(afterKeys(givenInbox(question(15)), ...keys, "ctrl-c").effect).toEqual({ kind: "quit" });
});
