import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { Platform, ProcessEntry } from "./platform.ts";
import { posix } from "./posix.ts";

/** Linux: what it tells is read from `/proc` (proc(5)), and no program is started for it. */
export function linux(): Platform {
  return {
    ...posix({ processes, socketLimit_bytes: 107 }),
    system: "linux",
    isolates: true,
    networkFileSystem: (type) => NETWORKS.get(type) ?? null,
  };
}

const processes: Platform["processes"] = {
  table: () =>
    numbersIn("/proc").flatMap((pid) => {
      const found = entry(pid);
      return found && !found.ended ? [found] : [];
    }),
  entry,
  variables: (name) => (pid) => {
    const variables = textOf(`/proc/${pid}/environ`)?.split("\0");
    return variables?.find((variable) => variable.startsWith(`${name}=`))?.slice(name.length + 1);
  },
  boot: () => textOf("/proc/sys/kernel/random/boot_id")?.trim(),
  namespace() {
    try {
      return readlinkSync("/proc/self/ns/pid");
    } catch {
      return undefined;
    }
  },
};

function entry(pid: number): ProcessEntry | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The name, in parentheses, may hold anything; what follows it is separated by blanks.
  const end = stat.lastIndexOf(")");
  const [state, parent, group, session, device, ...rest] = stat.slice(end + 2).split(" ");
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    name: stat.slice(stat.indexOf("(") + 1, end),
    ...ttyOf(Number(device)),
    // In ticks since the boot.
    began: rest[14] ?? "",
    ended: state === "Z" || state === "X",
  };
}

/** The name in /dev by the number of a terminal's device (proc(5), tty_nr; Documentation/admin-guide/devices.txt of Linux). */
function ttyOf(device: number): { readonly tty?: string } {
  if (!(device > 0)) return {};
  const major = (device >>> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >>> 12) & 0xfff00);
  if (major >= 136 && major <= 143) return { tty: `pts/${minor}` };
  if (major === 4) return { tty: minor < 64 ? `tty${minor}` : `ttyS${minor - 64}` };
  return { tty: `${major}:${minor}` };
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** By the numbers of statfs(2), linux/magic.h. */
const NETWORKS: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x5346414f, "AFS"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
  [0x19830326, "BeeGFS"],
  [0x01161970, "GFS2"],
  [0x7461636f, "OCFS2"],
  [0x73757245, "Coda"],
  [0x01021997, "9P, which may be a network file system or another system's disk"],
  [0x65735546, "FUSE, which may be a network file system or another system's disk"],
]);
