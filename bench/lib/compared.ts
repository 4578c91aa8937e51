import { formatRatio, type Section } from "./report.ts";

/**
 * The results of a bench on two sides, as one table: each quantity that both have, the mean of its runs, and the ratio.
 *
 * @param sides in the order of their columns
 */
export function compared(
  sides: readonly { readonly name: string; readonly runs: readonly Section[] }[],
): Section {
  const [then, now] = sides.map(({ runs }) => runs.map(quantitiesIn));
  const [title = "", how = ""] = [sides[1]?.runs[0]?.title, sides[1]?.runs[0]?.how];
  const rows = [...(now?.[0]?.entries() ?? [])].flatMap(([what, { unit }]) => {
    const [before, after] = [meanOf(then, what), meanOf(now, what)];
    if (before === undefined || after === undefined) return [];
    return [[what, shown(before, unit), shown(after, unit), formatRatio(after / before)]];
  });
  return { title, how, columns: ["", ...sides.map(({ name }) => name), "×"], rows };
}

/** Columns whose numbers say what was measured. */
const NAMES: ReadonlySet<string> = new Set(["", "events"]);
const RATIOS_AND_RUNS = /×|^runs$/;

interface Quantity {
  /** In the unit's base: ms, MB, …. */
  readonly value: number;
  readonly unit: string;
}

/** Each cell of a table that is a quantity, by its row and column; no ratio, and no count of runs. */
function quantitiesIn({ columns, rows }: Section): Map<string, Quantity> {
  const found = new Map<string, Quantity>();
  for (const row of rows) {
    const cells = row.map((text, index) => {
      const column = columns[index] ?? "";
      return { text, column, quantity: NAMES.has(column) ? undefined : quantityOf(text) };
    });
    const first = cells.findIndex(({ quantity }) => quantity);
    const name = cells.slice(0, first).map(({ text }) => text);
    for (const { column, quantity } of cells) {
      if (!quantity || RATIOS_AND_RUNS.test(column)) continue;
      const what = [...name, column].join(", ");
      if (found.has(what)) throw new Error(`The bench has two figures for "${what}".`);
      found.set(what, quantity);
    }
  }
  return found;
}

/** Of `1.49 ms`, `3,748`, `12 MB`. */
function quantityOf(text: string): Quantity | undefined {
  const [, number, unit = ""] = /^(-?[\d,]*\.?\d+)(?: ([^\d\s]+))?$/.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  const [factor, base] = UNITS[unit] ?? [1, unit];
  return { value: Number(number.replaceAll(",", "")) * factor, unit: base };
}

const UNITS: Readonly<Record<string, readonly [factor: number, base: string]>> = {
  µs: [0.001, "ms"],
  s: [1_000, "ms"],
  KB: [0.001, "MB"],
  GB: [1_000, "MB"],
};

function meanOf(runs: readonly Map<string, Quantity>[] | undefined, what: string): number | undefined {
  const values = (runs ?? []).flatMap((run) => run.get(what)?.value ?? []);
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function shown(value: number, unit: string): string {
  return `${Number(value.toPrecision(3)).toLocaleString("en-US", { maximumSignificantDigits: 3 })}${unit && ` ${unit}`}`;
}
