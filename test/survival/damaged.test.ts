import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { Random } from "../../bench/lib/random.ts";
import { temporaryFolder } from "../events/given.ts";
import { campaign, type Figures } from "./campaign.ts";
import { checkLog } from "./damaged-log.ts";
import { checkReadModel } from "./damaged-read-model.ts";
import { type Damage, fileDamages, journalDamages } from "./damages.ts";
import { type FileName, type Moment, makeProject, type Project, writeProject } from "./projects-to-damage.ts";

/*
 * Catches: an event that is returned though its bytes have changed, a read that leaves events out, an error that does
 * not say which file is damaged, a write to a log whose damage was seen, a read model that stays damaged.
 */
campaign({
  line: "damaged",
  promise:
    "a damaged file is found at opening or reading, said plainly, and never made worse: the read model is made again, the log is never touched",
  small: 60,
  large: 5_000,
  async open() {
    const folder = temporaryFolder();
    const make = (name: string, moment: Moment, size: number, seed: number) =>
      makeProject(join(folder.path, name), moment, size, seed);
    try {
      return {
        closed: await make("closed", "closed", SIZE, 1),
        "at work": await make("at work", "at work", SIZE, 1),
        checkpointed: await make("checkpointed", "checkpointed", SIZE, 1),
        earlier: await make("earlier", "at work", SIZE / 2, 1),
        other: await make("other", "at work", SIZE / 2, 2),
      };
    } finally {
      folder.remove();
    }
  },
  async point(number, projects) {
    const random = new Random(number);
    const chosen = cases[number % cases.length];
    if (!chosen) throw new Error("There is no case.");
    const moment =
      chosen.moments[(number + Math.floor(number / cases.length)) % chosen.moments.length] ?? "closed";
    const project = projects[moment];
    const folder = temporaryFolder();
    try {
      const path = writeProject(folder.path, project.files);
      chosen.damage(path, random, projects);
      return await check(path, chosen, project);
    } catch (error) {
      const what = `${chosen.subject}, ${chosen.what}, of a project ${moment}`;
      throw new Error(`${what}: ${error instanceof Error ? error.stack : error}`, { cause: error });
    } finally {
      folder.remove();
    }
  },
});

const SIZE = 200;

async function check(path: string, { subject, journal }: Case, project: Project): Promise<Figures> {
  if (subject === "log") {
    const ends = journal ? project.commits : [project.events.length];
    return named("log", await checkLog(join(path, "events.db"), { events: project.events, ends }));
  }
  const log = () => readFileSync(join(path, "events.db"));
  const before = log();
  const figures = await checkReadModel(join(path, "ralph.db"), project.contentHash);
  expect(log().equals(before), "the log is not touched").toBe(true);
  return named("read_model", figures);
}

function named(name: string, figures: Figures): Figures {
  return Object.fromEntries(Object.entries(figures).map(([key, value]) => [`${name}_${key}`, value]));
}

type Projects = Readonly<Record<Moment | "earlier" | "other", Project>>;

interface Case {
  readonly subject: "log" | "read model";
  readonly what: string;
  /** True where the journal is damaged: what was in it alone may be gone, a whole commit at a time. */
  readonly journal: boolean;
  /** The moments at which the project may have been caught. */
  readonly moments: readonly Moment[];
  damage(path: string, random: Random, projects: Projects): void;
}

const cases: readonly Case[] = (["log", "read model"] as const).flatMap((subject) => {
  const main: FileName = subject === "log" ? "events.db" : "ralph.db";
  const journal: FileName = `${main}-wal`;
  const inFile = Object.entries(fileDamages).map(([what, damage]) => ({
    // Most often when nothing is in the journals, which would hide what is damaged in the main files.
    ...{ subject, what, journal: false, moments: ["closed", "at work", "closed", "checkpointed"] as const },
    damage: (path: string, random: Random) => damageFile(join(path, main), damage, random),
  }));
  const inJournal = Object.entries(journalDamages).map(([what, damage]) => ({
    ...{ subject, what, journal: true, moments: ["at work", "checkpointed"] as const },
    damage: (path: string, random: Random) => damageFile(join(path, journal), damage, random),
  }));
  const replaced = (what: string, by: (path: string, projects: Projects) => void): Case => ({
    ...{ subject, what, journal: false, moments: ["closed"] },
    damage: (path, _random, projects) => by(path, projects),
  });
  return [
    ...inFile,
    ...inJournal,
    replaced("with the journal of another project", (path, { other }) =>
      writeFileSync(join(path, journal), other.files.get(journal) ?? ""),
    ),
    replaced("with a journal of its own from before", (path, { earlier }) =>
      writeFileSync(join(path, journal), earlier.files.get(journal) ?? ""),
    ),
    replaced("a folder in its place", (path) => {
      rmSync(join(path, main));
      mkdirSync(join(path, main));
    }),
    replaced("the other of the two files in its place", (path) =>
      copyFileSync(join(path, subject === "log" ? "ralph.db" : "events.db"), join(path, main)),
    ),
    ...(subject === "log"
      ? []
      : [
          replaced("that of another project in its place", (path, { other }) =>
            writeFileSync(join(path, main), other.files.get(main) ?? ""),
          ),
        ]),
  ];
});

function damageFile(path: string, damage: Damage, random: Random): void {
  writeFileSync(path, damage(readFileSync(path), random));
}
