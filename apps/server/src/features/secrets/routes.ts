import { done, endpoints, pageOf } from '../../platform/http/implement.ts';
import { createSecret, deleteSecret, listSecrets, updateSecret } from './service.ts';
import { secretView } from './view.ts';

const { secrets } = endpoints;

export const secretRoutes = {
  list: secrets.list.handler(async ({ context, input }) => {
    const { rows, total } = await listSecrets(context, input);
    return pageOf(input, { entries: rows.map((row) => secretView(context, row)), total });
  }),
  create: secrets.create.handler(async ({ context, input }) => secretView(context, await createSecret(context, input))),
  update: secrets.update.handler(async ({ context, input: { id, ...update } }) =>
    secretView(context, await updateSecret(context, id, update)),
  ),
  delete: secrets.delete.handler(({ context, input }) => done(deleteSecret(context, input.id))),
};
