import { defineContract } from '../define-contract.ts';
import { commentsTopic, fileCommentsTopic, publicationCommentsTopic } from './channel.ts';
import { commentEndpoints } from './endpoints.ts';

export const commentsContract = defineContract({
  endpoints: commentEndpoints,
  topics: { comments: commentsTopic, fileComments: fileCommentsTopic, publicationComments: publicationCommentsTopic },
});
