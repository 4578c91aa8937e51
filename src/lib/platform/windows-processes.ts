import type { Platform, ProcessEntry } from "./platform.ts";
import { shownIn } from "./windows-launcher.ts";

/**
 * What Windows tells of its processes. A group is what a launcher of ours has started; of environments only that which
 * launchers show can be read.
 *
 * @param ask runs a PowerShell script and returns its output, which takes most of a second
 */
export function processesBy(ask: (script: string) => string): Platform["processes"] {
  const kept = new Map<number, { readonly entry: ProcessEntry; readonly at_ms: number }>();
  const rows = (filter = ""): readonly Row[] => {
    try {
      const told: unknown = JSON.parse(ask(script(filter)));
      return Array.isArray(told) ? told.filter(isRow) : [];
    } catch {
      return [];
    }
  };
  return {
    table: () => withGroups(rows()),
    entry(pid) {
      const known = kept.get(pid);
      const now_ms = performance.now();
      if (known && (pid === process.pid || now_ms - known.at_ms < KEPT_MS)) return known.entry;
      const [entry] = withGroups(rows(` -Filter "ProcessId = ${pid}"`));
      if (entry) kept.set(pid, { entry, at_ms: now_ms });
      else kept.delete(pid);
      return entry;
    },
    variables(name) {
      let values: ReadonlyMap<number, string> | undefined;
      return (pid) => {
        values ??= valuesIn(rows(), name);
        return values.get(pid);
      };
    },
    // Its processes' times are absolute.
    boot: () => "UTC",
    namespace: () => undefined,
  };
}

/** Signs of life are looked at often, and a process's beginning does not change. */
const KEPT_MS = 30_000;

interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly name: string | null;
  /** In milliseconds since 1970; null for the system's own. */
  readonly began: number | null;
  readonly line: string | null;
}

/** What the script prints; nothing else decides over its fields. */
function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && "pid" in value && typeof value.pid === "number";
}

const script = (filter: string) => `
$ProgressPreference = 'SilentlyContinue'
[Console]::OutputEncoding = [Text.Encoding]::UTF8
$epoch = [datetime]::SpecifyKind('1970-01-01', 'Utc')
$rows = @(Get-CimInstance Win32_Process${filter} | ForEach-Object {
  $began = if ($_.CreationDate) { [long]($_.CreationDate.ToUniversalTime() - $epoch).TotalMilliseconds }
  @{ pid = $_.ProcessId; parent = $_.ParentProcessId; name = $_.Name; began = $began; line = $_.CommandLine }
})
ConvertTo-Json -Compress -InputObject $rows
`;

function withGroups(rows: readonly Row[]): ProcessEntry[] {
  const leaderOf = leadersIn(rows);
  return rows.map(({ pid, parent, name, began }) => ({
    ...{ pid, parent, group: leaderOf(pid)?.pid ?? 0, session: 0 },
    ...{ name: name ?? "", began: String(began ?? 0), ended: false },
  }));
}

function valuesIn(rows: readonly Row[], name: string): ReadonlyMap<number, string> {
  const leaderOf = leadersIn(rows);
  return new Map(
    rows.flatMap(({ pid }) => {
      const value = shownIn(leaderOf(pid)?.line ?? "")?.[name];
      return value === undefined ? [] : [[pid, value] as const];
    }),
  );
}

/** Finds the launcher among a process and its ancestors. A parent that began later has a reused number. */
function leadersIn(rows: readonly Row[]): (pid: number) => Row | undefined {
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  return (pid) => {
    for (let row = byPid.get(pid), steps = 0; row && steps < rows.length; steps++) {
      if (shownIn(row.line ?? "")) return row;
      const parent = byPid.get(row.parent);
      row = parent && (parent.began ?? 0) <= (row.began ?? 0) ? parent : undefined;
    }
    return undefined;
  };
}
