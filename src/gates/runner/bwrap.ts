import type { Place } from "./place.ts";

/** Has bubblewrap run a shell: the system as it is, but read-only, with a network, processes and devices of its own. */
export function bwrapArguments({ folder, writable, readOnly }: Place, command: string): string[] {
  return [
    ...["--ro-bind", "/", "/"],
    ...["--dev", "/dev"],
    ...["--proc", "/proc"],
    // By these root would reach the system's kernel, also without any right that goes with being root.
    ...["sys", "sysrq-trigger", "irq", "bus"].flatMap((part) => {
      return ["--ro-bind-try", `/proc/${part}`, `/proc/${part}`];
    }),
    ...["--tmpfs", "/tmp"],
    // After what might hide it.
    ...["--bind", writable, writable],
    ...(readOnly === undefined ? [] : ["--ro-bind", readOnly, readOnly]),
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
