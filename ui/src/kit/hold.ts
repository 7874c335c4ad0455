let held: HTMLTextAreaElement | undefined;

/** Keys with a meaning of their own that go along. */
const KEYS = new Set(['Enter', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown']);

/**
 * Holds the focus for what is still on its way: a view that is being loaded, a note that is being read. Until that takes
 * the focus, keys mean nothing to what stood there before, and what is typed goes along: into the field that takes it,
 * or as keys to what has them. Commands stay. `before` is where the Tab key goes on from; `label` says what is waited for.
 */
export function holdFocus(label: string, before?: HTMLElement): void {
  if (isFocusHeld()) return;
  held?.remove();
  const field = document.createElement('textarea');
  held = field;
  field.className = 'visually-hidden';
  field.tabIndex = -1;
  field.rows = 1;
  field.spellcheck = false;
  field.setAttribute('aria-label', label);
  let pressed: KeyboardEventInit[] = [];
  const forget = () => {
    field.value = '';
    pressed = [];
  };
  field.addEventListener('keydown', (event) => {
    if (event.isComposing || event.keyCode === 229) return;
    const { key, code, shiftKey, ctrlKey, metaKey } = event;
    if (['Control', 'Shift', 'Alt', 'Meta'].includes(key)) return;
    const command = (ctrlKey || metaKey) && !event.getModifierState('AltGraph');
    // Whoever goes elsewhere takes nothing along.
    if (key === 'Tab' || key === 'Escape' || (command && key !== 'Enter')) forget();
    else if (!event.altKey && (key.length === 1 || KEYS.has(key))) pressed.push({ key, code, shiftKey, ctrlKey, metaKey });
    // It ends what is written, and is no line of it.
    if (command && key === 'Enter') event.preventDefault();
  });
  field.addEventListener('blur', () => {
    // Only the whole window lost it.
    if (document.activeElement === field) return;
    const typed = field.value;
    leave();
    if (typed !== '' || pressed.length > 0) queueMicrotask(() => passOn(typed, pressed));
  });
  const leave = () => {
    window.removeEventListener('pointerdown', forget, true);
    field.remove();
    if (held === field) held = undefined;
  };
  window.addEventListener('pointerdown', forget, true);
  if (before === undefined) document.body.append(field);
  else before.before(field);
  field.focus({ preventScroll: true });
}

/** Whether the focus waits. */
export function isFocusHeld(): boolean {
  return held?.isConnected === true && document.activeElement === held;
}

/** Whether the focus is in a dialog that is in front of all views: nothing behind it takes or holds it. */
export function isInDialog(): boolean {
  return document.activeElement?.closest('[aria-modal="true"]') != null;
}

/** Gives what has the focus now what was meant for it. */
function passOn(typed: string, pressed: readonly KeyboardEventInit[]): void {
  const into = document.activeElement;
  if (!(into instanceof HTMLElement) || into === document.body) return;
  if (!isTyped(into)) {
    // One may lead elsewhere; those after it go there.
    for (const key of pressed) press(key, document.activeElement ?? into);
    return;
  }
  for (const [index, line] of typed.split('\n').entries()) {
    if (index > 0) press({ key: 'Enter', code: 'Enter' }, into);
    // The one way that fields and editors take as typing.
    if (line !== '') document.execCommand('insertText', false, line);
  }
  const last = pressed.at(-1);
  if (last?.key === 'Enter' && (last.ctrlKey === true || last.metaKey === true)) press(last, into);
}

function press(key: KeyboardEventInit, on: Element): void {
  on.dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true }));
}

function isTyped(element: HTMLElement): boolean {
  return element.isContentEditable || element.matches('textarea, input:not([type]), input:is([type=text], [type=search], [type=password])');
}
