import { win32 } from "node:path";
import type { Platform, SpawnLine } from "./platform.ts";
import { batchArguments } from "./windows-words.ts";

/**
 * How Windows finds and starts programs: by the endings of PATHEXT, and batch files by cmd.exe, which alone takes them.
 *
 * @param variables of this process
 */
export function programsBy({
  exists,
  variables,
  powershell,
}: {
  readonly exists: (path: string) => boolean;
  readonly variables: NodeJS.ProcessEnv;
  readonly powershell: string;
}): Platform["programs"] {
  const files = (path: string) => {
    const endings = (variables.PATHEXT ?? ".COM;.EXE;.BAT;.CMD").split(";");
    const isWhole = endings.some((ending) => path.toLowerCase().endsWith(ending.toLowerCase()));
    return isWhole ? [path] : endings.map((ending) => `${path}${ending.toLowerCase()}`);
  };
  const isPath = (program: string) => /[\\/]|^[A-Za-z]:/.test(program);
  const foldersOf = (environment: NodeJS.ProcessEnv) =>
    (Object.entries(environment).find(([name]) => name.toUpperCase() === "PATH")?.[1] ?? "").split(";");
  const find = (program: string, environment: NodeJS.ProcessEnv) =>
    (isPath(program) ? [program] : foldersOf(environment).map((folder) => win32.join(folder, program)))
      .flatMap(files)
      .find(exists);
  return {
    shell() {
      const git = find("git.exe", variables);
      const homes = [
        ...(git === undefined ? [] : [win32.join(win32.dirname(git), "..")]),
        ...[variables.ProgramFiles ?? "C:\\Program Files"].map((folder) => win32.join(folder, "Git")),
      ];
      const sh = homes.map((home) => win32.join(home, "bin", "sh.exe")).find(exists);
      return sh === undefined ? [powershell, "-NoProfile", "-NonInteractive", "-Command"] : [sh, "-c", "--"];
    },
    line(program, args, environment = variables): SpawnLine {
      const file = find(program, environment) ?? program;
      if (!/\.(cmd|bat)$/i.test(file)) return { file, args: [...args] };
      const cmd = variables.ComSpec ?? "cmd.exe";
      return { file: cmd, args: batchArguments(file, args), windowsVerbatimArguments: true };
    },
    files,
    isPath,
    variables: [
      ...[
        "SystemRoot",
        "SystemDrive",
        "windir",
        "ComSpec",
        "PATHEXT",
        "TEMP",
        "TMP",
        "USERPROFILE",
        "USERNAME",
      ],
      ...[
        "HOMEDRIVE",
        "HOMEPATH",
        "APPDATA",
        "LOCALAPPDATA",
        "ProgramData",
        "ProgramFiles",
        "ProgramFiles(x86)",
      ],
    ],
    variableKey: (name) => name.toUpperCase(),
  };
}
