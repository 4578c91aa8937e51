import { ConfigError } from "../../config/config.ts";
import { confirmedConfig } from "../../config/confirmed.ts";
import { personOf } from "../../outside/people/people.ts";
import { type Check, ok, type Place, warning } from "./check.ts";

const NAME = "login";

/** Whether people can log in at the OpenID provider (docs/people.md); nothing if none is configured. */
export const loginCheck: Check = {
  name: NAME,
  async look(place) {
    const config = trustedConfig(place);
    if (!config?.login) return [];
    const logins = Object.entries(config.people).flatMap(([name, { login }]) =>
      login ? [{ name, login }] : [],
    );
    const shared = logins.find(({ login }) => personOf(config.people, "login", login) === undefined);
    if (shared) {
      const found = `several people have the login ${shared.login}, so it lets in none of them`;
      return [warning(NAME, found, "Give each person a login of their own in .ralph/config.json.")];
    }
    // Its error is the finding, and says what to do.
    const { loginProvider } = await import("../../outside/people/login-provider.ts");
    await loginProvider(config.login).discover();
    if (logins.length === 0) {
      const found = "nobody has a login, so nobody can log in";
      return [warning(NAME, found, "Add `login` to people in .ralph/config.json.")];
    }
    return [
      ok(
        NAME,
        `${config.login.issuer} answers; ${logins.length} of ${Object.keys(config.people).length} people can log in`,
      ),
    ];
  },
};

/** Nobody is asked because of a configuration that no human has confirmed. */
function trustedConfig({ readModelPath, env }: Place) {
  try {
    return readModelPath === undefined ? undefined : confirmedConfig(readModelPath, env);
  } catch (error) {
    // The configuration's own check says it.
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}
