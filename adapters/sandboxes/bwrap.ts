import { readOnlyParts } from "./core.ts";
import { inOrder, type Mount } from "./mount.ts";

/**
 * The command line that runs a program in bubblewrap: separate networks, processes and devices, no
 * capabilities, and of this machine's files only the system's programs and `mounts`. It ends with the
 * process that starts it. What it has in its environment the program has, too.
 */
export function bwrapLine(
  file: string,
  { mounts, folder }: { readonly mounts: readonly Mount[]; readonly folder: string },
  command: readonly string[],
): { readonly file: string; readonly args: readonly string[] } {
  const args = [
    ...SYSTEM.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--dev", "/dev"],
    ...["--proc", "/proc"],
    ...readOnlyParts,
    ...["--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--tmpfs", "/run"],
    ...inOrder(mounts).flatMap(({ path, how }) =>
      how === "hide" ? ["--tmpfs", path] : [how === "read" ? "--ro-bind" : "--bind", path, path],
    ),
    // Bubblewrap's own root is in memory: it would be writable, without limit.
    ...["--remount-ro", "/"],
    ...["--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    "--die-with-parent",
    ...["--cap-drop", "ALL"],
    ...["--chdir", folder],
    ...["--", ...command],
  ];
  // Bubblewrap would die at the signal that tells the agent to end, and at once kill the agent.
  return { file: "/bin/sh", args: ["-c", 'trap "" TERM && exec "$@"', "sh", file, ...args] };
}

/** Programs, and the settings of the system that they need: no passwords, no keys. */
const SYSTEM: readonly string[] = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store"],
  ...[
    "alternatives",
    "ca-certificates",
    "ca-certificates.conf",
    "fonts",
    "group",
    "hosts",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "locale.alias",
    "localtime",
    "magic",
    "mime.types",
    "nsswitch.conf",
    "os-release",
    "passwd",
    "pki",
    "profile",
    "protocols",
    "services",
    "ssl",
    "terminfo",
    "timezone",
  ].map((name) => `/etc/${name}`),
];
