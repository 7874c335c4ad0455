import { untrack } from 'svelte';

/** What is spoken to screen readers. One polite region and one assertive one, mounted once by App. */
class Live {
  polite = $state('');
  assertive = $state('');

  /** Says something when the reader is idle. The same words twice are said twice. */
  say(text: string): void {
    this.polite = untrack(() => this.polite) === text ? `${text}\u00a0` : text;
  }

  /** Interrupts: only for errors. */
  alert(text: string): void {
    this.assertive = untrack(() => this.assertive) === text ? `${text}\u00a0` : text;
  }
}

export const live = new Live();
