import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";

/** So many lines are read without scrolling. */
const LINES = 70;

/**
 * The functions that were longer when the limit came, with their lines. Shorten one, and lower its number here or strike it out;
 * add none.
 */
const LONGER = [
  "CARDS 120",
  "CardList 97",
  "Changes 79",
  "Combobox 88",
  "Filters 84",
  "Form 159",
  "Loaded 150",
  "Log 92",
  "LoopDetails 73",
  "RECENT_ACTS 142",
  "SessionRow 76",
  "Stream 92",
  "Summary 87",
  "TimeBar 164",
  "Waiting 121",
  "Windowed 91",
  "addRun 91",
  "addServers 138",
  "answering 80",
  "asServerError 85",
  "brainDumpRows 284",
  "claimTask 73",
  "createApp 109",
  "createServer 80",
  "functions 129",
  "github 93",
  "gitlab 93",
  "listenAt 95",
  "loginProvider 97",
  "makeResult 71",
  "notify 104",
  "openHttpSessions 100",
  "openMemoryLog 149",
  "openRows 77",
  "openSandbox 79",
  "openVersionRows 74",
  "orderBy 111",
  "plot 106",
  "prepareWriter 89",
  "requestOf 192",
  "show 87",
  "shownOf 189",
  "takeFunction 160",
  "tellingOn 153",
  "treesIn 81",
  "windows 71",
];

test(`no function is longer than ${LINES} lines, but for a list that only becomes shorter`, () => {
  const folders = ["src", "adapters"].map((name) => packagePath(name));
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => join(folder, file)),
  );
  expect(files.length).toBeGreaterThan(900);
  const long = files.flatMap((file) => longFunctions(readFileSync(file, "utf8")));
  expect(long.sort()).toEqual(LONGER);
});

test("a long function is found, whatever its kind, and one around it does not hide it", () => {
  const body = "\n  call();".repeat(LINES);
  const text = `function outer() {\n  const inner = () => {${body}\n  };\n}\nclass A {\n  method() {${body}\n  }\n}\n`;
  expect(longFunctions(text)).toEqual(["outer 74", "inner 72", "method 72"]);
  expect(longFunctions("const short = () => 1;")).toEqual([]);
});

/** Name and lines of each function of a file that is too long. */
function longFunctions(text: string): string[] {
  if (text.split("\n").length <= LINES) return [];
  const source = ts.createSourceFile("file.tsx", text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) {
      const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line;
      const lines = lineOf(node.end) - lineOf(node.getStart(source)) + 1;
      if (lines > LINES) found.push(`${nameOf(node)} ${lines}`);
    }
    ts.forEachChild(node, look);
  };
  look(source);
  return found;
}

/** Its own name, or what it is given to. */
function nameOf(node: ts.Node): string {
  for (let at = node; at.parent; at = at.parent) {
    const { name } = at as { name?: ts.Node };
    if (name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) return name.text;
    if (ts.isConstructorDeclaration(at)) return "constructor";
  }
  return "";
}
