// Terraform with a provider for an API of this shape, where both are installed. `--peer FILE` names its configuration, which takes
// the variables `url`, `key` and `size` and describes so many reserved addresses.
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { measure } from './measure.mjs';
import { onService } from './service.mjs';

const PROGRAM = 'terraform';
const QUIET = ['-input=false', '-no-color'];

/** The peer, or undefined and why there is none. */
export function findPeer(file) {
  const { status, stdout } = spawnSync(PROGRAM, ['version', '-json'], { encoding: 'utf8' });
  if (status !== 0) return { reason: '`terraform` is not installed' };
  const name = `Terraform ${JSON.parse(stdout).terraform_version}`;
  if (file === undefined) return { reason: `${name} is installed, but no provider was named with \`--peer FILE\`` };
  return { peer: peerOf(file, name) };
}

function peerOf(file, name) {
  let made;
  const environment = ({ url, key }, size) => ({
    ...process.env,
    TF_VAR_url: url,
    TF_VAR_key: key,
    TF_VAR_size: String(size),
  });
  const run = (at, ...args) =>
    onService(at.service, () => measure([PROGRAM, ...args, ...QUIET], { cwd: at.cwd, env: at.env }));
  const apply = async (lab, size, latency) => {
    await made?.service.stop();
    const service = await lab.service(latency, 'addresses');
    made = { service, cwd: lab.freshFolder(), env: environment(service, size) };
    copyFileSync(file, join(made.cwd, 'main.tf'));
    await measure([PROGRAM, 'init', ...QUIET], { cwd: made.cwd, env: made.env });
    return run(made, 'apply', '-auto-approve');
  };
  return {
    name,
    apply,
    plan: async (lab, size, latency) => {
      if (made === undefined) await apply(lab, size, latency);
      return run(made, 'plan', '-detailed-exitcode');
    },
    stop: async () => made?.service.stop(),
  };
}
