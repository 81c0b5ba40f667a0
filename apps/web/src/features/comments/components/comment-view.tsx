import type { Comment, Reaction } from '@atoll/contract/comments/entity';
import { personName } from '@atoll/contract/users/names';
import { Button, Menu } from '@mantine/core';
import {
  IconArrowBackUp,
  IconCheck,
  IconFlag,
  IconPencil,
  IconThumbDown,
  IconThumbUp,
  IconTrash,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DotsMenu } from '../../../ui/buttons/dots-menu.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Markdown } from '../../../ui/markdown/markdown.tsx';
import { When } from '../../../ui/when.tsx';
import { Face } from '../../people/person-line.tsx';
import type { About } from '../model.ts';
import { useDeleteComment, useReact, useReportComment, useUpdateComment } from '../mutations.ts';
import classes from './comments.module.css';
import { Composer } from './composer.tsx';

interface CommentViewProps {
  comment: Comment;
  about: About;
  canSpeak: boolean;
  onReply?(): void;
}

const icon = { size: 15, stroke: 1.6 };

export function CommentView({ comment, about, canSpeak, onReply }: CommentViewProps) {
  const update = useUpdateComment(about);
  const [doing, setDoing] = useState<'edit' | 'report' | null>(null);
  const report = useReportComment(about);
  const { author } = comment;
  if (comment.is_deleted) return <p className={classes.gone}>This comment was deleted.</p>;
  return (
    <article aria-label={`Comment by ${author ? personName(author) : 'a deleted user'}`}>
      <div className={classes.top}>
        {author && <Face person={author} size={28} />}
        <div className={classes.who}>
          {author ? (
            <Link to="/users/$username" params={{ username: author.user_name }} className={classes.author}>
              {personName(author)}
            </Link>
          ) : (
            <span className={classes.author}>Deleted user</span>
          )}
          <span className={classes.time}>
            <When time={comment.created_at} />
            {comment.edited_at && ', edited'}
          </span>
        </div>
        {comment.permissions.includes('resolve') && (
          <IconButton
            label={comment.is_resolved ? 'Reopen' : 'Resolve'}
            size={24}
            loading={update.isPending && update.variables.is_resolved !== undefined}
            onClick={() => update.mutate({ commentId: comment.id, is_resolved: !comment.is_resolved })}
          >
            {comment.is_resolved ? <IconArrowBackUp {...icon} /> : <IconCheck {...icon} />}
          </IconButton>
        )}
        {canSpeak && <More comment={comment} about={about} onDo={setDoing} />}
      </div>
      {doing === 'edit' ? (
        <Composer
          label="Edit comment"
          initial={comment.content}
          action="Save"
          isFocused
          pending={update.isPending}
          onCancel={() => setDoing(null)}
          onSend={(content) => update.mutateAsync({ commentId: comment.id, content }).then(() => setDoing(null))}
        />
      ) : (
        <div className={classes.content}>
          <Markdown text={comment.content} />
        </div>
      )}
      {doing === 'report' && (
        <Composer
          label="What is wrong with this comment?"
          action="Report"
          isFocused
          pending={report.isPending}
          onCancel={() => setDoing(null)}
          onSend={(reason) => report.mutateAsync({ commentId: comment.id, reason }).then(() => setDoing(null))}
        />
      )}
      <div className={classes.acts}>
        <ReactButton comment={comment} about={about} reaction="like" isOff={!canSpeak} />
        <ReactButton comment={comment} about={about} reaction="dislike" isOff={!canSpeak} />
        {onReply && canSpeak && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={onReply}>
            Reply
          </Button>
        )}
      </div>
    </article>
  );
}

interface ReactButtonProps {
  comment: Comment;
  about: About;
  reaction: Reaction;
  isOff: boolean;
}

function ReactButton({ comment, about, reaction, isOff }: ReactButtonProps) {
  const react = useReact(about);
  const isMine = (react.isPending ? react.variables.reaction : comment.reaction) === reaction;
  const count = reaction === 'like' ? comment.likes_count : comment.dislikes_count;
  const label = reaction === 'like' ? 'Like' : 'Dislike';
  const Icon = reaction === 'like' ? IconThumbUp : IconThumbDown;
  return (
    <Button
      size="compact-xs"
      variant={isMine ? 'light' : 'subtle'}
      color={isMine ? 'primary' : 'gray'}
      aria-label={count ? `${label}, ${count}` : label}
      aria-pressed={isMine}
      disabled={isOff}
      leftSection={<Icon {...icon} />}
      onClick={() => react.mutate({ commentId: comment.id, reaction: isMine ? null : reaction })}
    >
      {count || ''}
    </Button>
  );
}

function More({ comment, about, onDo }: { comment: Comment; about: About; onDo: (what: 'edit' | 'report') => void }) {
  const remove = useDeleteComment(about);
  const isOwn = comment.permissions.includes('edit');
  return (
    <DotsMenu label="More" icon={icon} width={160}>
      {isOwn && (
        <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => onDo('edit')}>
          Edit
        </Menu.Item>
      )}
      {!isOwn && (
        <Menu.Item leftSection={<IconFlag {...icon} />} onClick={() => onDo('report')}>
          Report
        </Menu.Item>
      )}
      {comment.permissions.includes('delete') && (
        <Menu.Item color="danger" leftSection={<IconTrash {...icon} />} onClick={() => remove.mutate(comment.id)}>
          Delete
        </Menu.Item>
      )}
    </DotsMenu>
  );
}
