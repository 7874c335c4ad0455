// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { reviewKey } from './keys';

function press(init: KeyboardEventInit, target: HTMLElement = document.createElement('div')) {
  document.body.append(target);
  let action: ReturnType<typeof reviewKey>;
  const listen = (event: Event) => (action = reviewKey(event as KeyboardEvent));
  target.addEventListener('keydown', listen);
  target.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...init }));
  target.removeEventListener('keydown', listen);
  return action;
}

it('means something only where nobody writes', () => {
  expect(press({ key: 'a', code: 'KeyA' })).toBe('accept');
  expect(press({ key: 'J', code: 'KeyJ', shiftKey: true })).toBe('nextOperation');
  expect(press({ key: 'A', code: 'KeyA', shiftKey: true })).toBeUndefined();
  expect(press({ key: 'a', code: 'KeyA', ctrlKey: true })).toBeUndefined();
  expect(press({ key: 'Enter', ctrlKey: true })).toBe('apply');
  expect(press({ key: 'Enter' }, document.createElement('button'))).toBeUndefined();
  expect(press({ key: 'a', code: 'KeyA' }, document.createElement('textarea'))).toBeUndefined();
  expect(press({ key: 'ArrowDown' })).toBe('nextLine');
  expect(press({ key: 'ArrowDown' }, document.createElement('button'))).toBeUndefined();
});

it('knows letters by their place where the layout has others', () => {
  expect(press({ key: 'ф', code: 'KeyA' })).toBe('accept');
  expect(press({ key: 'q', code: 'KeyA' })).toBeUndefined();
  expect(press({ key: '&', code: 'Digit1' })).toBe('takeDisk');
  expect(press({ key: 'c', code: 'KeyC' })).toBe('comment');
});

it('leaves a composition alone', () => {
  expect(press({ key: 'Process', code: 'KeyA', isComposing: true })).toBeUndefined();
  expect(press({ key: 'a', code: 'KeyA', keyCode: 229 } as KeyboardEventInit)).toBeUndefined();
});
