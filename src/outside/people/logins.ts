import { isDeepStrictEqual } from "node:util";
import { ConfigError } from "../../config/config.ts";
import { liveConfig } from "../../config/live-config.ts";
import type { LoginChecks } from "./login-checks.ts";
import { LoginError } from "./login-error.ts";
import type { LoginProvider, LoginSettings } from "./login-provider.ts";
import { type People, personOf } from "./people.ts";
import { listPersonTokens, makePersonToken, revokePersonToken, tokenId } from "./tokens.ts";

/** How people log in to a panel, by the configuration as it is then (docs/people.md). */
export interface Logins {
  /** Where people log in; undefined: nowhere. */
  issuer(): string | undefined;
  /** As of LoginProvider. @throws LoginError; ConfigError */
  begin(redirectUri: string): ReturnType<LoginProvider["begin"]>;
  /**
   * @param callback the redirect URI with what the provider added
   * @returns a token of the person's, which ends after 12 hours
   * @throws LoginError; ConfigError
   */
  finish(callback: URL, checks: LoginChecks): Promise<string>;
  /** Ends the login that a token is of; a token that was made by a command stays. */
  end(token: string): void;
}

/** A working day, and its evening. */
const VALID_MS = 12 * 3_600_000;

export function loginsOf(readModelPath: string, now: () => number = Date.now): Logins {
  const config = liveConfig(readModelPath);
  let known: { readonly settings: LoginSettings; readonly provider: LoginProvider } | undefined;
  const provider = async () => {
    const settings = config().login;
    if (!settings) throw new LoginError("no_login", NO_LOGIN);
    if (!isDeepStrictEqual(known?.settings, settings)) {
      const { loginProvider } = await import("./login-provider.ts");
      known = { settings, provider: loginProvider(settings) };
    }
    return (known as NonNullable<typeof known>).provider;
  };
  return {
    issuer() {
      try {
        return config().login?.issuer;
      } catch (error) {
        if (error instanceof ConfigError) return undefined;
        throw error;
      }
    },
    begin: async (redirectUri) => (await provider()).begin(redirectUri),
    async finish(callback, checks) {
      const account = await (await provider()).finish(callback, checks);
      const person = personWithLogin(account, config());
      endExpired(readModelPath, now());
      return makePersonToken(readModelPath, { person, by: "login", now_ms: now(), valid_ms: VALID_MS }).token;
    },
    end(token) {
      const id = tokenId(token);
      const isLogin = listPersonTokens(readModelPath).some((one) => one.id === id && one.by === "login");
      if (isLogin) revokePersonToken(readModelPath, id);
    },
  };
}

const NO_LOGIN =
  "This panel has no login. Open it by the address that `signalbox serve` printed, or by an address with a token of yours.";

/** @returns the person's name. @throws LoginError: nobody has this login, or several have */
function personWithLogin(
  account: string,
  { people, login }: { readonly people: People; readonly login?: LoginSettings | undefined },
): string {
  const person = personOf(people, "login", account);
  // Addresses are compared in any case, subjects to the letter (OpenID Connect Core 1.0 §2).
  if (person !== undefined && (login?.claim !== "sub" || people[person]?.login === account)) return person;
  throw new LoginError(
    "unknown_person",
    `${login?.issuer} knows you as ${account}, and not exactly one person of this project has that login. Ask its owner to add "login": ${JSON.stringify(account)} to you under people in .ralph/config.json.`,
  );
}

/** So that their files do not pile up. */
function endExpired(readModelPath: string, now_ms: number): void {
  for (const { id, by, expires } of listPersonTokens(readModelPath))
    if (by === "login" && expires !== undefined && Date.parse(expires) <= now_ms)
      revokePersonToken(readModelPath, id);
}
