import { cli } from './host';
import type { Places } from './host';

/** One call of a tool as the assistant would make it; what it proposes waits for review. */
export function tool(places: Places, name: string, input: unknown): Promise<unknown> {
  return cli(places, 'tool', name, JSON.stringify(input), '--level', 'L2', '--session', 'e2e', '--kb', places.notes);
}

/** Proposes edits of a note that the session has read. */
export async function propose(places: Places, path: string, ...edits: { original: string; next: string }[]): Promise<void> {
  await tool(places, 'read', { path });
  await tool(places, 'edit', { path, operation: 'multi_replace', edits });
}
