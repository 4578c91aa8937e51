import { expect, test } from "vitest";
import { openProject, type Project } from "../../src/api/project.ts";
import type { Projection } from "../../src/api/projections.ts";
import { orderPlaced, orders, ordersOf } from "../projections/given-own.ts";
import { signalbox, signalboxJson } from "../support/cli.ts";
import { freshProject } from "../support/project.ts";

/* Catches: an own projection that stopped without anybody saying so, stops other programs, or cannot be mended. */

const STOPPED = "projection shop_orders stopped at position 4: boom";
const MEND = "Correct its code, run `signalbox rebuild`, and start its program again.";

/** A program with its own projection: it opens the project, works there and ends. */
async function program<T>(folder: string, projection: Projection, work: (project: Project) => Promise<T>) {
  const project = await openProject(folder, { projections: [projection] });
  try {
    return await work(project);
  } finally {
    await project.close();
  }
}

const rows = (project: Project) => project.ask((tables) => tables.rowsOf({ orders }).orders.scan());

async function givenStopped(): Promise<string> {
  const { folder } = await freshProject();
  await program(folder, ordersOf({ fragile: true }), async (project) => {
    for (const amount of [1, 2, 3]) await project.record(orderPlaced, { amount });
  });
  return folder;
}

test("while an own projection is stopped, commands decide, and status and doctor name it with the remedy", async () => {
  const cwd = await givenStopped();
  expect(await signalbox(["task", "add", "Export orders as CSV"], { cwd })).toMatchObject({ exitCode: 0 });
  const status = await signalbox(["status"], { cwd });
  expect(status.stdout).toContain(`${STOPPED}\n  → ${MEND}`);
  expect(await signalboxJson(["status"], { cwd })).toMatchObject({
    stopped: [{ projection: "shop_orders", error: "position 4: boom", own: true }],
  });
  const doctor = await signalbox(["doctor"], { cwd });
  expect(doctor.stdout).toMatch(new RegExp(`✕ own tables +${STOPPED}\\n +→ ${MEND}`));
  expect(doctor.stdout).toMatch(/✓ read model/);
});

test("rebuild has a stopped own projection tried again by its program, and says so until it runs", async () => {
  const cwd = await givenStopped();
  const rebuilt = await signalbox(["rebuild"], { cwd });
  expect(rebuilt).toMatchObject({ exitCode: 3 });
  expect(rebuilt.stdout).toContain(
    "Projection shop_orders stopped at position 4: boom. Its program rebuilds it when it next opens the project.",
  );
  await expect(program(cwd, ordersOf({ fragile: true }), rows)).rejects.toThrow(
    "stopped at position 4: boom",
  );

  // Corrected without a rebuild, it is still refused; its version was not raised.
  await expect(program(cwd, ordersOf({ fragile: false }), rows)).rejects.toThrow("signalbox rebuild");
  const again = await signalbox(["rebuild", "--json"], { cwd });
  expect(again).toMatchObject({ exitCode: 3 });
  expect(JSON.parse(again.stdout)).toMatchObject({ stopped: [{ projection: "shop_orders", own: true }] });
  expect(await program(cwd, ordersOf({ fragile: false }), rows)).toEqual([
    { id: 3, amount: 1 },
    { id: 4, amount: 2 },
    { id: 5, amount: 3 },
  ]);
  expect(await signalbox(["rebuild"], { cwd })).toMatchObject({ exitCode: 0 });
  expect(await signalboxJson(["status"], { cwd })).toMatchObject({ stopped: [] });
  expect((await signalbox(["doctor"], { cwd })).stdout).not.toContain("own tables");
});
