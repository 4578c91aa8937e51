import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { temporaryFolder } from "../events/given.ts";
import { campaign } from "./campaign.ts";
import { checkGoldenLog, LogNotRead, ReductionChanged } from "./golden-log.ts";

/*
 * A point is a log of fixtures/logs; both sizes are the number of logs there. Catches: an upcaster that is lost or
 * changed, a reducer that gives other rows under the same version, a golden log that was changed.
 */
campaign({
  line: "golden",
  promise:
    "a log of every released schema version is read as it was written and reduces to its stored hashes, projection by projection",
  small: 2,
  large: 2,
  open() {
    const folder = packagePath("fixtures/logs");
    const logs = readdirSync(folder).filter((file) => file.endsWith(".db"));
    expect(logs, "as many points as there are logs: raise `small` and `large`").toHaveLength(2);
    return logs.sort().map((file) => `${folder}/${file}`);
  },
  async point(number, logs) {
    await checkGoldenLog(logs[number] ?? "");
    return { logs: 1 };
  },
});

test("of a golden log it is told whether it could not be read, or its reduction changed, and of which projection", async () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const path = join(folder.path, "schema-v1.db");
  copyFileSync(packagePath("fixtures/logs/schema-v1.db"), path);
  const kept = readFileSync(packagePath("fixtures/logs/schema-v1.json"), "utf8");
  const failWith = async (text: string): Promise<unknown> => {
    writeFileSync(join(folder.path, "schema-v1.json"), text);
    return checkGoldenLog(path).catch((error: unknown) => error);
  };
  expect(await failWith(kept)).toBeUndefined();

  const reduced = await failWith(kept.replace('"comments": {\n      "version": 3,\n      "hash": "', "$&00"));
  expect(reduced).toBeInstanceOf(ReductionChanged);
  expect(reduced).toMatchObject({ message: expect.stringMatching(/changed of comments: [^;]*$/) });

  const decoded = await failWith(kept.replace('"count": 15,\n    "hash": "', "$&00"));
  expect(decoded).toBeInstanceOf(LogNotRead);
  expect(decoded).toMatchObject({ message: expect.stringContaining("upcaster") });

  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0, 4096));
  expect(await failWith(kept)).toBeInstanceOf(LogNotRead);
});
