import fc from "fast-check";
import { expect, test } from "vitest";
import { darwin } from "../../src/lib/platform/darwin.ts";
import { windows } from "../../src/lib/platform/windows.ts";
import { batchArguments, quoted } from "../../src/lib/platform/windows-words.ts";
import { runs } from "../properties/runs.ts";
import { wordsOf } from "./fake-windows.ts";

/*
 * What the modules for macOS and Windows make of what their systems print, and what they ask them.
 */
const SYSTEM = "C:\\Windows\\System32";

test("the columns of macOS's ps are read, names with blanks and zombies included", () => {
  const mac = darwin((file, args) => {
    expect([file, args[0]]).toEqual(["/bin/ps", "-A"]);
    return [
      "    1     0     1 Ss   ??       Wed Nov 25 22:59:39 2026     launchd         ",
      "  412     1   412 S+   ttys003  Thu Nov  5 01:02:03 2026     Google Chrome He",
      "  500   412   412 Z    ??       Thu Nov  5 01:02:04 2026     (sh)",
      "",
    ].join("\n");
  });
  expect(mac.processes.table()).toEqual([
    { pid: 1, parent: 0, group: 1, session: 0, name: "launchd", began: "1795647579", ended: false },
    {
      pid: 412,
      parent: 1,
      group: 412,
      session: 0,
      name: "Google Chrome He",
      tty: "ttys003",
      began: "1793840523",
      ended: false,
    },
  ]);
});

test("a variable is found among the arguments and the environment that macOS's ps prints", () => {
  const mac = darwin(() =>
    [
      "  412 node agent.js RALPH_SESSION_ID=fake -- PATH=/bin RALPH_SESSION_ID=s-1 SIGNALBOX_GATE=a.1 b.2 HOME=/Users/me",
      "  413 /bin/sleep 1000",
    ].join("\n"),
  );
  const { variables } = mac.processes;
  expect([412, 413].map(variables("RALPH_SESSION_ID"))).toEqual(["s-1", undefined]);
  expect(variables("SIGNALBOX_GATE")(412)).toBe("a.1 b.2");
  expect(variables("GATE")(412)).toBeUndefined();
});

test("where ps or PowerShell fail, nothing is known and nothing fails", () => {
  const fail = () => {
    throw new Error("not permitted");
  };
  for (const { processes } of [darwin(fail), windows({ run: fail }), windows({ run: () => "no JSON" })]) {
    expect([processes.table(), processes.entry(1), processes.variables("A")(1)]).toEqual([
      [],
      undefined,
      undefined,
    ]);
  }
});

test("what CIM tells of Windows' processes is read, the system's own without name and time included", () => {
  const asked: string[] = [];
  const { processes } = windows({
    run: (file, args) => {
      asked.push(file);
      expect(Buffer.from(args.at(-1) ?? "", "base64").toString("utf16le")).toContain(
        "Get-CimInstance Win32_Process",
      );
      return '[{"parent":0,"line":null,"pid":4,"began":null,"name":null},{"began":1795647579123,"pid":412,"name":"node.exe","parent":4,"line":"node é"}]';
    },
    variables: { SystemRoot: "C:\\Windows" },
  });
  expect(processes.table()).toEqual([
    { pid: 4, parent: 0, group: 0, session: 0, name: "", began: "0", ended: false },
    { pid: 412, parent: 4, group: 0, session: 0, name: "node.exe", began: "1795647579123", ended: false },
  ]);
  expect(asked).toEqual([`${SYSTEM}\\WindowsPowerShell\\v1.0\\powershell.exe`]);
});

test("a group is ended by taskkill, with its children and by force", () => {
  const asked: unknown[] = [];
  const run = (file: string, args: readonly string[]) => String(asked.push([file, ...args]));
  windows({ run, variables: {} }).groups.signal(412, "SIGTERM");
  expect(asked).toEqual([[`${SYSTEM}\\taskkill.exe`, "/PID", "412", "/T", "/F"]]);
});

test("any argument arrives at a Windows program as it was", () => {
  const words = fc.array(fc.string({ unit: fc.constantFrom("a", " ", '"', "\\", "%", "'", "é", "\t") }));
  fc.assert(
    fc.property(words, (args) => {
      expect(wordsOf(args.map(quoted).join(" "))).toEqual(args);
    }),
    runs(500),
  );
});

test("a batch file is run by cmd.exe, and nothing in its arguments means something to that", () => {
  expect(batchArguments("C:\\a b\\claude.cmd", ["-p", "100% & more"])).toEqual([
    "/d",
    "/s",
    "/c",
    '"C:\\a^ b\\claude.cmd ^^^"-p^^^" ^^^"100^^^%^^^ ^^^&^^^ more^^^""',
  ]);
});

test.each([
  ["a batch file on PATH", "claude", "cmd.exe"],
  ["a program on PATH", "node", "C:\\nodejs\\node.exe"],
  ["a path without an ending", "C:\\nodejs\\node", "C:\\nodejs\\node.exe"],
  ["a path with another slash", "C:/nodejs/node.exe", "C:/nodejs/node.exe"],
  ["a program that is not there", "nothing", "nothing"],
])("Windows finds %s", (_what, program, file) => {
  const there = ["C:\\npm\\claude.cmd", "C:\\nodejs\\node.exe", "C:/nodejs/node.exe"];
  const { programs } = windows({ exists: (path) => there.includes(path), variables: {} });
  expect(programs.line(program, [], { Path: "C:\\npm;C:\\nodejs" }).file).toBe(file);
});

test.each([
  ["that comes with git on PATH", "D:\\Git\\cmd\\git.exe", "D:\\Git\\bin\\sh.exe"],
  ["of the folder for programs", "", "C:\\Program Files\\Git\\bin\\sh.exe"],
])("gates on Windows run in the sh %s", (_which, git, sh) => {
  const { programs } = windows({
    exists: (path) => [git, sh].includes(path),
    variables: { Path: "D:\\Git\\cmd" },
  });
  expect(programs.shell()).toEqual([sh, "-c", "--"]);
});

test("gates on Windows run in PowerShell where no sh is", () => {
  const { programs } = windows({ exists: () => false, variables: {} });
  expect(programs.shell()).toEqual([
    `${SYSTEM}\\WindowsPowerShell\\v1.0\\powershell.exe`,
    "-NoProfile",
    "-NonInteractive",
    "-Command",
  ]);
});

test("a socket on Windows is a pipe, which is no file", () => {
  const { sockets } = windows();
  const address = sockets.address("C:\\Temp\\signalbox-0\\s.1");
  expect([address, sockets.isSocket(address), sockets.isSocket("C:\\s")]).toEqual([
    "\\\\.\\pipe\\s.1",
    true,
    false,
  ]);
});
