import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** One session of WebKit's own driver with a program that holds a web view. */
export class WebDriver {
  private constructor(
    private readonly driver: ChildProcess,
    private readonly session: string,
  ) {}

  static async start(binary: string, environment: NodeJS.ProcessEnv): Promise<WebDriver> {
    const port = await freePort();
    const driver = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
      // The program inherits it; without it the view takes no orders and the session never begins.
      env: { ...environment, TAURI_WEBVIEW_AUTOMATION: 'true' },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const base = `http://127.0.0.1:${port}`;
    await until(() => fetch(`${base}/status`).then((answer) => answer.ok));
    const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': { binary, args: [] } } };
    try {
      const { sessionId } = await send<{ sessionId: string }>('POST', `${base}/session`, { capabilities });
      return new WebDriver(driver, `${base}/session/${sessionId}`);
    } catch (error) {
      driver.kill();
      throw error;
    }
  }

  /** Runs the body of a function in the page. */
  run<T>(body: string, ...args: unknown[]): Promise<T> {
    return send<T>('POST', `${this.session}/execute/sync`, { script: body, args });
  }

  /** Runs the body of an async function in the page. */
  async runAsync<T>(body: string): Promise<T> {
    const script = `const done = arguments[arguments.length - 1]; (async () => { ${body} })().then(done, (e) => done('failed: ' + e));`;
    return send<T>('POST', `${this.session}/execute/async`, { script, args: [] });
  }

  async click(selector: string): Promise<void> {
    await send('POST', `${this.session}/element/${await this.find(selector)}/click`, {});
  }

  async type(selector: string, text: string): Promise<void> {
    await send('POST', `${this.session}/element/${await this.find(selector)}/value`, { text });
  }

  async screenshot(): Promise<Buffer> {
    return Buffer.from(await send<string>('GET', `${this.session}/screenshot`), 'base64');
  }

  async stop(): Promise<void> {
    await send('DELETE', this.session).catch(() => undefined);
    const ended = new Promise((done) => this.driver.once('exit', done));
    this.driver.kill();
    await ended;
  }

  private async find(selector: string): Promise<string> {
    const found = await send<Record<string, string>>('POST', `${this.session}/element`, {
      using: 'css selector',
      value: selector,
    });
    const id = found[ELEMENT];
    if (id === undefined) throw new Error(`the driver named no element for ${selector}`);
    return id;
  }
}

async function send<T>(method: string, url: string, body?: unknown): Promise<T> {
  const answer = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { value } = (await answer.json()) as { value: T };
  if (!answer.ok) throw new Error(`${method} ${new URL(url).pathname}: ${JSON.stringify(value)}`);
  return value;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await holds().catch(() => false)) return;
    await new Promise((next) => setTimeout(next, 50));
  }
  throw new Error('the driver did not start');
}

function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer();
    server.once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (typeof address === 'object' && address !== null ? found(address.port) : failed(new Error('no port'))));
    });
  });
}
