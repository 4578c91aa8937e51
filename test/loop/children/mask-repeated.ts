import { maskSecrets } from "../../../src/lib/mask-secrets.ts";

/* Masks 200,000 characters of each given text, repeated, and says so. */
for (const text of process.argv.slice(2)) {
  maskSecrets(text.repeat(Math.ceil(200_000 / text.length)));
  console.log(text);
}
