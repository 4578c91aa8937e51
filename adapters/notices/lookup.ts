import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { isPublic } from "./addresses.ts";
import { ChannelError } from "./core.ts";

interface Address {
  readonly address: string;
  readonly family: number;
}

/** The addresses of a host name. @throws Error from the system */
export type Resolve = (host: string) => Promise<readonly Address[]>;

const bySystem: Resolve = (host) => lookup(host, { all: true });

/**
 * What a connection asks for its address, so that what is checked is what it connects to, whatever the name means a moment later. A host
 * that is an address itself is asked for nowhere, and is checked at once.
 *
 * @param isPrivate allows addresses inside
 * @throws ChannelError: the host is an address inside
 */
export function checkedLookup({ hostname }: URL, isPrivate: boolean, resolve = bySystem): LookupFunction {
  const itself = hostname.replace(/^\[|\]$/g, "");
  if (isIP(itself)) checkAddresses(itself, [itself], isPrivate);
  return (host, options, callback) => {
    resolve(host)
      .then((found) => {
        const wanted = found.filter(({ family }) => !options.family || options.family === family);
        checkAddresses(
          host,
          wanted.map(({ address }) => address),
          isPrivate,
        );
        const [first] = wanted;
        if (!first) throw new Error(`${host} has no address`);
        if (options.all) callback(null, [...wanted]);
        else callback(null, first.address, first.family);
      })
      .catch((error) => callback(error, "", 0));
  };
}

/** One address inside is enough to refuse: which of them a connection takes is chance. */
function checkAddresses(host: string, addresses: readonly string[], isPrivate: boolean): void {
  const inside = isPrivate ? undefined : addresses.find((address) => !isPublic(address));
  if (inside === undefined) return;
  throw new ChannelError(
    `${host} is ${inside === host ? "an address" : `at ${inside}, which is`} inside this machine or network. Set "private": true for the channel if that is right.`,
    { isFinal: true },
  );
}
