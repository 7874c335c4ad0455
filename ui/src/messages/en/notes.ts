export const notes = {};
