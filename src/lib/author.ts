/** A name and an address, in git's format: `Ada <ada@example.org>`. */
export const AUTHOR = /^([^<>\n]+?) <([^<>\s]+)>$/;
