import { type AddressInfo, isIP } from "node:net";
import { networkInterfaces } from "node:os";

/** Where a server that listens can be reached. */
export interface Hosts {
  /** For a person to open, each as an address has it (`127.0.0.1:4100`): of a server that listens everywhere one for each interface. */
  readonly printed: readonly string[];
  /** All by which a browser may ask it: never a name that somebody else decides on. */
  readonly known: readonly string[];
  /** True where no other machine can reach it. */
  readonly isLocal: boolean;
}

/** @param asked what it was told to listen on, which may be a name */
export function hostsOf({ address, port }: Pick<AddressInfo, "address" | "port">, asked: string): Hosts {
  // An IPv4 address that is written as one of IPv6 is reached as what it is.
  const bound = address.replace(/^::ffff:(?=\d+\.)/i, "");
  const addresses = bound === "0.0.0.0" || bound === "::" ? ownAddresses(bound) : [bound];
  const toHost = (name: string) => new URL(`http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`).host;
  const printed = addresses.map(toHost);
  const names = [address, asked, ...LOOPBACK].filter((name) => !EVERYWHERE.has(name));
  return {
    printed,
    known: [...new Set([...printed, ...names.map(toHost)])],
    isLocal: isLoopback(bound),
  };
}

const LOOPBACK = ["localhost", "127.0.0.1", "::1"];
const EVERYWHERE: ReadonlySet<string> = new Set(["0.0.0.0", "::", "0"]);

function isLoopback(address: string): boolean {
  return address === "::1" || /^127\./.test(address);
}

/** The addresses of this machine that a browser can open: one of a link (`fe80::…`) needs to be told which. This machine's own comes first. */
function ownAddresses(everywhere: "0.0.0.0" | "::"): string[] {
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, address }) => (family === "IPv4" || everywhere === "::") && !/^fe80:/i.test(address))
    .map(({ address }) => address);
  return [...own.filter(isLoopback), ...own.filter((address) => !isLoopback(address))];
}
