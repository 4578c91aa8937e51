import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { linux } from "../../src/lib/platform/linux.ts";
import type { Platform } from "../../src/lib/platform/platform.ts";
import { windows } from "../../src/lib/platform/windows.ts";
import { LAUNCH } from "../../src/lib/platform/windows-launcher.ts";

/** Windows, answered on Linux by stand-ins: what it was asked, and what it started. */
export interface FakeWindows {
  readonly platform: Platform;
  /** Each call of a system program: its name and its arguments, scripts decoded. */
  readonly asked: (readonly string[])[];
}

/**
 * A Windows whose PowerShell and taskkill do here what they would do there: the launcher is a shell in a group of its own, and
 * what it shows stands on its command line.
 */
export function fakeWindows(): FakeWindows {
  const asked: (readonly string[])[] = [];
  const lines = new Map<number, string>();
  const note = (file: string, args: readonly string[]) => {
    const name = file.split("\\").at(-1) ?? file;
    const words = args.map((word, index) =>
      args[index - 1] === "-EncodedCommand" ? Buffer.from(word, "base64").toString("utf16le") : word,
    );
    asked.push([name, ...words]);
    return { name, script: words.at(-1) ?? "" };
  };

  function run(file: string, args: readonly string[]): string {
    const { name, script } = note(file, args);
    if (name === "taskkill.exe") {
      process.kill(-Number(args[1]), "SIGKILL");
      return "";
    }
    const [, only] = /ProcessId = (\d+)/.exec(script) ?? [];
    const rows = linux()
      .processes.table()
      .filter(({ pid }) => only === undefined || pid === Number(only))
      .map(({ pid, parent, name, began }) => ({
        ...{ pid, parent, name, began: Number(began) },
        line: lines.get(pid) ?? null,
      }));
    return JSON.stringify(rows);
  }

  function start(file: string, args: readonly string[], options: SpawnOptions): ChildProcess {
    note(file, args);
    const program = [options.env?.[LAUNCH.file] ?? "", ...wordsOf(options.env?.[LAUNCH.arguments] ?? "")];
    const child = spawn("/bin/sh", ["-c", LAUNCHER, "sh", ...program], {
      ...options,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    if (child.pid !== undefined) lines.set(child.pid, [file, ...args].join(" "));
    return child;
  }

  const platform = windows({
    run,
    spawn: start,
    exists: () => false,
    variables: { SystemRoot: "C:\\Windows" },
  });
  return { platform, asked };
}

/** As the launcher's script does it, with the program's words after it. */
const LAUNCHER = `
input=\${${LAUNCH.inputFile}:-/dev/null} pid=$${LAUNCH.pidFile}
unset ${Object.values(LAUNCH).join(" ")}
[ -z "$pid" ] || echo $$ >"$pid"
"$@" <"$input"
`;

/** Takes a command line apart as programs on Windows do (CommandLineToArgvW). */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:"(?:\\.|[^"\\])*"|[^\s"])+/g)].map(([word]) =>
    word.replace(/(\\*)("|$)/g, (_all, slashes: string, end: string) =>
      end === "" ? slashes : "\\".repeat(slashes.length / 2) + (slashes.length % 2 === 1 ? '"' : ""),
    ),
  );
}
