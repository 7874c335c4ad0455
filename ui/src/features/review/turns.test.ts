import { expect, it } from 'vitest';
import { inTurn } from './actions';

it('does one thing to a set after the other, also after one that was refused', async () => {
  const order: string[] = [];
  let open = () => {};
  const gate = new Promise<void>((done) => (open = done));
  const refused = inTurn(1, async () => {
    await gate;
    order.push('first');
    throw new Error('refused');
  });
  const second = inTurn(1, async () => order.push('second'));
  await inTurn(2, async () => order.push('another set'));
  expect(order).toEqual(['another set']);
  open();
  await expect(refused).rejects.toThrow('refused');
  await second;
  expect(order).toEqual(['another set', 'first', 'second']);
});
