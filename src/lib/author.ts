/** A name and an address, as git writes them: `Ada <ada@example.org>`. */
export const AUTHOR = /^([^<>\n]+?) <([^<>\s]+)>$/;
