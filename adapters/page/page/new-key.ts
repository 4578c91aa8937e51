/** A random UUID, also without the secure origin that `crypto.randomUUID` needs. */
export function newKey(): string {
  return "00000000-0000-4000-8000-000000000000".replace(/[08]/g, (digit) => {
    const [random = 0] = crypto.getRandomValues(new Uint8Array(1));
    const nibble = digit === "8" ? 8 | (random & 3) : random & 15;
    return nibble.toString(16);
  });
}
