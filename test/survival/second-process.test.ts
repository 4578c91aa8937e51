import { join } from "node:path";
import { expect } from "vitest";
import { logPathBeside } from "../../src/events/log-location.ts";
import { createLogFile } from "../../src/events/sqlite-file.ts";
import type { Draft } from "../../src/events/types/index.ts";
import { useChild } from "../children.ts";
import { comment, comments, id, numbers, temporaryFolder } from "../events/given.ts";
import { signalbox } from "../support/cli.ts";
import { besideServers } from "./busy-servers.ts";
import { campaign } from "./campaign.ts";
import { OtherProcess } from "./other-process.ts";

/*
 * Catches: a condition or an id that is checked outside of the transaction, or only among what the process itself has
 * seen; a follower that only hears its own process; a command that waits for a server, or fails beside one.
 */

const startProcess = useChild("test/survival/children/work-on-project.ts");

/** An empty log, and processes that work on it. */
interface Given {
  readonly folder: string;
  /** Starts a process that has the log open. */
  start(): Promise<OtherProcess>;
}

const ROUNDS = 20;
const FIRST: readonly Draft[] = [
  { ...comment("first"), id: id(1), correlation: "s-1", causation: id(9) },
  { ...comment("with it", 8), id: id(2) },
];
/** The same batch with one thing that is not as it was. */
const ALTERED: readonly (readonly Draft[])[] = [
  [alter({ payload: { task: 7, author: "human", body: "other" } })],
  [alter({ payload: { task: 8, author: "human", body: "first" } })],
  [alter({ actor: "driver" })],
  [alter({ correlation: "s-2" })],
  [alter({ causation: id(8) })],
].map(([first]) => [...(first ? [first] : []), ...FIRST.slice(1)]);

function alter(change: Partial<Draft<"comment.added">>): Draft {
  return { ...comment("first"), id: id(1), correlation: "s-1", causation: id(9), ...change };
}

