import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { builtPath } from "./core.ts";
import type { Encoded } from "./encoding.ts";

/** The files of the built page by URL path. */
export type PageFiles = ReadonlyMap<string, PageFile>;

interface PageFile {
  readonly body: Encoded;
  readonly type: string;
}

/** @throws Error: the page was not built */
export function readPageFiles(folder = builtPath("web")): PageFiles {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".gz"))
    .map((name) => name.slice(0, -".gz".length));
  const read = (name: string) => new Uint8Array(readFileSync(join(folder, name)));
  return new Map(
    names.map((name) => {
      // The build leaves each file compressed, and nothing else (scripts/compress-page.mjs).
      const gzip = read(`${name}.gz`);
      const body = {
        gzip,
        // Hardly any client asks for it.
        get identity() {
          return new Uint8Array(gunzipSync(gzip));
        },
      };
      return [`/${name.replaceAll("\\", "/")}`, { body, type: typeOf(name) }];
    }),
  );
}

function typeOf(name: string): string {
  const type = TYPES[extname(name)];
  if (type === undefined) throw new Error(`The panel cannot serve web/${name}: its file type is unknown.`);
  return type;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};
