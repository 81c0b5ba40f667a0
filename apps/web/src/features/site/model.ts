/** A text that starts with its own title is shown without it: the page has one already. */
export const withoutTitle = (text: string): string => text.replace(/^\s*#\s+[^\n]*\n*/, '');

export type FeedbackKind = 'feedback' | 'issue_report' | 'data_request';
export const feedbackWords: Record<FeedbackKind, { label: string; question: string; text: string }> = {
  feedback: {
    label: 'Feedback',
    question: 'What do you think?',
    text: 'What you like, what is missing, what could be better.',
  },
  issue_report: {
    label: 'Report a problem',
    question: 'What happened?',
    text: 'What you did, what you expected and what happened.',
  },
  data_request: {
    label: 'My data',
    question: 'What do you request?',
    text: 'A copy of your data, or its deletion. We answer by e-mail.',
  },
};
