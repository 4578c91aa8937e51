/** The line with which a private key begins in a text. */
export const PRIVATE_KEY_BEGINNING = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/;
