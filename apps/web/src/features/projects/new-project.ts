/** Anything may ask for a new project; what it takes is downloaded with the first asking. */
let asked = 0;
let announce = () => {};

export const newProjectAsked = (): number => asked;

export function onNewProject(listener: () => void): () => void {
  announce = listener;
  return () => {
    announce = () => {};
  };
}

export function askNewProject(): void {
  asked += 1;
  announce();
}
