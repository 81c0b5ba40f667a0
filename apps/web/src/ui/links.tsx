import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type Native = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'style' | 'color'> & { ref?: Ref<HTMLAnchorElement> };

/** Links that look like buttons or text, with routes and search params checked like any other link. */
export const LinkButton = createLink((props: ButtonProps & Native) => <Button component="a" {...props} />);
export const TextLink = createLink((props: AnchorProps & Native) => <Anchor underline="always" inherit {...props} />);
