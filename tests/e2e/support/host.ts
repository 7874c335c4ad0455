import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** A data directory and a folder of notes that one test has to itself. */
export class Places {
  private constructor(readonly top: string) {}

  static async make(): Promise<Places> {
    const places = new Places(await mkdtemp(join(tmpdir(), 'orangery-e2e-')));
    for (const folder of ['data', 'home', 'notes', 'sample']) await mkdir(join(places.top, folder));
    return places;
  }

  /** A knowledge base that is not registered yet. */
  get notes(): string {
    return join(this.top, 'notes');
  }

  get data(): string {
    return join(this.top, 'data');
  }

  get environment(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      ORANGERY_DATA_DIR: this.data,
      ORANGERY_HOME: join(this.top, 'home'),
      ORANGERY_SAMPLE_DIR: join(this.top, 'sample'),
    };
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    const path = join(this.notes, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }

  read(name: string): Promise<Buffer> {
    return readFile(join(this.notes, name));
  }

  async text(name: string): Promise<string> {
    return (await this.read(name)).toString('utf8');
  }

  remove(): Promise<void> {
    return rm(this.top, { recursive: true, force: true });
  }
}

/** Path of a program that was built before the tests. */
export function built(variable: 'ORANGERY_HOST' | 'ORANGERY_DESKTOP', name: string): string {
  return process.env[variable] ?? join(import.meta.dirname, '../../../target/debug', name);
}

/** A running `orangery serve`. */
export class Host {
  private constructor(
    private readonly child: ChildProcess,
    /** Good for one visit. */
    readonly link: string,
    private readonly said: () => string,
  ) {}

  static async start(places: Places, ...more: string[]): Promise<Host> {
    const child = spawn(built('ORANGERY_HOST', 'orangery'), ['serve', '--port', '0', ...more], {
      env: places.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    const link = await new Promise<string>((found, failed) => {
      const listen = (piece: Buffer) => {
        said += piece.toString('utf8');
        const link = /http:\/\/\S+#\S+/.exec(said)?.[0];
        if (link !== undefined) found(link);
      };
      child.stdout.on('data', listen);
      child.stderr.on('data', listen);
      child.on('error', failed);
      child.on('exit', (code) => failed(new Error(`the host ended with ${code}:\n${said}`)));
    });
    return new Host(child, link, () => said);
  }

  get origin(): string {
    return new URL(this.link).origin;
  }

  /** All it printed so far. */
  get output(): string {
    return this.said();
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((done) => this.child.once('exit', done));
    this.child.kill(signal);
    await ended;
  }
}

/** Runs the command line on the same data; where a host is open, it asks that one. */
export async function cli(places: Places, ...words: string[]): Promise<unknown> {
  const program = built('ORANGERY_HOST', 'orangery');
  const { stdout } = await execute(program, [...words, '--json'], { env: places.environment });
  return JSON.parse(stdout);
}
