// @module-tag postgresql-standbys
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { stateVariables } from "../../src/config/state-folder.ts";
import { packagePath } from "../../src/lib/package-root.ts";
import { until } from "../support/postgres/ask.ts";
import type { Cluster } from "../support/postgres/cluster.ts";
import { pathWithPrograms } from "../support/postgres/example-fleet.ts";
import { givenCluster } from "../support/postgres/given.ts";
import type { Server } from "../support/postgres/server.ts";
import { freshFolder } from "../support/project.ts";

/* Catches: a command of the operator's page that fails where and when the page says to run it. */

const page = readFileSync(packagePath("docs/fleet.md"), "utf8");

test("an operator types the commands of docs/fleet.md, one after the other, and each does its work", async () => {
  const [cluster, next] = await Promise.all([
    givenCluster({ standbys: 2, synchronous: "ANY 1" }),
    givenCluster({ standbys: 1, synchronous: "ANY 1" }),
  ]);
  const [project, backups] = [freshFolder(), freshFolder()];
  const [operator, newOperator] = [cluster, next].map(({ url }) => `${url}?schema=shop`);
  const host = (url = "") => url.replace("postgres@", "shop_a@");
  const typed = shellIn(project, {
    PATH: pathWithPrograms(backups),
    URL: host(operator),
    OPERATOR: operator ?? "",
    NEW: host(newOperator),
    NEW_OPERATOR: newOperator ?? "",
    STANDBY: `host=127.0.0.1 port=${cluster.servers[2]?.port} user=postgres`,
  });
  await typed("signalbox init");
  await typed('signalbox fleet create "$OPERATOR"');
  await typed('signalbox fleet move "$OPERATOR"');
  await giveLogin(cluster.primary);
  await typed('signalbox fleet join "$URL"');

  const blocks = blocksOf("sh");
  expect(blocks).toHaveLength(4);
  for (const block of blocks) {
    for (const line of block) {
      if (line.startsWith("# Stop the primary")) await cluster.kill(cluster.primary);
      else await typed(line.replaceAll("/backups", backups));
      if (line.includes("fleet create")) await giveLogin(next.primary);
    }
    if (block.some((line) => line.includes("promote")))
      await answersAll(await primaryOf(cluster), blocksOf("sql").flat());
  }

  expect(await typed("signalbox task list")).toMatch(/Before the drill[\s\S]*After the drill/);
  await until("nothing is wrong with the fleet", async () => {
    const standbys = [{ name: "s2", sync: "quorum", behind_bytes: expect.any(Number) }];
    expect(JSON.parse(await typed("signalbox fleet status --json"))).toMatchObject({
      log: expect.stringContaining(String(next.primary.port)),
      servers: { faults: [], facts: { epoch: 0, standbys } },
      hosts: [{ state: "own" }],
    });
    return true;
  });
});

/** The lines of the page's blocks of a language. */
function blocksOf(language: "sh" | "sql"): string[][] {
  const blocks = page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"));
  return [...blocks].map(([, block = ""]) => block.trimEnd().split("\n"));
}

/** Runs lines as a shell does. @throws with what it wrote, if one fails */
function shellIn(cwd: string, variables: Readonly<Record<string, string>>) {
  return async (line: string): Promise<string> => {
    const env = { ...stateVariables(process.env), ...variables };
    const shell = spawn("sh", ["-c", line], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const [printed, complained] = [text(shell.stdout), text(shell.stderr)];
    const [code] = await once(shell, "close");
    if (code !== 0) throw new Error(`${line}: ${code} ${await complained}`);
    return printed;
  };
}

/** As `signalbox fleet create` says; the servers of tests ask for no password. */
async function giveLogin(server: Server): Promise<void> {
  await server.ask("CREATE ROLE shop_a LOGIN");
  await server.ask("GRANT shop_host TO shop_a");
}

async function primaryOf({ standbys }: Cluster): Promise<Server> {
  for (const server of standbys) {
    const [row] = await server.ask<{ standby: boolean }>("SELECT pg_is_in_recovery() AS standby");
    if (row?.standby === false) return server;
  }
  throw new Error("There is no primary.");
}

async function answersAll(server: Server, statements: readonly string[]): Promise<void> {
  expect(statements.length).toBeGreaterThan(3);
  for (const statement of statements) await server.ask(statement);
}
