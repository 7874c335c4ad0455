import { SvelteMap } from 'svelte/reactivity';
import type { Event, OutputPiece, TurnId } from '../../api/generated/commands';

/** What a command wrote lately; more is in its result. In characters. */
export const KEPT = 64_000;

/** The output of one command while it runs. Pieces are put in once per frame, however many arrive. */
export class Output {
  pieces = $state.raw<readonly OutputPiece[]>([]);
  /** Something before the first piece is not shown. */
  cut = $state(false);
  #waiting: OutputPiece[] = [];
  #frame: number | undefined;

  push(pieces: readonly OutputPiece[], skipped: number): void {
    if (skipped > 0) this.cut = true;
    this.#waiting.push(...pieces);
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      const kept = latest(joined([...this.pieces, ...this.#waiting]));
      this.#waiting = [];
      if (kept.cut) this.cut = true;
      this.pieces = kept.pieces;
    });
  }

  stop(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
  }
}

/** Neighbours of one source become one piece. */
function joined(pieces: readonly OutputPiece[]): OutputPiece[] {
  const list: OutputPiece[] = [];
  for (const piece of pieces) {
    const last = list.at(-1);
    if (last?.source === piece.source) list[list.length - 1] = { source: last.source, text: last.text + piece.text };
    else list.push(piece);
  }
  return list;
}

/** The end of it, from a line's beginning where there is one. */
export function latest(pieces: readonly OutputPiece[], limit = KEPT): { pieces: readonly OutputPiece[]; cut: boolean } {
  let left = limit;
  const kept: OutputPiece[] = [];
  for (const { source, text } of pieces.toReversed()) {
    if (text.length <= left) {
      kept.unshift({ source, text });
      left -= text.length;
      continue;
    }
    const end = left === 0 ? '' : text.slice(-left);
    const line = end.indexOf('\n');
    const whole = line >= 0 ? end.slice(line + 1) : end;
    if (whole !== '') kept.unshift({ source, text: whole });
    return { pieces: kept, cut: true };
  }
  return { pieces: kept, cut: false };
}

function keyOf(turnId: TurnId, callId: string): string {
  return `${turnId} ${callId}`;
}

/** The outputs of the commands of one conversation, by the call that started them. */
export class Outputs {
  #outputs = new SvelteMap<string, Output>();

  take(event: Extract<Event, { type: 'output' }>): void {
    const key = keyOf(event.turnId, event.callId);
    let output = this.#outputs.get(key);
    if (!output) this.#outputs.set(key, (output = new Output()));
    output.push(event.pieces, event.skipped);
  }

  of(turnId: TurnId | null, callId: string): Output | undefined {
    return turnId === null ? undefined : this.#outputs.get(keyOf(turnId, callId));
  }

  close(): void {
    for (const output of this.#outputs.values()) output.stop();
  }
}
