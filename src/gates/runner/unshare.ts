import { realpathSync } from "node:fs";
import type { Place } from "./place.ts";

/** Uses `unshare` of util-linux and a shell script in place of bubblewrap. */
export function unshareArguments(
  unshare: string,
  { folder, writable, readOnly, hidden = [] }: Place,
  command: string,
): string[] {
  const { getuid, getgid } = process;
  return [
    ...["--user", "--map-root-user", "--mount", "--net", "--pid", "--ipc"],
    ...["--fork", "--kill-child", "--mount-proc"],
    ...["--", "/bin/sh", "-c", ISOLATE, "sh"],
    ...[
      String(getuid?.()),
      String(getgid?.()),
      realpathSync(unshare),
      writable,
      readOnly ?? "",
      folder,
      command,
      ...hidden,
    ],
  ];
}

/*
 * The shell that reads this is the first process of its namespace: when it ends, all others end. It
 * is root in a user namespace; the command runs in a nested one, as the current user, and cannot
 * undo anything done here. Mounts keep their options, since those set by others must stay. `-n`,
 * since mount's table is not writable.
 */
const ISOLATE = `
set -eu
uid=$1 gid=$2 unshare=$3 writable=$4 readonly=$5 folder=$6 command=$7
path=\${PATH-/usr/bin:/bin}
PATH=/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin

mount -n --rbind "$writable" "$writable"
[ -z "$readonly" ] || mount -n --rbind "$readonly" "$readonly"
exec 3<"$writable"
while read -r _ _ _ _ escaped options _; do
  point=$(printf %b "$escaped")
  case $point/ in
    "\${readonly:-//}"/*) ;;
    "$writable"/* | /dev/* | /proc/* | /tmp/?*) continue ;;
  esac
  # A point that is not there lies below another mount, and nobody can get at it.
  mount -n -o "remount,bind,$options,ro" none "$point" 2>/dev/null || [ ! -e "$point" ] || {
    echo "$point cannot be made read-only" >&2
    exit 1
  }
done </proc/self/mountinfo

mount -n -t tmpfs -o mode=755 none /tmp
for device in null zero full random urandom tty; do
  : >"/tmp/$device"
  mount -n --bind "/dev/$device" "/tmp/$device"
done
mkdir /tmp/pts
mount -n -t devpts -o newinstance,ptmxmode=0666,mode=620 none /tmp/pts
ln -s pts/ptmx /tmp/ptmx
ln -s /proc/self/fd /tmp/fd
ln -s /proc/self/fd/0 /tmp/stdin
ln -s /proc/self/fd/1 /tmp/stdout
ln -s /proc/self/fd/2 /tmp/stderr
mkdir -m 1777 /tmp/shm
mount -n --move /tmp /dev
mount -n -t tmpfs -o mode=1777,nosuid,nodev none /tmp

# By these root would reach the system's kernel.
for part in sys sysrq-trigger irq bus; do
  [ -e "/proc/$part" ] || continue
  mount -n --bind "/proc/$part" "/proc/$part"
  mount -n -o remount,bind,ro none "/proc/$part"
done

# It may lie in what is hidden by now.
mkdir -p "$writable"
mount -n -c --rbind /proc/self/fd/3 "$writable"
exec 3<&-
shift 7
for file; do
  [ ! -e "$file" ] || mount -n --bind /dev/null "$file"
done
ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null || :
cd "$folder"
PATH=$path "$unshare" --user --map-user="$uid" --map-group="$gid" -- /bin/sh -c -- "$command" || exit $?
`;
