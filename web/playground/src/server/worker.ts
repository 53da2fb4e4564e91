// Runs an instance of the server in a worker: messages first, and work while there are none.
import { Instance } from './instance';
import type { FromWorker, ToWorker } from './workerMessages';

let instance: Instance | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let isBusy = false;

const post = (message: FromWorker): void => postMessage(message);

// A turn of the event loop, in which messages arrive before the next piece of work.
const turns = new MessageChannel();
let hasTurn = false;
turns.port1.onmessage = () => {
  hasTurn = false;
  guarded(work);
};
const takeTurn = (): void => {
  if (hasTurn) return;
  hasTurn = true;
  turns.port2.postMessage(null);
};

const setBusy = (busy: boolean): void => {
  if (busy === isBusy) return;
  isBusy = busy;
  post({ busy });
};

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => guarded(() => {
  if (typeof data !== 'string') instance = new Instance(data.module, data.runs);
  else if (instance?.receive(data)) send(instance);
  takeTurn();
}));

function work(): void {
  if (!instance) return;
  clearTimeout(timer);
  setBusy(true);
  const worked = instance.work();
  send(instance);
  if (worked) return takeTurn();
  setBusy(false);
  const wait = instance.wait();
  if (wait !== null) timer = setTimeout(takeTurn, wait);
}

function send(from: Instance): void {
  for (const message of from.messages()) post(message);
}

// A trap leaves the instance in an unknown state.
function guarded(act: () => void): void {
  try {
    act();
  } catch (trap) {
    instance = undefined;
    post({ trap: String(trap) });
  }
}
