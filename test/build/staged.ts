import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A build in `dist/` that is not exchanged yet. Its program prints the name, from a chunk that it loads when it is asked to. */
export function staged(dist: string, name: string): string {
  mkdirSync(dist, { recursive: true });
  const staging = mkdtempSync(join(dist, "new-"));
  for (const part of ["program", "library"]) mkdirSync(join(staging, part));
  const chunk = `chunk-${name}.cjs`;
  writeFileSync(
    join(staging, "program", "start.cjs"),
    `exports.main = async () => require("./${chunk}").name;`,
  );
  writeFileSync(join(staging, "program", chunk), `exports.name = "${name}";`);
  // Long enough that its reading and writing takes a while.
  for (const file of ["index.js", "index.d.ts", "signalbox-verify.js"]) {
    writeFileSync(join(staging, "library", file), `// ${name}\n`.repeat(10_000));
  }
  writeFileSync(join(staging, "THIRD-PARTY-LICENSES"), "");
  return staging;
}
