import { AsyncLocalStorage } from 'node:async_hooks';

/** What runs on behalf of a transaction; it is over before all that it has begun is. */
interface Scope {
  isOpen: boolean;
}

const scopes = new AsyncLocalStorage<Scope>();

/**
 * While a transaction is open, nothing that runs on its behalf may use the database outside of it: the embedded one has one
 * connection, so it would wait for itself; and PostgreSQL would answer what is not part of the transaction.
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

/** For what a transaction begins and does not wait for. */
export const outsideTransaction = <Result>(work: () => Result): Result => scopes.exit(work);
