import { expect, onTestFinished, test } from "vitest";
import { runCommand } from "../../src/gates/runner/run-command.ts";
import { usePlatform } from "../../src/lib/platform/here.ts";
import { loopHere } from "../loop/loop-here.ts";
import { freshFolder } from "../support/project.ts";
import { fakeWindows } from "./fake-windows.ts";

/* A loop and its gates on a stand-in for Windows: what it asks the system, and that the work goes on. */
function onWindows() {
  const { platform, asked } = fakeWindows();
  usePlatform(platform);
  onTestFinished(() => usePlatform(undefined));
  return { platform, programs: () => asked.map(([name]) => name) };
}

test("a loop on Windows starts its agent by PowerShell, reads it to its end, and ends the session", async () => {
  const { programs } = onWindows();
  const loop = await loopHere();
  loop.says({ type: "result", text: "done" });
  const { steps } = await loop.run();
  expect(steps.find(({ step }) => step === "session_ended")).toMatchObject({ exit: "exited" });
  expect(programs()).toContain("powershell.exe");
});

test("a gate on Windows that takes too long is ended by taskkill, and all that it started with it", async () => {
  const { programs } = onWindows();
  const command = {
    ...{ shell: ["/bin/sh", "-c"], folder: freshFolder(), environment: { PATH: process.env.PATH ?? "" } },
  };
  const fine = await runCommand({ ...command, command: "echo $RALPH_X; exit 3", timeoutMs: 60_000 });
  expect(fine).toMatchObject({ exit_code: 3, timed_out: false, left_behind: [] });
  expect(programs()).toEqual(["powershell.exe"]);
  const late = await runCommand({ ...command, command: "sleep 1000 & sleep 1000", timeoutMs: 200 });
  expect(late).toMatchObject({ timed_out: true, left_behind: [] });
  expect(programs().filter((name) => name === "taskkill.exe").length).toBeGreaterThan(0);
});
