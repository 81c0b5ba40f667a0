import { type ChangeEvent, type FocusEvent, type FormEvent, useState } from 'react';
import { ApiError, isAbort, messageOf } from '../platform/api-error.ts';
import { detailsOf } from './problem.tsx';

type Values = Record<string, string | boolean>;
type Checks<V extends Values> = { [Name in keyof V]?: (value: V[Name], values: V) => string | null };

interface FormOptions<V extends Values> {
  initial: V;
  checks?: Checks<V>;
  submit(values: V): Promise<unknown>;
}

interface FormProblem {
  message: string;
  details: string | null;
}

/** A form that checks a field when it is left, keeps what was typed through failures, and shows the server's words. */
export function useForm<V extends Values>({ initial, checks = {}, submit }: FormOptions<V>) {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Partial<Record<keyof V, string | null>>>({});
  const [problem, setProblem] = useState<FormProblem | null>(null);
  const [pending, setPending] = useState(false);

  const check = <Name extends keyof V>(name: Name, current: V) => checks[name]?.(current[name], current) ?? null;

  const set = <Name extends keyof V>(name: Name, value: V[Name]) => {
    setValues((current) => ({ ...current, [name]: value }));
    // A complaint goes as soon as it is answered; a new one waits until the field is left.
    setErrors((current) =>
      current[name] ? { ...current, [name]: check(name, { ...values, [name]: value }) } : current,
    );
  };

  /**
   * An untouched field has no mistake yet. A problem that appears while a link or button is pressed would move it away from
   * under the pointer, so that the click is lost.
   */
  const leave = (name: keyof V, next: EventTarget | null) => {
    if (values[name] === initial[name] || (next instanceof Element && next.closest('a, button'))) return;
    setErrors((current) => ({ ...current, [name]: check(name, values) }));
  };

  const send = async (event?: FormEvent) => {
    event?.preventDefault();
    if (pending) return;
    const found = Object.fromEntries(Object.keys(values).map((name) => [name, check(name, values)]));
    setErrors(found as typeof errors);
    const firstWrong = Object.keys(values).find((name) => found[name]);
    if (firstWrong) return focusField(event?.target, firstWrong);
    setProblem(null);
    setPending(true);
    try {
      await submit(values);
    } catch (error) {
      if (!isAbort(error)) showFailure(error, event?.target);
    } finally {
      setPending(false);
    }
  };

  const showFailure = (error: unknown, form: EventTarget | null | undefined) => {
    const fields = error instanceof ApiError ? error.fields : {};
    const known = Object.entries(fields).filter(([name]) => name in values);
    if (known.length) {
      setErrors(Object.fromEntries(known.map(([name, said]) => [name, said.join(' ')])) as typeof errors);
      focusField(form, known[0]?.[0] ?? '');
    }
    if (known.length < Object.keys(fields).length || !known.length) {
      setProblem({ message: messageOf(error) ?? '', details: detailsOf(error) });
    }
  };

  return {
    values,
    set,
    setValues,
    send,
    pending,
    problem,
    isDirty: Object.keys(values).some((name) => values[name] !== initial[name]),
    /** Spread on a field of text or a choice. */
    text: (name: keyof V & string) => ({
      name,
      value: values[name] as string,
      error: errors[name] || undefined,
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
        set(name, event.currentTarget.value as V[typeof name]),
      onBlur: (event?: Pick<FocusEvent, 'relatedTarget'>) => leave(name, event?.relatedTarget ?? null),
    }),
    /** Spread on a switch. */
    flag: (name: keyof V & string) => ({
      name,
      checked: values[name] as boolean,
      onChange: (event: ChangeEvent<HTMLInputElement>) => set(name, event.currentTarget.checked as V[typeof name]),
    }),
  };
}

function focusField(form: EventTarget | null | undefined, name: string): void {
  if (form instanceof HTMLFormElement) (form.elements.namedItem(name) as HTMLElement | null)?.focus?.();
}
