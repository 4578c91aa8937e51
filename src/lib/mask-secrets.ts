import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { PRIVATE_KEY_BEGINNING } from "./private-key.ts";

/**
 * A text without the secrets that are recognised in it: private keys, tokens of known forms,
 * passwords in URLs, values that are named as a secret, and the given values.
 *
 * @param values secrets that are known, such as `secretValues` of the environment
 */
export function maskSecrets(text: string, values: readonly string[] = []): string {
  const known = values.reduce((masked, value) => masked.replaceAll(value, MASK), text);
  const unkeyed = known.replace(PRIVATE_KEY, `$1${MASK}`).replace(TOKEN, MASK);
  return unkeyed
    .replace(ASSIGNED, `$1${MASK}`)
    .replace(PASSWORD, `$1${MASK}`)
    .replace(URL_PASSWORD, `$1${MASK}@`)
    .replace(AUTHORIZATION, `$1${MASK}`)
    .replace(QUOTED, `$1${MASK}$2`);
}

/**
 * The beginning of a text, its secrets masked; reads not much more than `limit` characters. A
 * secret that reaches over the end of what is read is not recognised: that end is never shown.
 */
export function maskedBeginning(
  text: string,
  limit: number,
  values: readonly string[] = [],
): { readonly text: string; readonly cut: number } {
  const masked = maskSecrets(text.slice(0, limit + MARGIN), values);
  const unread = Math.max(0, text.length - limit - MARGIN);
  const end = unread > 0 ? Math.max(0, Math.min(limit, masked.length - MARGIN)) : limit;
  return { text: masked.slice(0, end), cut: Math.max(0, masked.length - end) + unread };
}

/** The values of the variables whose names say that they are secret, the longest first. */
export function secretValues(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const values = Object.entries(environment).flatMap(([name, value = ""]) =>
    SECRET_NAME.test(name) && value.length >= SHORTEST_VALUE && !isPath(name, value) ? [value] : [],
  );
  const forms = values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** Of a file with the secret, not the secret; one in base64 may begin with a slash, too. */
function isPath(name: string, value: string): boolean {
  return isAbsolute(value) && (PATH_NAME.test(name) || existsSync(value));
}

/** Stands for a secret. */
const MASK = "[masked]";

const SECRET_NAME =
  /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|PASSPHRASE|CREDENTIALS?|AUTH|PAT|DSN)(?:_|$)/i;
const PATH_NAME = /_(?:SOCK|SOCKET|FILE|PATH|DIR)$/i;
/** Shorter values occur by chance. */
const SHORTEST_VALUE = 8;

/** Longer than a secret, in characters. */
const MARGIN = 4_000;

/*
 * Each pattern takes linear time: where a long repetition may fail, the pattern begins at most once
 * in what it has read.
 */
const PRIVATE_KEY = new RegExp(
  `(${PRIVATE_KEY_BEGINNING.source})[\\s\\S]*?(?:-----END [A-Z0-9 ]{1,60}-----|(?=-----END)|$)`,
  "g",
);
const TOKEN = new RegExp(
  [
    /\bsk-[A-Za-z0-9_-]{20,}/,
    /\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{16,}/,
    /\bgh[pousr]_[A-Za-z0-9]{30,}/,
    /\bgithub_pat_[A-Za-z0-9_]{30,}/,
    /\bglpat-[A-Za-z0-9_-]{20,}/,
    /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/,
    /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
    /\bAIza[A-Za-z0-9_-]{35}/,
    /\bya29\.[A-Za-z0-9_-]{20,}/,
    /\bnpm_[A-Za-z0-9]{36}/,
    /\bpypi-[A-Za-z0-9_-]{40,}/,
    /\bhf_[A-Za-z0-9]{30,}/,
    // At the beginning of a run only: elsewhere in a long run without a dot it would begin often.
    /(?<![\w-])eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);
const URL_PASSWORD = /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/?#@"'<>]{0,200}:)[^\s/?#@"'<>]{1,500}@/gi;
const AUTHORIZATION = /\b((?:Bearer|Basic|token) +)[A-Za-z0-9+/=_.~-]{16,}/gi;
/** `"password": "…"`, `apiKey: '…'`. */
const QUOTED =
  /((?:password|passwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)\\?["']?\s{0,3}[:=]\s{0,3}\\?["'])[^"'\s\\]{8,500}(\\?["'])/gi;
/** A value without quotes; not what code reads from elsewhere: `$KEY`, `process.env.KEY`, `keyOf(…)`. */
const VALUE =
  /(?!process\.|os\.|import\.|env\.|this\.|undefined\b|\/\/|[\w.]{1,80}[([])[^\s"'`,;&(){}[\]<>$\\]{8,}/
    .source;
/** `DB_PASSWORD=…`, `SENTRY_DSN=…`. */
const ASSIGNED = new RegExp(
  `\\b((?:[A-Z0-9]{1,40}_){0,6}(?:(?:KEY|TOKEN)(?:_[A-Z0-9]{1,40}){0,3} ?[=:]|(?:PASS|PAT|DSN)=) ?)${VALUE}`,
  "g",
);
/** `db_password=…`, `password: …` in YAML. */
const PASSWORD = new RegExp(
  `((?:password|passwd|passphrase|secret)(?:[_-][a-z0-9]{1,40}){0,3} ?[=:] ?)${VALUE}`,
  "gi",
);
