/**
 * Reads CSV with a header row.
 *
 * @param {string} text
 * @param {{ separator?: string }} [options] separator: one character, by default a comma
 * @returns {Record<string, string>[]} an object for each row, with the fields named by the header
 * @throws {Error} if a row has more or fewer fields than the header
 */
export function parse(text, options) {
  const [header = [], ...rows] = parseRows(text, options);
  return rows.map((row, index) => {
    if (row.length !== header.length) {
      throw new Error(`Row ${index + 1} has ${row.length} fields, the header has ${header.length}.`);
    }
    return Object.fromEntries(header.map((name, column) => [name, row[column]]));
  });
}

/**
 * Reads CSV without a meaning for its first row.
 *
 * @param {string} text
 * @param {{ separator?: string }} [options]
 * @returns {string[][]} the fields of each row; empty lines are no rows
 * @throws {Error} if a quoted field does not end
 */
export function parseRows(text, { separator = "," } = {}) {
  const rows = [];
  let row = [];
  let field = "";
  let quoted = false;

  const endField = () => {
    row.push(field);
    field = "";
  };
  const endRow = () => {
    endField();
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  };

  for (const character of text) {
    if (quoted) {
      if (character === '"') quoted = false;
      else field += character;
    } else if (character === '"') {
      quoted = true;
    } else if (character === separator) {
      endField();
    } else if (character === "\n") {
      endRow();
    } else {
      field += character;
    }
  }
  if (quoted) throw new Error("A quoted field does not end.");
  endRow();
  return rows;
}
