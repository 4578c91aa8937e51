/**
 * Whether some path could match both globs. `*` and `?` stay within one folder, `**` does not; `[...]` counts as `?`, and `{...}`
 * as anything. Each glob also stands for all that lies beneath what it matches: `src` for `src/a.ts`. Only in a name with an
 * extension nothing lies that the other one reaches by its `**`: all Markdown files are apart from `src/a.ts`.
 */
export function overlap(one: string, other: string): boolean {
  const [these, those] = [namesOf(one), namesOf(other)];
  const [left, right] = [partsOf(these, those), partsOf(those, these)];
  const seen = new Set<number>();
  /** How far a path may have come in both at once. */
  const open: [number, number][] = [[0, 0]];
  for (let place = open.pop(); place; place = open.pop()) {
    const [i, j] = place;
    const [a, b] = [left[i], right[j]];
    if (a === undefined && b === undefined) return true;
    const id = i * (right.length + 1) + j;
    if (seen.has(id)) continue;
    seen.add(id);
    // Such globs nobody writes: what cannot be told in time is kept apart.
    if (seen.size > MOST) return true;
    const [skipA, skipB] = [SKIPS.get(a ?? ""), SKIPS.get(b ?? "")];
    if (skipA !== undefined) open.push([i + skipA, j]);
    if (skipB !== undefined) open.push([i, j + skipB]);
    if (a !== undefined && b !== undefined && meet(a, b)) open.push([after(a, i), after(b, j)]);
  }
  return false;
}

/** Whether a path, whose signs are only signs, is one of a glob's, or lies beneath one. A glob's `[...]` may also be of a name, as in `[id].ts`. */
export function takesPath(glob: string, path: string): boolean {
  const name = literal(path, /[*?[\]{}]/g);
  return [glob, literal(glob, /[[\]]/g)].some((one) => overlap(one, name));
}

/** With such signs as characters that no name has. */
function literal(text: string, signs: RegExp): string {
  return text.replace(signs, (sign) => String.fromCharCode(0xe000 + sign.charCodeAt(0)));
}

const MOST = 50_000;

const ANY = "**";
/** A slash and anything after it, or nothing at all: an `ANY` follows it. */
const BENEATH = "/**";

/** How many parts a path may pass by without a character. */
const SKIPS: ReadonlyMap<string, number> = new Map([
  ["*", 1],
  [ANY, 1],
  [BENEATH, 2],
]);

function namesOf(glob: string): string[] {
  const names = withoutBraces(glob).split("/");
  return names.filter((name) => name !== "" && name !== ".");
}

/** Characters, each folder and file after a slash; and `?`, `*`, `ANY` and `BENEATH`, which are more than one character or never one. */
function partsOf(names: readonly string[], others: readonly string[]): string[] {
  const reach = others.findIndex((name) => name.includes(ANY));
  const isFile = /.\.[^.]+$/s.test(names.at(-1) ?? "") && reach !== -1 && reach < names.length;
  return [...names, ...(isFile ? [] : [ANY])].flatMap((name) =>
    /^\*\*+$/.test(name)
      ? [BENEATH, ANY]
      : ["/", ...(name.match(/\*+|\[[^\]]+\]|./gsu) ?? []).map((part) => wildcardOf(part) ?? part)],
  );
}

function wildcardOf(part: string): string | undefined {
  if (part.length > 1 && part.startsWith("[")) return "?";
  return part.startsWith("**") ? ANY : undefined;
}

/** With `**` for each outermost `{...}`; a brace that is not closed is a character. */
function withoutBraces(glob: string): string {
  let text = "";
  let depth = 0;
  let from = 0;
  for (let at = 0; at < glob.length; at++) {
    if (glob[at] === "{" && depth++ === 0) {
      text += glob.slice(from, at);
      from = at;
    } else if (glob[at] === "}" && depth > 0 && --depth === 0) {
      text += ANY;
      from = at + 1;
    }
  }
  return text + glob.slice(from);
}

/** Whether one character could be of both parts. */
function meet(a: string, b: string): boolean {
  if (a === ANY || b === ANY) return true;
  const isSlash = (part: string) => part === "/" || part === BENEATH;
  if (isSlash(a) || isSlash(b)) return isSlash(a) && isSlash(b);
  return a === b || [a, b].some((part) => part === "*" || part === "?");
}

function after(part: string, place: number): number {
  return part === "*" || part === ANY ? place : place + 1;
}
