// @module-tag postgresql
import { expect, test } from "vitest";
import type { EventLog } from "../../src/events/log.ts";
import { ask } from "../support/postgres/ask.ts";
import { givenLog, loginAs, openForTest, schemaOf } from "./given-postgres.ts";

test("a host's beat is seen by every host, with the time since it by the server's clock", async () => {
  const url = await givenLog();
  const log = await openForTest(await loginAs(url, "host"));
  await log.hosts?.beat({ host: "h-1", name: "one", epoch: 1, level: 1 });
  await log.hosts?.beat({ host: "h-2", name: "two", epoch: 1, level: 1 });
  await ask(
    url,
    `UPDATE ${schemaOf(url)}.hosts SET beat_at = beat_at - interval '1 minute' WHERE host = 'h-1'`,
  );
  await log.hosts?.beat({ host: "h-2", name: "two", epoch: 2, level: 3 });
  const [first, second] = (await log.hosts?.list()) ?? [];
  expect(first).toMatchObject({ host: "h-1", name: "one", epoch: 1, level: 1 });
  expect(first?.silent_ms).toBeGreaterThanOrEqual(60_000);
  expect(second).toMatchObject({ host: "h-2", epoch: 2, level: 3 });
  expect(second?.silent_ms).toBeLessThan(60_000);
});

test("a beat of an epoch that is over is refused, and changes nothing", async () => {
  const log = await openForTest(await givenLog());
  await log.hosts?.beat({ host: "h-1", name: "one", epoch: 2, level: 1 });
  await expect(log.hosts?.beat({ host: "h-1", name: "one", epoch: 1, level: 1 })).rejects.toMatchObject({
    code: "host_lost",
  });
  expect(await log.hosts?.list()).toMatchObject([{ epoch: 2 }]);
});

test("one login gives a host's signs of life, until it is no host any more or the owner frees the id", async () => {
  const url = await givenLog();
  const [owner, one] = [await openForTest(url), await openForTest(await loginAs(url, "host"))];
  const name = new URL(url).searchParams.get("schema");
  await ask(url, `CREATE ROLE "${name}_b" LOGIN IN ROLE "${name}_host"`);
  const otherUrl = new URL(url);
  otherUrl.username = `${name}_b`;
  const other = await openForTest(otherUrl.href);
  const beat = (log: EventLog, epoch = 1) => log.hosts?.beat({ host: "h-1", name: "one", epoch, level: 1 });
  // What an operator has tried by hand belongs to nobody.
  await beat(owner);
  await beat(one);
  await beat(owner);
  const refused = {
    code: "server",
    message: expect.stringMatching(
      /_a_host" gives the signs of life of this host.*SET login = NULL WHERE host = 'h-1'/,
    ),
  };
  await expect(beat(other)).rejects.toMatchObject(refused);
  await expect(beat(other, 9)).rejects.toMatchObject(refused);
  expect(await owner.hosts?.list()).toMatchObject([{ epoch: 1 }]);
  await ask(url, `UPDATE ${schemaOf(url)}.hosts SET login = NULL WHERE host = 'h-1'`);
  await beat(other);
  await expect(beat(one)).rejects.toMatchObject({ code: "server" });
  await ask(url, `REVOKE "${name}_host" FROM "${name}_b"`);
  await beat(one);
  await expect(beat(other)).rejects.toMatchObject({ code: "server" });
  await ask(url, `GRANT "${name}_host" TO "${name}_b"; DROP ROLE "${name}_a_host"`);
  await beat(await openForTest(otherUrl.href));
});
