import { Alert, Anchor, Badge, Button, Group, Switch, Text, TextInput, Title } from '@mantine/core';
import { IconHome, IconPalette } from '@tabler/icons-react';
import { LogoWithName } from '../../../ui/theme/logo.tsx';
import { useTheme } from '../../../ui/theme/theme-context.tsx';
import classes from './preview.module.css';

export function PreviewContent() {
  const { texts, description } = useTheme();
  return (
    <div className={classes.shell}>
      <div className={classes.rail}>
        <LogoWithName size={22} />
        <span className={classes.place} data-active>
          <IconHome size={16} stroke={1.6} /> Home
        </span>
        <span className={classes.place}>
          <IconPalette size={16} stroke={1.6} /> Theme
        </span>
      </div>
      <div className={classes.stage}>
        <Title order={3} className={classes.heading}>
          Good morning, Ada
        </Title>
        <Text size="sm" c="dimmed">
          {texts.tagline || description}
        </Text>
        <Text size="sm" mt={12}>
          Text with <Anchor inherit>a link</Anchor> and <code className={classes.code}>code = 42</code>.
        </Text>
        <Group gap={8} mt={12}>
          <Button size="xs">Primary</Button>
          <Button size="xs" variant="light">
            Light
          </Button>
          <Button size="xs" variant="default">
            Default
          </Button>
          <Button size="xs" color="danger">
            Delete
          </Button>
        </Group>
        <TextInput label="A field" placeholder="What you type" size="xs" mt={12} />
        <Group gap={8} mt={12}>
          <Badge>Primary</Badge>
          <Badge color="success">Success</Badge>
          <Badge color="warning">Warning</Badge>
          <Badge color="danger">Danger</Badge>
          <Switch size="xs" defaultChecked label="On" />
        </Group>
        <Alert color="warning" mt={12} p={10}>
          Sample text.
        </Alert>
      </div>
    </div>
  );
}
