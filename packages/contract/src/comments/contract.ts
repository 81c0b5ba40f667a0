import { defineContract } from '../define-contract.ts';
import { commentsTopic, fileCommentsTopic } from './channel.ts';
import { commentEndpoints } from './endpoints.ts';

export const commentsContract = defineContract({
  endpoints: commentEndpoints,
  topics: { comments: commentsTopic, fileComments: fileCommentsTopic },
});
