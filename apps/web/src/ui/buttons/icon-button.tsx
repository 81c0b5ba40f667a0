import { ActionIcon, type ActionIconProps, Tooltip, type TooltipProps } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';

type Native = Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps>;

interface IconButtonProps extends ActionIconProps, Native, Pick<TooltipProps, 'openDelay' | 'position'> {
  label: string;
  /** Shown on hover where it is not the label. */
  tip?: string;
  /** Of one that turns something on and off. */
  isPressed?: boolean;
}

/** An icon that is a button, with its words on hover. */
export function IconButton({ label, tip = label, openDelay, position, isPressed, ...button }: IconButtonProps) {
  return (
    <Tooltip label={tip} openDelay={openDelay} position={position}>
      <ActionIcon aria-label={label} aria-pressed={isPressed} variant={isPressed ? 'light' : undefined} {...button} />
    </Tooltip>
  );
}
