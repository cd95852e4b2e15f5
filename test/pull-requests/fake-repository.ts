// A git repository as the API of a forge shows it: commits with whole files, and branches.

import { createHash } from 'node:crypto';
import type { Answer, Asked } from './fake-forge.ts';

type Files = Readonly<Record<string, string>>;
interface Commit {
  readonly parent: string | undefined;
  readonly message: string;
  readonly files: Files;
}
interface Entry {
  readonly path: string;
  readonly mode: string;
  readonly content: string;
}

interface GitlabCommit {
  readonly branch: string;
  readonly start_sha: string;
  readonly force: boolean;
  readonly commit_message: string;
  readonly actions: readonly { readonly file_path: string; readonly content: string }[];
}

const NOT_FOUND: Answer = { status: 404, body: { message: 'Not Found' } };

export class FakeRepository {
  readonly commits = new Map<string, Commit>();
  readonly branches = new Map<string, string>();
  /** Trees that no commit has yet, by name. */
  private readonly trees = new Map<string, Files>();
  /** The mode of each file that was written. */
  readonly modes = new Map<string, string>();

  /** A commit of somebody, which a branch may be moved to. */
  commit(
    sha: string,
    files: Files,
    { parent, message = 'x', branch }: Partial<Commit> & { branch?: string } = {},
  ): void {
    this.commits.set(sha, { parent, message, files });
    if (branch !== undefined) this.branches.set(branch, sha);
  }

  /** The files of a branch. */
  at(branch: string): Files | undefined {
    return this.commits.get(this.branches.get(branch) ?? '')?.files;
  }

  /** The commits of one that another one has not, newest last. */
  between(base: string, head: string): readonly (readonly [string, Commit])[] {
    const known = new Set(this.history(base));
    return this.history(head)
      .filter((sha) => !known.has(sha))
      .toReversed()
      .map((sha) => [sha, this.commits.get(sha) as Commit]);
  }

  changed(from: string | undefined, to: string): string[] {
    const [before, after] = [from, to].map((sha) => this.commits.get(sha ?? '')?.files ?? {}) as [Files, Files];
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((path) => before[path] !== after[path]);
  }

  private history(sha: string): string[] {
    const all: string[] = [];
    for (let at: string | undefined = sha; at !== undefined; at = this.commits.get(at)?.parent) all.push(at);
    return all;
  }

  /** What GitHub answers; undefined for a request about something else. */
  answer({ method, query, body }: Asked, rest: string): Answer | undefined {
    const [first, ...more] = rest.split('/');
    const name = more.map(decodeURIComponent).join('/');
    switch (`${method} ${first ?? ''}`) {
      case 'GET branches': {
        const sha = this.branches.get(name);
        return sha === undefined ? NOT_FOUND : { body: { name, commit: { sha } } };
      }
      case 'GET compare': {
        const [base = '', head = ''] = name.split('...');
        const commits = this.between(base, head).map(([sha, { message }]) => ({ sha, commit: { message } }));
        const from = this.history(base).find((sha) => this.history(head).includes(sha));
        const files = this.changed(from, head).map((filename) => ({ filename }));
        return { body: { total_commits: commits.length, commits, files } };
      }
      case 'GET contents': {
        const text = this.commits.get(query.get('ref') ?? '')?.files[name];
        if (text === undefined) return NOT_FOUND;
        return {
          body: {
            type: 'file',
            encoding: 'base64',
            content: Buffer.from(text)
              .toString('base64')
              .replaceAll(/(.{60})/g, '$1\n'),
          },
        };
      }
      default:
        return first === 'git' ? this.git(method, name, body) : undefined;
    }
  }

  /** What GitLab answers; undefined for a request about something else. */
  answerAsGitlab({ method, query, body }: Asked, rest: string): Answer | undefined {
    const [first, name = '', last] = rest.split('/').map(decodeURIComponent);
    switch (`${method} ${first ?? ''}`) {
      case 'GET branches': {
        const id = this.branches.get(name);
        return id === undefined ? NOT_FOUND : { body: { name, commit: { id } } };
      }
      case 'DELETE branches':
        return this.branches.delete(name) ? { status: 204 } : NOT_FOUND;
      case 'GET compare': {
        const [base, head] = [query.get('from') ?? '', query.get('to') ?? ''];
        const commits = this.between(base, head).map(([id, { message }]) => ({ id, message }));
        const from = this.history(base).find((sha) => this.history(head).includes(sha));
        return { body: { commits, diffs: this.changed(from, head).map((path) => ({ new_path: path })) } };
      }
      case 'GET files': {
        const text = this.commits.get(query.get('ref') ?? '')?.files[name];
        return text === undefined || last !== 'raw' ? NOT_FOUND : { text };
      }
      case 'POST commits': {
        const { branch, start_sha: parent, force, commit_message, actions } = body as unknown as GitlabCommit;
        if (this.branches.has(branch) && !force) return { status: 400, body: { message: 'A branch exists' } };
        const changes = Object.fromEntries(actions.map(({ file_path: path, content }) => [path, content]));
        const files = { ...this.commits.get(parent)?.files, ...changes };
        const sha = nameOf([body, this.commits.size]);
        this.commit(sha, files, { parent, message: commit_message.trim(), branch });
        return { status: 201, body: { id: sha } };
      }
      default:
        return undefined;
    }
  }

  private git(method: string, name: string, body: Readonly<Record<string, unknown>>): Answer {
    const [, kind = '', rest = ''] = /^(\w+)\/?(.*)$/.exec(name) ?? [];
    switch (`${method} ${kind}`) {
      case 'GET commits':
        return this.commits.has(rest) ? { body: { sha: rest, tree: { sha: `tree-${rest}` } } } : NOT_FOUND;
      case 'POST trees': {
        const from = this.commits.get(String(body['base_tree']).replace('tree-', ''))?.files ?? {};
        const entries = body['tree'] as readonly Entry[];
        for (const { path, mode } of entries) this.modes.set(path, mode);
        const files = { ...from, ...Object.fromEntries(entries.map(({ path, content }) => [path, content])) };
        const sha = nameOf(files);
        this.trees.set(sha, files);
        return { status: 201, body: { sha } };
      }
      case 'POST commits': {
        const [parent = ''] = body['parents'] as readonly string[];
        const sha = nameOf([body, this.commits.size]);
        this.commit(sha, this.trees.get(String(body['tree'])) ?? {}, {
          parent,
          message: String(body['message']).trim(),
        });
        return { status: 201, body: { sha } };
      }
      case 'POST refs': {
        const branch = String(body['ref']).replace('refs/heads/', '');
        if (this.branches.has(branch)) return { status: 422, body: { message: 'Reference already exists' } };
        this.branches.set(branch, String(body['sha']));
        return { status: 201, body: {} };
      }
      case 'PATCH refs': {
        const branch = rest.replace('heads/', '');
        if (!this.branches.has(branch) || body['force'] !== true) return { status: 422, body: {} };
        this.branches.set(branch, String(body['sha']));
        return { body: {} };
      }
      case 'DELETE refs':
        return this.branches.delete(rest.replace('heads/', '')) ? { status: 204 } : NOT_FOUND;
      default:
        return NOT_FOUND;
    }
  }
}

function nameOf(value: unknown): string {
  return createHash('sha1').update(JSON.stringify(value)).digest('hex');
}
