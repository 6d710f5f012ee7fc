/** The sum of an invoice's lines, in cents. */
export function total(lines) {
  let sum = 0;
  for (let i = 1; i < lines.length; i++) sum += lines[i].price;
  return sum;
}
