import { readFileSync } from "node:fs";
import { packagePath } from "./package-root.ts";

export const version: string = JSON.parse(readFileSync(packagePath("package.json"), "utf8")).version;
