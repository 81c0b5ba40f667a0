import type { ServerConfig } from '@atoll/contract/system/endpoints';
import { Button, Divider, Stack } from '@mantine/core';
import { type Icon, IconBrandGithub, IconBrandGoogle, IconBrandWindows, IconKey } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { toastError } from '../../../ui/toast.ts';
import { isProvider } from '../model.ts';
import { goToProvider } from '../provider.ts';

const icons: Record<string, Icon> = { github: IconBrandGithub, google: IconBrandGoogle, microsoft: IconBrandWindows };

interface ProviderButtonsProps {
  providers: ServerConfig['sign_in']['providers'];
  returnTo?: string;
}

export function ProviderButtons({ providers, returnTo }: ProviderButtonsProps) {
  const leave = useMutation({
    mutationFn: async (id: string) => {
      if (isProvider(id)) await goToProvider(id, 'sign_in', returnTo);
    },
    onError: (error) => toastError(error),
  });
  if (!providers.length) return null;
  return (
    <>
      <Stack gap={8}>
        {providers.map(({ id, name }) => {
          const Icon = icons[id] ?? IconKey;
          return (
            <Button
              key={id}
              variant="default"
              leftSection={<Icon size={16} />}
              loading={leave.isPending && leave.variables === id}
              onClick={() => leave.mutate(id)}
            >
              Continue with {name}
            </Button>
          );
        })}
      </Stack>
      <Divider label="or" my={16} />
    </>
  );
}
