let held: HTMLTextAreaElement | undefined;

/**
 * Holds the focus for what is still on its way: a view that is being loaded, a note that is being read. Until that takes
 * the focus, keys mean nothing to what stood there before, and what is typed goes along: into the field that takes it.
 * Commands stay. `before` is where the Tab key goes on from; `label` says what is waited for.
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
  field.addEventListener('keydown', (event) => {
    if (event.isComposing || event.keyCode === 229) return;
    const command = (event.ctrlKey || event.metaKey) && !event.getModifierState('AltGraph');
    // Whoever goes elsewhere takes nothing along.
    if (event.key === 'Tab' || event.key === 'Escape' || command) field.value = '';
  });
  field.addEventListener('blur', () => {
    // Only the whole window lost it.
    if (document.activeElement === field) return;
    const typed = field.value;
    leave();
    if (typed !== '') queueMicrotask(() => type(typed, document.activeElement));
  });
  const press = () => (field.value = '');
  const leave = () => {
    window.removeEventListener('pointerdown', press, true);
    field.remove();
    if (held === field) held = undefined;
  };
  window.addEventListener('pointerdown', press, true);
  if (before === undefined) document.body.append(field);
  else before.before(field);
  field.focus({ preventScroll: true });
}

/** Whether the focus waits. */
export function isFocusHeld(): boolean {
  return held?.isConnected === true && document.activeElement === held;
}

/** Types into a field as the keys would have. */
function type(text: string, into: Element | null): void {
  if (!(into instanceof HTMLElement) || !isTyped(into)) return;
  for (const [index, line] of text.split('\n').entries()) {
    if (index > 0) into.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true }));
    // The one way that fields and editors take as typing.
    if (line !== '') document.execCommand('insertText', false, line);
  }
}

function isTyped(element: HTMLElement): boolean {
  return element.isContentEditable || element.matches('textarea, input:not([type]), input:is([type=text], [type=search], [type=password])');
}
