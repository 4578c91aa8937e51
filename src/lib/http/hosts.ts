import { type AddressInfo, isIP } from "node:net";
import { networkInterfaces } from "node:os";

/** Where a listening server can be reached. */
export interface Hosts {
  /** Hosts to print, such as `127.0.0.1:4100`; one per interface if it listens on all of them. */
  readonly printed: readonly string[];
  /** The allowed values of `Host`: never a name that someone else controls. */
  readonly known: readonly string[];
}

/**
 * @param asked the host that it was told to listen on, which may be a name
 * @param scheme by which it is asked: without its port where that is the usual one
 */
export function hostsOf(
  { address, port }: Pick<AddressInfo, "address" | "port">,
  asked: string,
  scheme: "http" | "https" = "http",
): Hosts {
  // An IPv4-mapped IPv6 address is reached as IPv4.
  const bound = address.replace(/^::ffff:(?=\d+\.)/i, "");
  const addresses = bound === "0.0.0.0" || bound === "::" ? ownAddresses(bound) : [bound];
  const toHost = (name: string) =>
    new URL(`${scheme}://${isIP(name) === 6 ? `[${name}]` : name}:${port}`).host;
  const printed = addresses.map(toHost);
  const names = [address, asked, ...LOOPBACK].filter((name) => !EVERYWHERE.has(name));
  return {
    printed,
    known: [...new Set([...printed, ...names.map(toHost)])],
  };
}

const LOOPBACK = ["localhost", "127.0.0.1", "::1"];
const EVERYWHERE: ReadonlySet<string> = new Set(["0.0.0.0", "::", "0"]);

/** True for an address or a name that no other machine can reach. */
export function isLoopback(address: string): boolean {
  return address === "::1" || address === "localhost" || /^127(\.\d+){1,3}$/.test(address);
}

/** The same for a host with its port, as `Host` has it. */
export function isLoopbackHost(host: string): boolean {
  return (
    URL.canParse(`http://${host}`) && isLoopback(new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, ""))
  );
}

/** This machine's addresses, loopback first, without link-local ones: browsers cannot open these. */
function ownAddresses(everywhere: "0.0.0.0" | "::"): string[] {
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, address }) => (family === "IPv4" || everywhere === "::") && !/^fe80:/i.test(address))
    .map(({ address }) => address);
  return [...own.filter(isLoopback), ...own.filter((address) => !isLoopback(address))];
}
