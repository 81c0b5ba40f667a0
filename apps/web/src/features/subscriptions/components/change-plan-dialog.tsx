import type { BillingPeriod, RatePlan } from '@atoll/contract/subscriptions/entity';
import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../../platform/api-error.ts';
import { api, client } from '../../../platform/client.ts';
import { LinkButton } from '../../../ui/links.tsx';
import { toast, toastError } from '../../../ui/toast.ts';
import { sessionQuery } from '../../session/queries.ts';
import { unitWords } from '../../wallet/model.ts';
import { changeQuery } from '../queries.ts';

/** What a change costs and means, before it is made. */
export function ChangePlanDialog(props: { plan: RatePlan; period: BillingPeriod; onClose(): void }) {
  const { plan, period, onClose } = props;
  const queryClient = useQueryClient();
  const { data: change, error } = useQuery(changeQuery(plan.id, period));
  const confirm = useMutation({
    mutationFn: () => client.subscriptions.subscribe({ rate_plan_id: plan.id, period }),
    onSuccess: async ({ change: { kind } }) => {
      onClose();
      toast(kind === 'cancel' ? 'Subscription canceled.' : 'Plan changed.');
      await Promise.all(
        [api.subscriptions.key(), api.wallet.key(), sessionQuery.queryKey].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      );
    },
    onError: (failure) => toastError(failure, 'Could not change the plan'),
  });
  const isShort = change !== undefined && change.amount > change.balance;
  return (
    <Modal
      opened
      onClose={onClose}
      title={change?.kind === 'cancel' ? 'Cancel subscription' : `Change to ${plan.title}`}
    >
      <Stack>
        {error ? (
          <Text role="alert">{messageOf(error)}</Text>
        ) : change ? (
          <Text>
            {change.message}
            {isShort && ` Your balance is ${unitWords(change.balance)}.`}
          </Text>
        ) : (
          <Skeleton height={44} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          {isShort ? (
            <LinkButton to="/wallet">Add units</LinkButton>
          ) : (
            <Button disabled={!change} loading={confirm.isPending} onClick={() => confirm.mutate()}>
              {change?.kind === 'cancel'
                ? 'Cancel subscription'
                : change && change.amount > 0
                  ? `Pay ${unitWords(change.amount)}`
                  : 'Change plan'}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
