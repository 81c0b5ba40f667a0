import { isAbort, messageOf } from '../platform/api-error.ts';
import { helpFor } from '../platform/denial-help.ts';
import { detailsOf } from './problem.tsx';

/** Toasts are rare at start-up, so what draws them is loaded with the first one. */
let wanted = false;
let announce = () => {};

export const areToastsWanted = (): boolean => wanted;

export function onToastsWanted(listener: () => void): () => void {
  announce = listener;
  return () => {
    announce = () => {};
  };
}

function toasts() {
  wanted = true;
  announce();
  return import('./toasts/toasts.tsx');
}

export function toast(message: string): void {
  toasts().then(({ showToast }) => showToast({ message }));
}

/** Done at once, with a way back. */
export function toastWithUndo(message: string, undo: () => void): void {
  toasts().then(({ showToast }) => showToast({ message, action: { label: 'Undo', run: undo } }));
}

/** What went wrong, with a way to it. */
export function toastProblem(message: string, label: string, run: () => void): void {
  toasts().then(({ showToast }) => showToast({ message, isError: true, action: { label, run } }));
}

export function toastError(error: unknown, title?: string): void {
  if (isAbort(error)) return;
  toasts().then(({ showToast }) =>
    showToast({
      message: messageOf(error) ?? '',
      title,
      details: detailsOf(error),
      isError: true,
      help: helpFor(error),
    }),
  );
}
