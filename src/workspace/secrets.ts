import { basename } from "node:path";
import { PRIVATE_KEY_BEGINNING } from "../lib/private-key.ts";

/** Why a file looks like a secret by its name; undefined if it does not. */
export function secretByName(path: string): string | undefined {
  const name = basename(path).toLowerCase();
  if (SAMPLE.test(name)) return undefined;
  return SECRET_NAMES.some((pattern) => pattern.test(name)) ? "its name looks like a secret" : undefined;
}

/** The same by its content. */
export function secretByContent(content: string): string | undefined {
  return PRIVATE_KEY_BEGINNING.test(content) ? "it contains a private key" : undefined;
}

/** Public on purpose: `.env.example`. */
const SAMPLE = /(?:^|[._-])(?:example|sample|template|dist)(?:$|\.)/;

const SECRET_NAMES = [
  /^\.env(?:\.|$)/,
  /\.env$/,
  /\.(?:pem|p12|pfx|key|jks|keystore|ppk|kdbx)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /^(?:client_)?(?:credentials?|secrets?)(?:\.(?:json|ya?ml|toml|ini|txt))?$/,
  /^service[-_]account.*\.json$/,
  /^\.(?:netrc|pgpass|htpasswd|npmrc|pypirc|git-credentials)$/,
];
