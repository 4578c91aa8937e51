import { inOrder, type Mount } from "./mount.ts";

/** What a container is made of. */
export interface ContainerWish {
  readonly engine: "docker" | "podman";
  readonly name: string;
  readonly image: string;
  readonly mounts: readonly Mount[];
  readonly folder: string;
  /** Names of variables, whose values the engine's client takes from its own environment: other users can read a command line. */
  readonly variables: readonly string[];
  readonly memory: string | undefined;
  readonly pids: number | undefined;
  /** Its user and group: those of the driver, by number. */
  readonly user: { readonly uid: number; readonly gid: number };
}

/**
 * The arguments with which docker or podman runs a program in a container of its own: without
 * network, capabilities and new privileges, and with a read-only root. It is removed when it ends.
 */
export function containerArguments(wish: ContainerWish, [entry = "", ...args]: readonly string[]): string[] {
  return [
    "run",
    "--rm",
    "--interactive",
    // The first process ends orphans, and passes signals on.
    "--init",
    `--name=${wish.name}`,
    // The check before the loop has found it here.
    "--pull=never",
    "--network=none",
    "--read-only",
    "--cap-drop=ALL",
    "--security-opt=no-new-privileges",
    // Labels of SELinux would keep it from the sockets.
    "--security-opt=label=disable",
    `--user=${wish.user.uid}:${wish.user.gid}`,
    // Without root podman makes us another user in the container.
    ...(wish.engine === "podman" && wish.user.uid !== 0 ? ["--userns=keep-id"] : []),
    ...(wish.memory === undefined ? [] : [`--memory=${wish.memory}`]),
    ...(wish.pids === undefined ? [] : [`--pids-limit=${wish.pids}`]),
    ...wish.variables.map((name) => `--env=${name}`),
    // As `--mount` it would be noexec, and builds run what they put there.
    "--tmpfs=/tmp:rw,exec,nosuid,nodev,mode=1777",
    ...inOrder(wish.mounts).map((mount) => `--mount=${mountFields(mount)}`),
    `--workdir=${wish.folder}`,
    `--entrypoint=${entry}`,
    wish.image,
    ...args,
  ];
}

function mountFields({ path, how }: Mount): string {
  if (how === "hide") return fields("type=tmpfs", `destination=${path}`);
  const bound = ["type=bind", `source=${path}`, `destination=${path}`];
  return fields(...bound, ...(how === "read" ? ["readonly"] : []));
}

/** A line of CSV, as both engines read it. */
function fields(...each: readonly string[]): string {
  return each.map((field) => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(",");
}
