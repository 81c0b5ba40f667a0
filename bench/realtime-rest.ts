/** Asks for GET /v1/me again and again until told to stop, in a process that has nothing else to do. */
const [address, ...tokens] = process.argv.slice(2);
const times: number[] = [];
let isOver = false;
process.on('message', () => {
  isOver = true;
});
for (let n = 0; !isOver; n++) {
  const began = performance.now();
  const answer = await fetch(`${address}/api/atoll/v1/me`, {
    headers: { authorization: `Bearer ${tokens[n % tokens.length]}` },
  });
  await answer.arrayBuffer();
  times.push(performance.now() - began);
  if (n === 0) process.send?.('began');
  await new Promise((resolve) => setTimeout(resolve, 10));
}
process.send?.(times, () => process.exit());
