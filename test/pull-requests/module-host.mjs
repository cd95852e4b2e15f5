// A process that runs modules of actions one after the other, each with the environment and the folder of its step.

import { pathToFileURL } from 'node:url';

let runs = 0;
process.on('disconnect', () => process.exit());
process.on('message', async ({ path, args, env, cwd, mark }) => {
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv = [process.execPath, path, ...args];
  process.exitCode = undefined;
  runs += 1;
  try {
    await import(`${pathToFileURL(path).href}?${runs}`);
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
  // Pipes are written at once, so that nothing of the module comes after this.
  for (const stream of [process.stdout, process.stderr]) stream.write(mark);
  process.send(process.exitCode ?? 0);
});
