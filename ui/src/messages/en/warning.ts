/** What to know about a value that is there, by `Warning.code`. */
export const warning = {};
