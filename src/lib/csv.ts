/** A cell's value; null is empty. */
export type CsvCell = string | number | null;

/**
 * Lines of CSV (RFC 4180), each with its CRLF. A text that a spreadsheet would treat as a formula
 * gets an apostrophe in front, which marks it as text.
 */
export function csvLines(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");
}

function csvCell(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Spreadsheets ignore blanks before it, and accept full-width forms of these characters. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;