const CASES: Readonly<Record<string, (given: Given) => Promise<void>>> = {
  async "of two that expect the same head, exactly one wins"({ start }) {
    const both = [await start(), await start()];
    for (const round of numbers(ROUNDS)) {
      const condition = { expectedHead: round - 1 };
      const answers = await Promise.all(both.map((one) => one.append([comment("mine")], condition)));
      expect(answers.map(({ outcome }) => outcome).sort()).toEqual(["appended", "head_moved"]);
    }
    expect(await both[0]?.look()).toMatchObject({ head: ROUNDS });
  },

  async "of two that expect the same stream version, exactly one wins"({ start }) {
    const both = [await start(), await start()];
    for (const round of numbers(ROUNDS)) {
      const condition = { expectedStreamVersion: { stream: "task-7", version: round - 1 } };
      const answers = await Promise.all(both.map((one) => one.append([comment("mine")], condition)));
      expect(answers.map(({ outcome }) => outcome).sort()).toEqual(["appended", "stream_moved"]);
    }
    expect(await both[0]?.look()).toMatchObject({ streamVersion: ROUNDS });
  },

  async "a head or stream version that another process has moved is refused, and the new one holds"({
    start,
  }) {
    const [first, second] = [await start(), await start()];
    await first.append(comments(3));
    const onStream = (version: number) => ({ expectedStreamVersion: { stream: "task-7", version } });
    expect(await second.append([comment("late")], { expectedHead: 0 })).toMatchObject({
      outcome: "head_moved",
    });
    expect(await second.append([comment("late")], onStream(0))).toMatchObject({ outcome: "stream_moved" });
    expect(await second.append([comment("now")], { expectedHead: 3 })).toMatchObject({ positions: [4] });
    expect(await first.append([comment("now")], onStream(4))).toMatchObject({ positions: [5] });
  },

  async "two that send the same batch at once get the same positions, and it is there once"({ start }) {
    const both = [await start(), await start()];
    for (const round of numbers(ROUNDS)) {
      const batch = [
        { ...comment("same"), id: id(2 * round) },
        { ...comment("batch", 8), id: id(2 * round + 1) },
      ];
      const answers = await Promise.all(both.map((one) => one.append(batch)));
      const positions = [2 * round - 1, 2 * round];
      expect(answers).toContainEqual({ outcome: "appended", positions });
      expect(answers).toContainEqual({ outcome: "appended_before", positions });
    }
    expect(await both[0]?.look()).toMatchObject({ head: 2 * ROUNDS });
  },

  async "an id that another process used with another content is a conflict, whatever is other"({ start }) {
    const [first, second] = [await start(), await start()];
    await first.append(FIRST);
    for (const batch of ALTERED) {
      expect(await second.append(batch), JSON.stringify(batch)).toEqual({
        outcome: "id_conflict",
        positions: [],
      });
    }
    expect(await second.append(FIRST)).toEqual({ outcome: "appended_before", positions: [1, 2] });
    expect(await second.look()).toMatchObject({ head: 2 });
  },

  async "a batch of which another process has written a part, or more, is a conflict"({ start }) {
    const [first, second] = [await start(), await start()];
    await first.append(FIRST);
    const more = [...FIRST, { ...comment("new"), id: id(3) }];
    expect(await second.append(more)).toMatchObject({ outcome: "id_conflict" });
    expect(await second.append([...more].reverse())).toMatchObject({ outcome: "id_conflict" });
    expect(await second.look()).toMatchObject({ head: 2 });
  },

  async "an id that was used 10,000 events and a restart ago is known"({ start }) {
    const first = await start();
    await first.append(FIRST);
    for (const _ of numbers(10)) await first.append(comments(1_000));
    await first.end();
    const [second, third] = [await start(), await start()];
    for (const one of [second, third]) {
      expect(await one.append(FIRST)).toEqual({ outcome: "appended_before", positions: [1, 2] });
      expect(await one.append(ALTERED[0] ?? [])).toMatchObject({ outcome: "id_conflict" });
      // Sent again it is answered as the first time, even under a condition that no longer holds.
      const condition = { expectedHead: 0 };
      expect(await one.append(FIRST, condition)).toEqual({ outcome: "appended_before", positions: [1, 2] });
    }
    expect(await second.append([comment("after")])).toMatchObject({ positions: [10_003] });
  },

  async "what one has been told is written, all others see at once, and their read models are alike"({
    start,
  }) {
    const all = await Promise.all(numbers(3).map(start));
    const ids: string[] = [];
    for (const round of numbers(ROUNDS)) {
      const writer = all[round % all.length];
      ids.push(id(round));
      expect(await writer?.append([{ ...comment(`round ${round}`), id: id(round) }])).toMatchObject({
        positions: [round],
      });
      const looks = await Promise.all(all.map((one) => one.look()));
      for (const look of looks) {
        expect(look).toMatchObject({
          head: round,
          read: ids,
          stream: ids,
          streamVersion: round,
          reduced: round,
        });
        expect(look.contentHash).toBe(looks[0]?.contentHash);
      }
    }
  },

  async "each one that follows gets every event once, in order, from any process, while it appends too"({
    start,
  }) {
    const all = await Promise.all(numbers(4).map(start));
    await Promise.all(
      all.map(async (one) => {
        for (const _ of numbers(ROUNDS)) await one.append(comments(2));
      }),
    );
    for (const one of all) expect((await one.look()).followed).toEqual(numbers(2 * ROUNDS * all.length));
  },

  async "commands that look answer beside 8 live servers, as if they were alone"({ folder }) {
    await besideServers(folder, async (db) => {
      for (const command of LOOKING) {
        const ran = await signalbox([...command, "--json", "--db", db]);
        expect(ran, command.join(" ")).toMatchObject({ exitCode: 0, stderr: "" });
        for (const line of ran.stdout.trimEnd().split("\n")) JSON.parse(line);
      }
    });
  },

  async "commands that record something do so beside 8 live servers, in one attempt of their user"({
    folder,
  }) {
    await besideServers(folder, async (db) => {
      for (const command of RECORDING) {
        const ran = await signalbox([...command, "--db", db]);
        expect(ran, command.join(" ")).toMatchObject({ exitCode: 0, stderr: "" });
      }
    });
  },
};

campaign({
  line: "second-process",
  promise:
    "each promise of the log tried from a second process on the same project: expected head, same id with another content, an id used 10,000 events and a restart ago; the command line beside 8 live servers answers at once",
  small: 11,
  large: 11,
  open() {
    expect(Object.keys(CASES)).toHaveLength(11);
  },
  async point(number) {
    const [name = "", tryCase] = Object.entries(CASES)[number] ?? [];
    const folder = temporaryFolder();
    const processes: OtherProcess[] = [];
    const path = join(folder.path, "ralph.db");
    createLogFile(logPathBeside(path));
    const start = async () => {
      const started = new OtherProcess(startProcess(path));
      processes.push(started);
      return started.ready();
    };
    try {
      await tryCase?.({ folder: folder.path, start });
      return {};
    } catch (cause) {
      throw new Error(`${name}: ${cause instanceof Error ? cause.stack : cause}`, { cause });
    } finally {
      await Promise.all(processes.map((one) => one.kill()));
      folder.remove();
    }
  },
});

const LOOKING = [
  ["status"],
  ["next"],
  ["task", "list"],
  ["task", "show", "1"],
  ["inbox"],
  ["session", "list"],
  ["feature", "list"],
  ["policy", "list"],
  ["log", "list"],
];
const RECORDING = [
  ["task", "add", "Import"],
  ["task", "set", "9", "--priority", "high"],
  ["comment", "9", "Semicolons, please."],
  ["session", "start", "9", "--session", "s-9"],
  ["session", "end", "s-9", "--exit", "exited"],
  ["rebuild"],
];
