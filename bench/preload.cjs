// Loaded into every measured process of Node with `-r`: peak memory at its end to descriptor 3, and for a service that is
// asked over its channel, how many requests came and how much CPU it has used.
const load = process.getBuiltinModule;
const { isMainThread } = load('node:worker_threads');

if (isMainThread && process.send !== undefined) answerQuestions();
else if (isMainThread) process.on('exit', reportMemory);

function reportMemory() {
  try {
    load('node:fs').writeSync(3, String(process.resourceUsage().maxRSS));
  } catch {
    // Started by a program and not by the bench: nobody listens.
  }
}

function answerQuestions() {
  let requests = 0;
  load('node:diagnostics_channel').subscribe('http.server.request.start', () => {
    requests += 1;
  });
  process.on('message', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    process.send({ requests, cpu: (userCPUTime + systemCPUTime) / 1e6 });
  });
  process.channel.unref();
}
