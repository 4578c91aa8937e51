import type { Platform, ProcessEntry } from "./platform.ts";
import { posix } from "./posix.ts";
import { type Run, run as runHere } from "./run.ts";

/** macOS, and other Unixes with BSD's `ps`: it tells of processes, `sysctl` of the boot. */
export function darwin(run: Run = runHere): Platform {
  return {
    ...posix({ processes: processesBy(run), socketLimit_bytes: 103 }),
    system: "darwin",
    isolates: false,
    networkFileSystem: () => undefined,
  };
}

function processesBy(run: Run): Platform["processes"] {
  const told = (file: string, ...args: readonly string[]) => {
    try {
      return run(file, args);
    } catch {
      return undefined;
    }
  };
  const entriesOf = (which: readonly string[]) =>
    (told(PS, ...which, ...COLUMNS) ?? "").split("\n").flatMap(entryIn);
  let own: ProcessEntry | undefined;
  let boot: string | undefined;
  return {
    table: () => entriesOf(["-A"]).filter(({ ended }) => !ended),
    entry(pid) {
      if (pid !== process.pid) return entriesOf(["-p", String(pid)])[0];
      own ??= entriesOf(["-p", String(pid)])[0];
      return own;
    },
    variables(name) {
      let values: ReadonlyMap<number, string> | undefined;
      return (pid) => {
        values ??= valuesIn(told(PS, "-A", "-E", "-ww", "-o", "pid=", "-o", "command=") ?? "", name);
        return values.get(pid);
      };
    },
    boot() {
      boot ??= told("/usr/sbin/sysctl", "-n", "kern.bootsessionuuid")?.trim();
      return boot;
    },
    namespace: () => undefined,
  };
}

const PS = "/bin/ps";
/** `lstart` is five words; the name, which may have blanks, comes last. macOS has no number for a session. */
const COLUMNS = ["pid", "ppid", "pgid", "stat", "tty", "lstart", "ucomm"].flatMap((name) => [
  "-o",
  `${name}=`,
]);
const LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\S+ +\S+ +\d+ +[\d:]+ +\d{4})\s(.*)$/;

function entryIn(line: string): ProcessEntry[] {
  const [, pid, parent, group, state = "", tty = "", began = "", name = ""] = LINE.exec(line) ?? [];
  if (pid === undefined) return [];
  return [
    {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: 0,
      name: name.trim(),
      ...(/[a-z]/.test(tty) && { tty }),
      // In seconds.
      began: String(Date.parse(`${began} UTC`) / 1_000),
      ended: state.startsWith("Z"),
    },
  ];
}

/** A variable's value by pid. Each line is a pid, arguments and environment, which nothing separates but blanks. */
function valuesIn(text: string, name: string): ReadonlyMap<number, string> {
  const pattern = new RegExp(`^\\s*(\\d+) .* ${name}=(.*?)(?= [A-Za-z_]\\w*=|$)`);
  return new Map(
    text.split("\n").flatMap((line) => {
      const [, pid, value = ""] = pattern.exec(line) ?? [];
      return pid === undefined ? [] : [[Number(pid), value.trimEnd()] as const];
    }),
  );
}
