/**
 * A sensitive act may need a fresh sign-in. The client waits here while a dialog asks for it, then repeats the call;
 * a person who closes the dialog gets the refusal they would have had.
 */
interface Pending {
  resolve(): void;
  reject(error: unknown): void;
  refusal: unknown;
}

type Listener = () => void;

let waiting: Pending[] = [];
let listeners: Listener[] = [];

const changed = () => {
  for (const listener of listeners) listener();
};

export function proveAgain(refusal: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    waiting = [...waiting, { resolve, reject, refusal }];
    changed();
  });
}

export const isProofWanted = (): boolean => waiting.length > 0;

export function onProofWanted(listener: Listener): () => void {
  listeners = [...listeners, listener];
  return () => {
    listeners = listeners.filter((other) => other !== listener);
  };
}

export function finishProof(proven: boolean): void {
  const done = waiting;
  waiting = [];
  for (const { resolve, reject, refusal } of done) proven ? resolve() : reject(refusal);
  changed();
}
