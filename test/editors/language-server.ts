// The YAML language server as an editor runs it: a process that speaks JSON-RPC over its standard streams. No network.

import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Position {
  readonly line: number;
  readonly character: number;
}

interface Range {
  readonly start: Position;
  readonly end: Position;
}

export interface Completion {
  readonly label: string;
  readonly insertText?: string;
  readonly textEdit?: { readonly newText: string; readonly range: Range };
  readonly detail?: string;
  readonly documentation?: string | { readonly value: string };
}

export interface Flaw {
  readonly range: Range;
  readonly message: string;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly uri?: string; readonly items?: readonly { readonly section: string }[] };
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** What a person has set: patterns of files by schema. */
export interface YamlSettings {
  readonly schemas?: Readonly<Record<string, readonly string[]>>;
}

export interface LanguageServer {
  /** What the server says of the text when it is opened; a file that is open is changed. */
  readonly check: (path: string, text: string) => Promise<readonly Flaw[]>;
  readonly hover: (path: string, at: Position) => Promise<string>;
  readonly complete: (path: string, at: Position) => Promise<readonly Completion[]>;
  readonly end: () => Promise<void>;
}

const HEADER_END = '\r\n\r\n';

/** Calls back with each message that comes in. */
function readMessages({ stdout }: ChildProcessWithoutNullStreams, onMessage: (message: Message) => void): void {
  let pending = Buffer.alloc(0);
  stdout.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    for (;;) {
      const start = pending.indexOf(HEADER_END) + HEADER_END.length;
      const length = Number(/Content-Length: (\d+)/i.exec(pending.subarray(0, start).toString())?.[1]);
      if (start < HEADER_END.length || pending.length < start + length) return;
      const message = JSON.parse(pending.subarray(start, start + length).toString()) as Message;
      pending = pending.subarray(start + length);
      onMessage(message);
    }
  });
}

/** Starts the server for a folder; with settings, it is ready when it finds something wrong in a file that they match. */
export async function startLanguageServer(
  folder: string,
  settings: YamlSettings = {},
  matched?: string,
): Promise<LanguageServer> {
  const bin = join(dirname(createRequire(import.meta.url).resolve('yaml-language-server/package.json')), 'bin');
  const child = spawn(process.execPath, [join(bin, 'yaml-language-server'), '--stdio'], { cwd: folder });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const answers = new Map<number, { done: (result: unknown) => void; failed: (error: Error) => void }>();
  const flaws = new Map<string, (found: readonly Flaw[]) => void>();
  const versions = new Map<string, number>();
  let count = 0;

  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}${HEADER_END}${body}`);
  };
  const ask = (method: string, params: object = {}): Promise<unknown> =>
    new Promise((done, failed) => {
      answers.set(++count, { done, failed });
      send({ id: count, method, params });
    });
  const sections: Readonly<Record<string, object>> = {
    yaml: { validate: true, hover: true, completion: true, schemaStore: { enable: false }, ...settings },
  };
  readMessages(child, (message) => {
    const { id, method, params, result, error } = message;
    if (method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = params as { uri: string; diagnostics: readonly Flaw[] };
      flaws.get(uri)?.(diagnostics);
    } else if (method === 'workspace/configuration')
      send({ id, result: params?.items?.map(({ section }) => sections[section] ?? {}) });
    else if (method !== undefined && id !== undefined) send({ id, result: null });
    else if (id !== undefined) {
      if (error === undefined) answers.get(id)?.done(result);
      else answers.get(id)?.failed(new Error(error.message));
      answers.delete(id);
    }
  });

  const uriOf = (path: string): string => pathToFileURL(join(folder, path)).href;
  const workspace = { configuration: true, didChangeConfiguration: { dynamicRegistration: true } };
  const textDocument = {
    completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown'] } },
    hover: { contentFormat: ['markdown'] },
  };
  await ask('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: { workspace, textDocument },
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'work' }],
  });
  send({ method: 'initialized', params: {} });
  send({ method: 'workspace/didChangeConfiguration', params: { settings: sections } });
  const check: LanguageServer['check'] = (path, text) => {
    const uri = uriOf(path);
    const version = (versions.get(uri) ?? 0) + 1;
    versions.set(uri, version);
    const found = new Promise<readonly Flaw[]>((resolve) => flaws.set(uri, resolve));
    const document = { uri, languageId: 'yaml', version };
    if (version === 1) send({ method: 'textDocument/didOpen', params: { textDocument: { ...document, text } } });
    else send({ method: 'textDocument/didChange', params: { textDocument: document, contentChanges: [{ text }] } });
    return found;
  };
  // Settings are asked for, and nothing says when they count.
  for (let tries = 0; matched !== undefined && (await check(matched, 'nonsense: 1\n')).length === 0; tries++)
    if (tries > 100) throw new Error(`no schema counts for ${matched}`);
  return {
    check,
    hover: async (path, position) => {
      const answer = await ask('textDocument/hover', { textDocument: { uri: uriOf(path) }, position });
      return (answer as { contents?: { value: string } } | null)?.contents?.value ?? '';
    },
    complete: async (path, position) => {
      const answer = await ask('textDocument/completion', { textDocument: { uri: uriOf(path) }, position });
      return (answer as { items: readonly Completion[] }).items;
    },
    end: async () => {
      await ask('shutdown');
      send({ method: 'exit' });
      await ended;
    },
  };
}
