/** Reads CSV by RFC 4180, character by character; it knows nothing of how ours is written. @throws on what is no CSV */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let rest = text;
  while (rest !== "") {
    const [field, after] = rest.startsWith('"') ? quoted(rest) : plain(rest);
    row.push(field);
    if (after.startsWith(",")) rest = after.slice(1);
    else if (after.startsWith("\r\n")) {
      rows.push(row);
      row = [];
      rest = after.slice(2);
    } else throw new Error(`neither a comma nor the end of a line: ${JSON.stringify(after.slice(0, 20))}`);
  }
  if (row.length > 0) throw new Error("the last line has no end");
  return rows;
}

function plain(text: string): [string, string] {
  const end = text.search(/[,\r\n"]/);
  if (end < 0 || text[end] === '"') throw new Error(`a quote within, or no end: ${text.slice(0, 20)}`);
  return [text.slice(0, end), text.slice(end)];
}

function quoted(text: string): [string, string] {
  let field = "";
  for (let index = 1; index < text.length; index++) {
    if (text[index] !== '"') field += text[index];
    else if (text[index + 1] === '"') {
      field += '"';
      index++;
    } else return [field, text.slice(index + 1)];
  }
  throw new Error("a quote that nothing closes");
}
