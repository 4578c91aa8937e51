import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { LogError, platform } from "./core.ts";

/** For whom a password is. */
interface Login {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/**
 * The password of a login in PostgreSQL's password file: PGPASSFILE, or ~/.pgpass; undefined if it has none. Each line is
 * `host:port:database:user:password`, where `*` stands for any. (pg reads the file too, and prints that it will not much longer.)
 *
 * @throws LogError `server`: other users can read the file
 */
export function passwordInFile(login: Login, variables: NodeJS.ProcessEnv): string | undefined {
  const path = variables.PGPASSFILE || join(homedir(), ".pgpass");
  let text: string;
  try {
    // Group and others, where a file has such rights at all.
    if (platform().hasModes && (statSync(path).mode & 0o077) !== 0) {
      throw new LogError(
        "server",
        `Other users of this machine can read ${path}. Run \`chmod 600 ${path}\`.`,
      );
    }
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof LogError) throw error;
    return undefined;
  }
  const wanted = [
    login.host.startsWith("/") ? "localhost" : login.host,
    String(login.port),
    login.database,
    login.user,
  ];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("#")) continue;
    const fields = [...line.matchAll(/((?:\\.|[^\\:])*)(?::|$)/g)].map(([, field = ""]) =>
      field.replaceAll(/\\(.)/g, "$1"),
    );
    const [password] = fields.slice(wanted.length);
    if (password && wanted.every((value, index) => fields[index] === "*" || fields[index] === value))
      return password;
  }
  return undefined;
}
