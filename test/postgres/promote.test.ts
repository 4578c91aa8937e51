// @module-tag postgresql-standbys
import { Client } from "pg";
import { expect, test } from "vitest";
import { promote } from "../../adapters/postgres/promote.ts";
import { givenCluster } from "../support/postgres/given.ts";
import type { Server } from "../support/postgres/server.ts";

/* Catches: the standby that lags made the primary, a promotion beside a primary that lives, appends that no standby has. */

const asked = (servers: readonly Server[], login = "postgres") =>
  servers.map(({ name, url }) => ({
    name,
    async connect() {
      const client = new Client({ connectionString: url.replace("//postgres@", `//${login}@`) });
      client.on("error", () => {});
      await client.connect();
      return client;
    },
  }));

test("the standby that has received most takes the primary's place, and the other follows it", async () => {
  const cluster = await givenCluster({ standbys: 2, synchronous: "ANY 1" });
  const [behind, ahead] = cluster.standbys;
  if (!ahead || !behind) throw new Error("The cluster has two standbys.");
  await cluster.primary.ask("CREATE TABLE about (epoch integer)");
  await cluster.primary.ask("CREATE UNLOGGED TABLE waiting (ticket integer)");
  await cluster.primary.ask("INSERT INTO about VALUES (4)");
  await cluster.cutOff(behind);
  await cluster.primary.ask("CREATE TABLE appended AS SELECT 1 AS position");
  await cluster.kill(cluster.primary);

  const promoted = await promote(asked(cluster.servers));

  expect(promoted).toEqual({ name: ahead.name, standbys: 1, logs: [{ schema: "public", epoch: 5 }] });
  expect(await behind.ask("SELECT epoch FROM about")).toEqual([{ epoch: 5 }]);
  expect(await behind.ask("SELECT position FROM appended")).toEqual([{ position: 1 }]);
});

test("nothing is promoted beside a primary that lives, nor while a standby cannot be asked", async () => {
  const cluster = await givenCluster({ standbys: 2, synchronous: "ANY 1" });
  const { primary, standbys } = cluster;
  await expect(promote(asked(cluster.servers))).rejects.toThrow(`${primary.name} takes appends`);
  await primary.ask("CREATE ROLE weak LOGIN");
  const [one, other] = standbys;
  if (!one || !other) throw new Error("The cluster has two standbys.");
  await cluster.kill(primary);
  await expect(promote(asked(cluster.servers, "weak"))).rejects.toThrow(
    `The login is no superuser on ${one.name} and ${other.name}.`,
  );
  await cluster.kill(one);
  await expect(promote(asked(cluster.servers))).rejects.toThrow(
    new RegExp(`${primary.name} and ${one.name} cannot be asked`),
  );
  await expect(promote(asked([other]))).rejects.toThrow("Name all servers");
  expect(await other.ask("SELECT pg_is_in_recovery() AS standby")).toEqual([{ standby: true }]);
});
