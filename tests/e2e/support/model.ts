import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';

/** What the model says to one request: text, or a call of a tool. */
export type Say = string | { tool: string; input: unknown };

/** A server on loopback that answers as a model would, with what a test wrote down for it. */
export async function scripted(answers: Say[]): Promise<{ baseUrl: string; close: () => void }> {
  let calls = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const say = answers.shift() ?? 'The script has no more answers.';
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      const send = (value: unknown) => response.write(`data: ${JSON.stringify(value)}\n\n`);
      if (typeof say === 'string') {
        send({ choices: [{ index: 0, delta: { content: say } }] });
        send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
      } else {
        const call = { index: 0, id: `call-${++calls}`, type: 'function', function: { name: say.tool, arguments: JSON.stringify(say.input) } };
        send({ choices: [{ index: 0, delta: { tool_calls: [call] } }] });
        send({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] });
      }
      response.end('data: [DONE]\n\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}

/** Calls a method of the host as the page does. */
async function rpc(page: Page, method: string, params: unknown): Promise<Record<string, unknown>> {
  return page.evaluate(
    async ([name, body]) => {
      const response = await fetch(`/rpc/${name}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: body as string });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as Record<string, unknown>;
    },
    [method, JSON.stringify(params)] as const,
  );
}

/** Lets new conversations begin with the model at `baseUrl`, at this level. */
export async function useModel(page: Page, baseUrl: string, level: string): Promise<void> {
  const model = { id: null, name: 'Scripted', baseUrl, model: 'scripted', contextTokens: 8000, tools: true, vision: false };
  const { id } = await rpc(page, 'model.save', model);
  const settings = await rpc(page, 'setting.get', {});
  await rpc(page, 'setting.set', { settings: { ...settings, defaultModel: id, defaultLevel: level } });
  await page.reload();
}
