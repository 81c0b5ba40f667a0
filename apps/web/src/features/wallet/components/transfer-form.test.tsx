import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { FeatureRegistry } from '../../../platform/features/registry.ts';
import { type Call, renderPart } from '../../../test/render.tsx';
import { TransferForm } from './transfer-form.tsx';

async function open(isOn: boolean) {
  const calls: Call[] = [];
  const answers = {
    '/v1/config': { integrations: { unbounded: { enabled: isOn } } },
    '/v1/wallet/transfer': { id: 't', balance: 60, unbounded_balance: 40 },
  };
  await renderPart({ registry: new FeatureRegistry([]), answers, calls }, <TransferForm kept={0} />);
  return calls;
}

it('is not there where the service is off', async () => {
  const calls = await open(false);
  await waitFor(() => expect(calls.map(({ path }) => path)).toContainEqual(expect.stringContaining('/v1/config')));
  // What the answer would bring is drawn after it.
  await new Promise((resolve) => setTimeout(resolve));
  expect(screen.queryByRole('form', { name: 'Transfer units' })).toBeNull();
});

it('sends units out of the wallet, or into it, and no others', async () => {
  const calls = await open(true);
  const units = await screen.findByLabelText('Units');
  const send = () => fireEvent.click(screen.getByRole('button', { name: 'Transfer' }));
  const bodies = () => calls.filter(({ path }) => path.endsWith('/v1/wallet/transfer')).map(({ body }) => body);
  fireEvent.change(units, { target: { value: '1.5' } });
  send();
  await screen.findByText('Enter a number of units');
  expect(bodies()).toEqual([]);
  fireEvent.change(units, { target: { value: '40' } });
  send();
  await waitFor(() => expect(bodies()).toMatchObject([{ amount: -40 }]));
  fireEvent.change(screen.getByLabelText('Transfer'), { target: { value: 'in' } });
  fireEvent.change(units, { target: { value: '15' } });
  send();
  await waitFor(() => expect(bodies()).toMatchObject([{ amount: -40 }, { amount: 15 }]));
});
