import { type AgentProgram, ConfigError, clients, type Sandboxing } from "./core.ts";

/** What an agent's client needs of the outside. */
export interface Needs {
  /** Each as `host:port`, in small letters. */
  readonly hosts: readonly string[];
  /** Names of environment variables. */
  readonly variables: readonly string[];
}

/**
 * The hosts that an agent may reach, and the variables that it gets: those of its client's model, also
 * behind another address, and those of the configuration.
 *
 * @throws ConfigError: an address without TLS, to which the proxy passes nothing on
 */
export function needsOf(program: AgentProgram, settings: Sandboxing, env: NodeJS.ProcessEnv): Needs {
  const client = program.kind === "command" ? undefined : clients[program.kind].sandbox;
  const { baseUrl } = client ?? {};
  const addresses = baseUrl !== undefined && env[baseUrl] ? [baseUrl] : [];
  const hosts = [
    ...(client?.hosts ?? []),
    ...addresses.map((name) => hostIn(name, env[name] ?? "")),
    ...settings.hosts,
  ];
  return {
    hosts: [...new Set(hosts.map((host) => (/:\d+$/.test(host) ? host : `${host}:443`)))],
    variables: [...new Set([...(client?.variables ?? []), ...addresses, ...settings.environment])],
  };
}

function hostIn(variable: string, address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === "https:") return `${url.hostname}:${url.port || 443}`;
  throw new ConfigError(
    `${variable} is "${address}", which an agent in a sandbox cannot reach: its proxy passes on TLS alone. Set it to an address that begins with https://.`,
  );
}
