// @module-tag strace
import { describe, expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { signalbox } from "../../torture/adapters/signalbox.ts";
import { CASES } from "../../torture/cases/all.ts";
import { runCase } from "../../torture/runner.ts";
import { careless } from "./careless.ts";

describe.each(CASES)("the torture suite, $name", (each) => {
  test.concurrent("a careless tracker fails it", async () => {
    const { result, what } = await runCase(careless, each, "", 1 / 2);
    expect(result, what).toBe("failed");
  });

  test.concurrent("signalbox holds", async () => {
    const { result, what } = await runCase(signalbox(packagePath(""), "0"), each, "", 1 / 2);
    expect(result, what).toBe("held");
  });
});
