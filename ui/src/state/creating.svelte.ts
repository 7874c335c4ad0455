/** What is to be named in the tree: asked for by a command, taken by the tree once it is on the screen. */
export type Wanted = 'note' | 'folder';

class Creating {
  wanted = $state<Wanted>();

  ask(what: Wanted): void {
    this.wanted = what;
  }

  take(): Wanted | undefined {
    const wanted = this.wanted;
    this.wanted = undefined;
    return wanted;
  }
}

export const creating = new Creating();
