import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inputsDigest } from "../../scripts/inputs-digest.mjs";
import { createTask } from "../../src/operations/tasks.ts";
import { freshProject } from "../support/project.ts";
import { startServer } from "../survival/agent-server.ts";
import { packageCopy } from "./package-copy.ts";

test("a running server loads modules of its own build while the package is built twice at once, each time complete", async () => {
  const copy = packageCopy({ isBuilt: true });
  const { project, db } = await freshProject();
  await project.decide(createTask({ title: "Export as CSV" }));
  const server = await startServer({ task: 1, session: "s-1", db, program: copy.program });
  copy.changeSources("200.0.0");
  await Promise.all([copy.build(), copy.build()]);
  expect(await copy.run("--version")).toBe("200.0.0\n");
  const dist = join(copy.folder, "dist");
  const { folder, inputs } = JSON.parse(readFileSync(join(dist, "build.json"), "utf8"));
  expect(inputs).toBe(inputsDigest(copy.folder));
  expect(readFileSync(join(dist, "cli.cjs"), "utf8")).toContain(`"./${folder}/start.cjs"`);
  expect(readdirSync(dist).filter((name) => name.startsWith("new-"))).toEqual([]);
  const packed = await copy.pack();
  expect(packed).toEqual(
    expect.arrayContaining(["dist/cli.cjs", "dist/index.js", "dist/index.d.ts", "THIRD-PARTY-LICENSES"]),
  );
  expect(packed.filter((path) => /^dist\/[^/]+\/(start\.cjs|web\/index\.html\.gz)$/.test(path))).toHaveLength(
    2,
  );
  const ask = (id: number, method: string, params: object) => {
    void server.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return server.answered(id);
  };
  expect(await ask(1, "resources/list", {})).toHaveProperty("result");
  const done = { name: "done", arguments: { summary: "Exported." } };
  expect(await ask(2, "tools/call", done)).toMatchObject({ result: { structuredContent: {} } });
  server.process.stdin.end();
  expect(await server.closed).toBe(0);
  expect(server.complaints()).toBe("");
});
