interface Place {
  operation: number;
  /** From 0. */
  hunk: number;
}

/** Where decisions were made that led on by themselves: going back goes there, until one goes elsewhere. */
export class Trail {
  #places: Place[] = [];

  leave(place: Place): void {
    this.#places.push(place);
  }

  /** The last place that was left; those before it stay for the next step back. */
  back(): Place | undefined {
    return this.#places.pop();
  }

  /** Somebody goes elsewhere. */
  clear(): void {
    this.#places = [];
  }
}
