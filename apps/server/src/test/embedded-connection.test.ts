import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { expect, inject, onTestFinished, test } from 'vitest';
import { embeddedOptions, wrapEmbedded } from '../platform/db/database.ts';

async function open() {
  const loadDataDir = new Blob([await readFile(inject('embeddedDump'))]);
  const client = await PGlite.create({ ...embeddedOptions, loadDataDir });
  const { db, close } = await wrapEmbedded(client);
  let closing: Promise<void> | undefined;
  const closeOnce = () => {
    closing ??= close();
    return closing;
  };
  onTestFinished(closeOnce);
  return { client, db, close: closeOnce };
}

test('what was answered is not kept', async () => {
  const { db } = await open();
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = async () => {
    for (let round = 0; round < 150; round++) await db.execute(sql`select repeat('x', 100000)`);
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await used();
  expect((await used()) - before).toBeLessThan(5e6);
});

test('a transaction that was left open is not the next one’s', async () => {
  const { client, db } = await open();
  await db.execute(sql`create table kept (n int)`);
  // Its connection is given up, and the database does not notice.
  await db
    .transaction(async (tx) => {
      await tx.execute(sql`insert into kept values (1)`);
      const { execProtocolRawStream } = client;
      client.execProtocolRawStream = async () => {
        client.execProtocolRawStream = execProtocolRawStream;
        throw new Error('broken');
      };
      await tx.execute(sql`insert into kept values (2)`);
    })
    .catch(() => {});
  await db.transaction(async (tx) => tx.execute(sql`insert into kept values (3)`));
  const { rows } = (await db.execute(sql`select n from kept`)) as unknown as { rows: { n: number }[] };
  expect(rows).toEqual([{ n: 3 }]);
});

test('who has the connection or waits for it when the database is closed comes to an end, and nobody else gets it', async () => {
  const { db, close } = await open();
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const having = db.transaction(async (tx) => {
    await tx.execute(sql`select 1`);
    begun.resolve();
    await release.promise;
    return tx.execute(sql`select 2 as n`);
  });
  await begun.promise;
  const waiting = [
    db.execute(sql`select 3 as n`).execute(),
    db.transaction(async (tx) => tx.execute(sql`select 4 as n`)),
  ];
  const closed = close();
  await expect(db.transaction(async (tx) => tx.execute(sql`select 5`))).rejects.toThrow('The database was closed');
  await expect((async () => db.execute(sql`select 6`))()).rejects.toThrow('The database was closed');
  release.resolve();
  expect(await having).toMatchObject({ rows: [{ n: 2 }] });
  expect(await Promise.all(waiting)).toMatchObject([{ rows: [{ n: 3 }] }, { rows: [{ n: 4 }] }]);
  await closed;
});

test('one statement after the other leaves turns to what else the process has to do', async () => {
  const { db } = await open();
  // Reading a file ends by the event loop, like a request that arrives.
  let isRead = false;
  const reading = readFile(import.meta.filename).then(() => {
    isRead = true;
  });
  let asked = 0;
  while (!isRead && asked < 5_000) {
    await db.execute(sql`select 1`);
    asked++;
  }
  await reading;
  expect(asked).toBeLessThan(5_000);
});
