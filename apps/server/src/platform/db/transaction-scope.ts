import { AsyncLocalStorage } from 'node:async_hooks';

/** The scope of work on behalf of a transaction; it closes before all of that work has ended. */
interface Scope {
  isOpen: boolean;
}

const scopes = new AsyncLocalStorage<Scope>();

/**
 * While a transaction is open, code that runs on its behalf may not use the database outside of it: the embedded database
 * has one connection, so the code would wait for itself; PostgreSQL would answer without the transaction's changes.
 */
export async function inTransactionScope<Result>(work: () => Promise<Result>): Promise<Result> {
  const scope = { isOpen: true };
  try {
    return await scopes.run(scope, work);
  } finally {
    scope.isOpen = false;
  }
}

export function assertOutsideTransaction(): void {
  if (scopes.getStore()?.isOpen)
    throw new Error('Use tx inside ctx.write: the database is used outside of its transaction');
}

/** Runs work that a transaction begins and does not wait for. */
export const outsideTransaction = <Result>(work: () => Result): Result => scopes.exit(work);
