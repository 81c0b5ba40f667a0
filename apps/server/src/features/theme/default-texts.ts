/** Texts to start from; whoever runs the product replaces them with their own in the theme. */
export const legalTexts = (name: string, description: string) => ({
  about: `# About ${name}

${description}

You can look around as a guest, make an account to keep your work, and use everything from the browser: nothing to install.

Your work stays yours. You can take it with you at any time in open formats.
`,
  terms_of_service: `# Terms of service

These are the terms under which ${name} is offered. The operator of this installation may replace them.

1. **Your account.** Keep your sign-in details to yourself. You are responsible for what is done with your account.
2. **Your content.** What you make here belongs to you. You let us store and process it as far as the service needs.
3. **Fair use.** Do not use the service to harm others, to break the law, or to get around its limits.
4. **Code you run.** You run code at your own risk. Trading and other decisions you take with it are your own.
5. **Availability.** The service is provided as it is. We try to keep it running and your work safe, without a guarantee.
6. **Ending.** You may stop at any time. We may suspend accounts that break these terms, and say why.
`,
  privacy_policy: `# Privacy policy

This page tells what ${name} stores about you. The operator of this installation may replace it.

- **Your account:** the name, address and profile you enter, and how you sign in. Passwords are stored as hashes only.
- **Your sessions:** when, from which network address and with which browser you were here, so that you can see and end them.
- **Your work:** what you create, and who may see it as you decide.
- **Cookies:** one, which keeps you signed in. No advertising and no tracking by others.

You can read and change your data on your profile, and ask for a copy or for its deletion through the contact page.
`,
});
