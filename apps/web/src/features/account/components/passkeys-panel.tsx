import { Button, Stack, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { client } from '../../../platform/client.ts';
import { required } from '../../../ui/checks.ts';
import { useForm } from '../../../ui/form.ts';
import { InlineForm, SubmitButton } from '../../../ui/form-parts.tsx';
import { Panel } from '../../../ui/page.tsx';
import { NothingHere, Row, Rows } from '../../../ui/rows.tsx';
import { toast } from '../../../ui/toast.ts';
import { When } from '../../../ui/when.tsx';
import { arePasskeysSupported, createPasskey, isDismissed } from '../../sign-in/passkey.ts';
import { useRemoval } from '../mutations.ts';
import { passkeysQuery } from '../queries.ts';

export function PasskeysPanel() {
  const { entries } = useSuspenseQuery(passkeysQuery).data;
  const remove = useRemoval((id) => client.signIn.passkeyDelete({ id }), passkeysQuery.queryKey, 'Passkey deleted.');
  return (
    <Panel title="Passkeys" description="Sign in with a fingerprint, your face or your device’s lock.">
      <Stack>
        {entries.length ? (
          <Rows label="Passkeys">
            {entries.map(({ id, name, created_at, last_used_at }) => (
              <Row
                key={id}
                icon={<IconFingerprint size={17} />}
                title={name}
                detail={
                  <>
                    Created <When time={created_at} />
                    {last_used_at ? (
                      <>
                        , last used <When time={last_used_at} />
                      </>
                    ) : (
                      ', not used yet'
                    )}
                  </>
                }
                action={
                  <Button
                    size="xs"
                    variant="default"
                    loading={remove.isPending && remove.variables === id}
                    aria-label={`Delete ${name}`}
                    onClick={() => remove.mutate(id)}
                  >
                    Delete
                  </Button>
                }
              />
            ))}
          </Rows>
        ) : (
          <NothingHere>No passkeys yet. Give one a name and add it below.</NothingHere>
        )}
        {arePasskeysSupported() && <AddPasskey />}
      </Stack>
    </Panel>
  );
}

function AddPasskey() {
  const queryClient = useQueryClient();
  const form = useForm({
    initial: { name: '' },
    checks: { name: required('A name, such as “Laptop”,') },
    submit: async ({ name }) => {
      try {
        await createPasskey(name.trim());
      } catch (error) {
        if (isDismissed(error)) return;
        throw error;
      }
      await queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
      form.set('name', '');
      toast('Passkey added.');
    },
  });
  const { onBlur: _, ...field } = form.text('name');
  return (
    <InlineForm form={form}>
      <TextInput label="Name of a new passkey" placeholder="Laptop" maxLength={60} {...field} />
      <SubmitButton variant="default" pending={form.pending}>
        Add passkey
      </SubmitButton>
    </InlineForm>
  );
}
