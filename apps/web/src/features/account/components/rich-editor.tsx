import '@mantine/tiptap/styles.layer.css';
import { Link, RichTextEditor } from '@mantine/tiptap';
import { useEditor } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';
import MarkdownIt from 'markdown-it';
import { type RichNode, toMarkdown } from '../rich-text.ts';
import classes from './rich-editor.module.css';

const markdown = new MarkdownIt({ html: false, linkify: false });

interface RichEditorProps {
  label: string;
  /** Markdown; read once. */
  initial: string;
  onChange(text: string): void;
}

/** Writes as it will look; what leaves it is Markdown. */
export function RichEditor({ label, initial, onChange }: RichEditorProps) {
  const editor = useEditor({
    extensions: [
      StarterKit.configure({ link: false, underline: false, heading: { levels: [2, 3, 4] } }),
      Link.configure({ protocols: ['http', 'https', 'mailto'], openOnClick: false }),
    ],
    content: markdown.render(initial),
    editorProps: { attributes: { 'aria-label': label, role: 'textbox', 'aria-multiline': 'true' } },
    onUpdate: (update) => onChange(toMarkdown(update.editor.getJSON() as RichNode)),
  });
  return (
    <RichTextEditor editor={editor} classNames={{ content: classes.content, toolbar: classes.toolbar }}>
      <RichTextEditor.Toolbar>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.H2 />
          <RichTextEditor.H3 />
        </RichTextEditor.ControlsGroup>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.Bold />
          <RichTextEditor.Italic />
          <RichTextEditor.Strikethrough />
          <RichTextEditor.Code />
        </RichTextEditor.ControlsGroup>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.BulletList />
          <RichTextEditor.OrderedList />
          <RichTextEditor.Blockquote />
          <RichTextEditor.CodeBlock />
          <RichTextEditor.Hr />
        </RichTextEditor.ControlsGroup>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.Link />
          <RichTextEditor.Unlink />
        </RichTextEditor.ControlsGroup>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.Undo />
          <RichTextEditor.Redo />
        </RichTextEditor.ControlsGroup>
      </RichTextEditor.Toolbar>
      <RichTextEditor.Content />
    </RichTextEditor>
  );
}
