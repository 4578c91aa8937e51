/** The longest accepted message: longer than any call with plain texts within their limits. */
export const MESSAGE_LIMIT_BYTES = 8 * 1024 * 1024;
/** The most that a client may leave unread: it is told of changes whether it reads or not. */
export const UNREAD_LIMIT_BYTES = 64 * 1024 * 1024;
