import { BlockList, isIPv4 } from "node:net";

/**
 * True for an address that anybody on the internet can have: not for loopback, private, link-local, shared, multicast and reserved ones,
 * nor for those at which clouds tell machines their secrets (IANA's special-purpose registries, RFC 6890).
 *
 * @param address as `dns.lookup` gives it
 */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !inside.check(address, "ipv4");
  const plain = address.replace(/%.*$/, "");
  return outside.check(plain, "ipv6") && !inside.check(plain, "ipv6");
}

const INSIDE_IPV4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // A server of Azure that each of its machines reaches.
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];
/** Within the global addresses: Teredo and other protocols, documentation, 6to4. */
const INSIDE_IPV6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];
/** Where an IPv6 network reaches IPv4 (RFC 6052): what is inside as IPv4 is inside there, too. */
const NAT64 = "64:ff9b::";

const inside = new BlockList();
for (const [network, bits] of INSIDE_IPV4) {
  inside.addSubnet(network, bits, "ipv4");
  inside.addSubnet(`${NAT64}${network}`, 96 + bits, "ipv6");
}
for (const [network, bits] of INSIDE_IPV6) inside.addSubnet(network, bits, "ipv6");

const outside = new BlockList();
outside.addSubnet("2000::", 3, "ipv6");
outside.addSubnet(NAT64, 96, "ipv6");
