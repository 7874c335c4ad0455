/** The result of something that can be taken back. Nothing else is a toast: errors stay where they arose. */
export interface Toast {
  id: number;
  text: string;
  action?: { label: string; run: () => void };
  tone: 'info' | 'danger';
}

const SHOWN_FOR = 8000;

class Toasts {
  list = $state.raw<Toast[]>([]);
  #next = 1;
  #timers = new Map<number, ReturnType<typeof setTimeout>>();

  show(text: string, options: { action?: Toast['action']; tone?: Toast['tone'] } = {}): number {
    const id = this.#next++;
    const toast: Toast = { id, text, tone: options.tone ?? 'info' };
    if (options.action !== undefined) toast.action = options.action;
    this.list = [...this.list.slice(-2), toast];
    this.resume(id);
    return id;
  }

  dismiss(id: number): void {
    this.pause(id);
    this.list = this.list.filter((toast) => toast.id !== id);
  }

  /** While the pointer or the focus is on it, it stays. */
  pause(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  resume(id: number): void {
    this.pause(id);
    this.#timers.set(
      id,
      setTimeout(() => this.dismiss(id), SHOWN_FOR),
    );
  }
}

export const toasts = new Toasts();
