import { spawn } from "node:child_process";
import { closeSync, fsyncSync, openSync, renameSync, statSync, symlinkSync } from "node:fs";
import type { Platform, ProcessEntry } from "./platform.ts";

/** What Linux and macOS share. @param processes how the system tells of its processes */
export function posix({
  processes,
  socketLimit_bytes,
}: Pick<Platform, "processes"> & { readonly socketLimit_bytes: number }): Omit<
  Platform,
  "system" | "isolates" | "networkFileSystem"
> {
  return {
    hasModes: true,
    processes,
    groups: {
      endWithLeader: false,
      start({ file, args, folder, environment, inputFile, pidFile }) {
        const line =
          pidFile === undefined
            ? { file, args }
            : { file: "/bin/sh", args: ["-c", BECOME, "sh", pidFile, file, ...args] };
        const input = inputFile === undefined ? undefined : openSync(inputFile, "r");
        try {
          return spawn(line.file, line.args, {
            cwd: folder,
            env: environment,
            detached: true,
            stdio: [input ?? "ignore", "pipe", "pipe"],
          });
        } finally {
          if (input !== undefined) closeSync(input);
        }
      },
      signal: (group, name) => {
        signalled(-group, name);
      },
      isThere: (group) => signalled(-group, 0),
      hasMembers(group) {
        const table = processes.table();
        return table.length > 0
          ? table.some((entry: ProcessEntry) => entry.group === group)
          : signalled(-group, 0);
      },
    },
    programs: {
      shell: () => ["/bin/sh", "-c", "--"],
      line: (file, args) => ({ file, args: [...args] }),
      files: (path) => [path],
      isPath: (program) => program.includes("/"),
      variables: [],
      variableKey: (name) => name,
    },
    files: {
      replace: renameSync,
      replacesOpen: true,
      sync(path) {
        const file = openSync(path, "r");
        try {
          fsyncSync(file);
        } finally {
          closeSync(file);
        }
      },
      link: (target, path) => symlinkSync(target, path),
    },
    sockets: {
      // A temporary folder's own path may be too long for a socket.
      folder: "/tmp",
      limit_bytes: socketLimit_bytes,
      address: (path) => path,
      isSocket: (path) => statSync(path).isSocket(),
    },
  };
}

/** The shell writes its process id, and becomes the program. */
const BECOME = 'echo $$ > "$1.new" && mv "$1.new" "$1" && shift && exec "$@"';

/** False if there is nothing that could be signalled. */
function signalled(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch {
    return false;
  }
}
