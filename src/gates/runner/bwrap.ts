import type { Place } from "./isolation.ts";

/** Has bubblewrap run a shell: the system as it is, but read-only, with a network, processes and devices of its own. */
export function bwrapArguments({ folder, writable }: Place, command: string): string[] {
  return [
    ...["--ro-bind", "/", "/"],
    ...["--dev", "/dev"],
    ...["--proc", "/proc"],
    ...["--tmpfs", "/tmp"],
    // After what might hide it.
    ...["--bind", writable, writable],
    "--unshare-net",
    "--unshare-pid",
    "--unshare-ipc",
    "--die-with-parent",
    // Else root could make the root writable again.
    ...["--cap-drop", "ALL"],
    ...["--chdir", folder],
    ...["--", "/bin/sh", "-c", "--", command],
  ];
}
