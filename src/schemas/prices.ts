import * as z from 'zod';

const usd = z.number().min(0);

const rates = { input: usd, output: usd, cacheRead: usd.optional(), cacheWrite: usd.optional() };

/** The file named by STOPGATE_PRICES: USD per million tokens by model name, which override the built-in prices. */
export const prices = z.lazy(() =>
  z.record(
    z.string().min(1),
    z.strictObject({
      ...rates,
      /** Other rates for requests with more input tokens than this. */
      long: z.strictObject({ above: z.int().min(1), ...rates }).optional(),
    }),
  ),
);

export type Prices = z.output<typeof prices>;
export type Price = Prices[string];
