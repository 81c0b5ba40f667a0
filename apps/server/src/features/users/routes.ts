import { endpoints } from '../../platform/http/implement.ts';
import { findPeople } from './search.ts';
import { personView } from './view.ts';

export const userRoutes = {
  list: endpoints.users.list.handler(async ({ context, input }) => {
    const { people, total } = await findPeople(context, input);
    return { entries: people.map(personView), page: input.page, page_size: input.page_size, total };
  }),
};
