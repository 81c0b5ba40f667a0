import type { UnitPurchase } from '@atoll/contract/payments/entity';
import { Alert, Button, Group, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { messageOf } from '../../../platform/api-error.ts';
import { unitWords, type WalletSearch } from '../model.ts';
import { purchaseQuery } from '../queries.ts';

/** How the payment stands that one comes back from. */
export function PurchaseStatus({ id, search }: { id: string; search: WalletSearch }) {
  const navigate = useNavigate();
  const { data, error } = useQuery(purchaseQuery(id));
  const close = () =>
    void navigate({ to: '/wallet', search: { ...search, purchase: undefined, canceled: undefined }, replace: true });
  if (error)
    return (
      <Alert mb="md" color="danger" role="alert" withCloseButton closeButtonLabel="Close" onClose={close}>
        {messageOf(error)}
      </Alert>
    );
  if (!data) return null;
  const { color, title, text, isWaiting } = wordsOf(data, search.canceled ?? false);
  return (
    <Alert
      mb="md"
      color={color}
      role="status"
      title={title}
      withCloseButton
      closeButtonLabel="Close"
      onClose={close}
      icon={isWaiting ? <Loader size={16} /> : undefined}
    >
      {text}
      {data.url && (
        <Group mt="sm">
          <Button component="a" href={data.url} size="xs" variant="default">
            {search.canceled ? 'Try again' : 'Back to the payment page'}
          </Button>
        </Group>
      )}
    </Alert>
  );
}

interface Words {
  color: string;
  title: string;
  text: string;
  isWaiting?: boolean;
}

function wordsOf({ state, units }: UnitPurchase, isCanceled: boolean): Words {
  const amount = unitWords(units);
  switch (state) {
    case 'pending':
      return isCanceled
        ? { color: 'warning', title: 'Payment canceled', text: `You did not pay, and no units were added.` }
        : {
            color: 'primary',
            title: 'Waiting for the payment',
            text: `${amount} are added as soon as the payment is confirmed. You can leave this page.`,
            isWaiting: true,
          };
    case 'paid':
      return { color: 'success', title: 'Payment received', text: `${amount} are in your wallet.` };
    case 'failed':
      return { color: 'danger', title: 'Payment failed', text: 'You were not charged. Buy the units again.' };
    case 'expired':
      return { color: 'warning', title: 'Payment page expired', text: 'You were not charged. Buy the units again.' };
    case 'refunded':
      return { color: 'warning', title: 'Payment refunded', text: 'The units were taken from your wallet.' };
    case 'disputed':
      return { color: 'warning', title: 'Payment disputed', text: 'The units are held until the dispute is decided.' };
  }
}
