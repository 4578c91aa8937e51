import { expect, test } from "vitest";
import { maskedBeginning, maskSecrets, secretValues } from "../src/lib/mask-secrets.ts";

/* Tokens are put together here, so that no scanner takes them for real ones. */
test.each([
  ["a GitHub token", `push with ${"ghp_"}${"a1".repeat(18)}.`, "push with [masked]."],
  ["an API key", `key ${"sk-"}ant-api03-${"x9".repeat(20)}`, "key [masked]"],
  ["an AWS key", `id ${"AKIA"}ABCDEFGHIJKLMNOP ends`, "id [masked] ends"],
  ["a password in a URL", "postgres://ada:hunter2@db:5432/x", "postgres://ada:[masked]@db:5432/x"],
  ["an authorization header", "Authorization: Bearer abcdefghij0123456789", "Authorization: Bearer [masked]"],
  ["an assignment", "DB_PASSWORD=correct-horse next", "DB_PASSWORD=[masked] next"],
  ["an assignment in lower case", "db_password=hunter2!hunter2 x", "db_password=[masked] x"],
  ["a field of YAML", "password: hunter2hunter2\nuser: ada", "password: [masked]\nuser: ada"],
  ["a short name", "DB_PASS=hunter2hunter2 next", "DB_PASS=[masked] next"],
  ["an address with a key", "SENTRY_DSN=https://abc123@sentry.example/1", "SENTRY_DSN=[masked]"],
  ["a field of JSON", '{"apiKey": "abcdefgh1234"}', '{"apiKey": "[masked]"}'],
  ["a field of JSON in JSON", '{\\"password\\":\\"abcdefgh\\"}', '{\\"password\\":\\"[masked]\\"}'],
  [
    "a private key, also without its end",
    "a -----BEGIN RSA PRIVATE KEY-----\nMIIE\nxyz",
    "a -----BEGIN RSA PRIVATE KEY-----[masked]",
  ],
])("%s is masked", (_what, text, masked) => {
  expect(maskSecrets(text)).toBe(masked);
});

test.each([
  "API_KEY = process.env.API_KEY",
  "TOKEN=$GITHUB_TOKEN",
  "password = readPassword(prompt)",
  "const secret = secrets[name]",
  "PASS: test/first.test.ts",
  "the token: string of a parser",
  "const key = keyOf(index)",
  "https://example.org:8080/a?b=c#d",
  "commit 3f2a0c6f5d0b7c5e9a1d4b8e7f60213c4d5e6f70",
])("%s is no secret", (text) => {
  expect(maskSecrets(text)).toBe(text);
});

test("values of secret variables are masked wherever they are, also within JSON", () => {
  const values = secretValues({
    MY_TOKEN: 'pass"word-1',
    DB_PASSWORD: "short",
    HOME: "/home/ada-lovelace",
    SSH_AUTH_SOCK: "/tmp/agent.sock",
    APP_CREDENTIALS: import.meta.filename,
    SIGNING_KEY: "/q0xJ9sd2Kd8s+fk==",
    MONKEY: "not-a-secret-at-all",
  });
  expect(maskSecrets('it is pass"word-1, or "pass\\"word-1"', values)).toBe('it is [masked], or "[masked]"');
  expect(maskSecrets("it is /q0xJ9sd2Kd8s+fk==", values)).toBe("it is [masked]");
  expect(maskSecrets(import.meta.filename, values)).toBe(import.meta.filename);
  expect(maskSecrets("/tmp/agent.sock short not-a-secret-at-all", values)).toBe(
    "/tmp/agent.sock short not-a-secret-at-all",
  );
});

test("the beginning of a text never ends in a part of a secret", () => {
  const token = `ghp_${"a1".repeat(18)}`;
  const text = `${`${token} `.repeat(100)}${"-".repeat(300)}${`x ${token}`.repeat(200)}`;
  for (let limit = 0; limit < 6_000; limit += 7) {
    const beginning = maskedBeginning(text, limit);
    expect(beginning.text.length).toBeLessThanOrEqual(limit);
    expect(beginning.text).not.toContain("ghp_");
  }
  expect(maskedBeginning("short", 10)).toEqual({ text: "short", cut: 0 });
  expect(maskedBeginning("y".repeat(9_000), 1_000)).toEqual({ text: "y".repeat(1_000), cut: 8_000 });
});
