// bundle <script> <to>: bundles a script into one file that plain node runs. A process of its own gives back the memory of the bundler.
import { build } from "rolldown";

const [input = "", file = ""] = process.argv.slice(2);
await build({
  input,
  platform: "node",
  external: ["better-sqlite3", "pg"],
  output: { file, format: "esm", codeSplitting: false },
  logLevel: "warn",
});
