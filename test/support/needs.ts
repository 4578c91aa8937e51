import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { findPrograms, findStandbyPrograms, namedServer } from "./postgres/programs.ts";

/**
 * The programs and rights that some tests need and a machine may lack. A test names its needs as tags, `{ tags: "strace" }`, or a whole
 * file does with a comment `@module-tag chromium`. Where a need is missing, these tests are skipped and the run says so at its end.
 * CI skips nothing: there a missing program makes its tests fail.
 */
const needs: readonly Need[] = [
  {
    name: "chromium",
    isThere: findChromium() !== undefined,
    mend: "Install the package chromium-headless-shell or chromium to run the tests of the page.",
  },
  {
    name: "firefox",
    isThere: findFirefox() !== undefined,
    mend: "Install the package firefox-esr to run the tests of the page in Firefox.",
  },
  program("strace", "strace", "kills and failures at single system calls, power cuts"),
  program("bwrap", "bubblewrap", "isolation of gates"),
  program("jq", "jq", "the driver in shell"),
  program("openssl", "openssl", "servers with TLS"),
  program("zsh", "zsh", "completion in zsh"),
  program("fish", "fish", "completion in fish"),
  program("script", "bsdutils", "programs on a terminal"),
  {
    name: "postgresql",
    isThere: namedServer() !== undefined || findPrograms() !== undefined,
    mend: "Install the package postgresql, or name a server in SIGNALBOX_TEST_POSTGRES, to run the tests of the log on PostgreSQL.",
  },
  {
    name: "postgresql-standbys",
    isThere: findStandbyPrograms() !== undefined,
    mend: "Install the package postgresql to run the tests of failovers.",
  },
  {
    name: "linux",
    isThere: process.platform === "linux",
    mend: "Run the tests on Linux to try namespaces and what `/proc` tells (docs/platforms.md).",
  },
  {
    name: "root",
    isThere: process.getuid?.() === 0,
    mend: "Run the tests as root to try small disks and files of other users.",
  },
];

interface Need {
  readonly name: string;
  readonly isThere: boolean;
  /** What to do where it is missing: a sentence. */
  readonly mend: string;
}

/** The tags of vitest's configuration. */
export function needTags(): { name: string; description: string; skip: boolean }[] {
  return needs.map(({ name, isThere, mend }) => ({
    name,
    description: mend,
    skip: !isThere && !process.env.CI,
  }));
}

/** Why a test that needs it is skipped: two sentences. @param name a need that is missing */
export function whyMissing(name: string): string | undefined {
  const need = needs.find((one) => one.name === name && !one.isThere);
  return need && `${need.name} is missing. ${need.mend}`;
}

/** The path of Debian's chromium, which without its windows takes a third of the CPU for each page, or of another one; undefined where there is none. */
export function findChromium(): string | undefined {
  return ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
    .map(findProgram)
    .find((path) => path !== undefined);
}

/** The path of Debian's Firefox, or of another one; undefined where there is none. */
export function findFirefox(): string | undefined {
  return ["firefox-esr", "firefox"].map(findProgram).find((path) => path !== undefined);
}

/** The path of a program on PATH. */
function findProgram(name: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function program(name: string, debianPackage: string, tries: string): Need {
  return {
    name,
    isThere: findProgram(name) !== undefined,
    mend: `Install the package ${debianPackage} to run the tests of ${tries}.`,
  };
}
