import { expect, it } from 'vitest';
import { Commands } from './commands.svelte';

it('runs the last provider that can, and the one before when it is gone', () => {
  const commands = new Commands();
  const ran: string[] = [];
  let can = true;
  const first = commands.provide('mark.next', () => ran.push('first'));
  const second = commands.provide('mark.next', () => ran.push('second'), () => can);
  commands.run('mark.next');
  can = false;
  commands.run('mark.next');
  can = true;
  second();
  commands.run('mark.next');
  first();
  expect(commands.run('mark.next')).toBe(false);
  expect(ran).toEqual(['second', 'first', 'first']);
});
