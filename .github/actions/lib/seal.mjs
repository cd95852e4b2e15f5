// Encrypts the saved plan of a public repository before it is stored, and decrypts it before it is applied. It asks nobody anything.
// A sealed file is base64 of a salt, a nonce, a tag and the text: AES-256-GCM, with a key that scrypt makes of the secret and the salt.

import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

const CIPHER = 'aes-256-gcm';
const SUFFIX = '.sealed';
const [SALT, NONCE, TAG] = [16, 12, 16];
const LEAST_LENGTH = 32;

const { SEALED = '', PLAN_KEY = '', PLAN = '', FOLDER = '', GITHUB_OUTPUT = '' } = process.env;

/** The files at a path: itself, or all below it, each with its name from there. */
function filesAt(path) {
  if (!statSync(path).isDirectory()) return [[basename(path), path]];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [relative(path, file), file]);
}

function sealed(text) {
  const [salt, nonce] = [randomBytes(SALT), randomBytes(NONCE)];
  const cipher = createCipheriv(CIPHER, scryptSync(PLAN_KEY, salt, 32), nonce);
  const body = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), body]).toString('base64');
}

function unsealed(text, name) {
  const bytes = Buffer.from(text, 'base64');
  const [salt, nonce] = [bytes.subarray(0, SALT), bytes.subarray(SALT, SALT + NONCE)];
  const body = SALT + NONCE + TAG;
  try {
    const decipher = createDecipheriv(CIPHER, scryptSync(PLAN_KEY, salt, 32), nonce);
    decipher.setAuthTag(bytes.subarray(SALT + NONCE, body));
    return Buffer.concat([decipher.update(bytes.subarray(body)), decipher.final()]);
  } catch {
    throw new Error(`${name} was sealed with another plan-key, or was changed: give apply the plan-key of plan`);
  }
}

function checkKey() {
  if (PLAN_KEY.length < LEAST_LENGTH)
    throw new Error(`plan-key: a secret of at least ${LEAST_LENGTH} characters, the same for plan and apply`);
}

const COMMANDS = {
  seal() {
    if (SEALED !== 'true')
      throw new Error(
        `sealed: true, or false without a plan-key; it is ${JSON.stringify(SEALED)}, so nothing was stored`,
      );
    checkKey();
    const folder = join(FOLDER, 'sealed');
    // Nothing of an action before this one in the job.
    rmSync(folder, { recursive: true, force: true });
    for (const [name, file] of filesAt(PLAN)) {
      const path = join(folder, `${name}${SUFFIX}`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, sealed(readFileSync(file)));
    }
    appendFileSync(GITHUB_OUTPUT, `plan=${folder}\n`);
  },
  unseal() {
    const found = filesAt(FOLDER).filter(([name]) => name.endsWith(SUFFIX));
    if (found.length > 0) checkKey();
    for (const [name, file] of found) {
      writeFileSync(file.slice(0, -SUFFIX.length), unsealed(readFileSync(file, 'utf8'), name));
      rmSync(file);
    }
  },
};

try {
  COMMANDS[process.argv[2]]();
} catch (error) {
  process.stdout.write(`::error title=edgeform::${error.message}\n`);
  process.exitCode = 1;
}
