import * as z from 'zod';

const usd = z.number().min(0);

const rates = {
  input: usd,
  output: usd,
  cacheRead: usd.optional(),
  cacheWrite: usd.optional(),
};

/** The file behind STOPGATE_PRICES: model names and USD per million tokens, which go before the built-in ones. */
export const prices = z.record(
  z.string().min(1),
  z.strictObject({
    ...rates,
    /** Other rates for requests whose whole input is above this many tokens. */
    long: z.strictObject({ above: z.int().min(1), ...rates }).optional(),
  }),
);

export type Prices = z.output<typeof prices>;
export type Price = Prices[string];
