/** English counts: `plural(3, 'file')` is `3 files`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${new Intl.NumberFormat('en').format(count)} ${count === 1 ? one : many}`;
}
