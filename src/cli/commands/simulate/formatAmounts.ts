import type { SimulationResult } from '../../../fleet/simulate/simulationResult.ts';

export const amountText = (value: number) =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 1 : 0 });

export const moneyText = (value: number) =>
  `$${value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

export const percentText = (share: number) => `${(share * 100).toFixed(1).replace(/\.0$/, '')}%`;

type Hours = Pick<SimulationResult, 'busyHours' | 'idleHours' | 'startingHours'>;

/** Workers cost the same whether they are busy or idle. */
export function costOf({ busyHours, idleHours, startingHours }: Hours, costPerHour: number) {
  return { totalUsd: (busyHours + idleHours + startingHours) * costPerHour, idleUsd: idleHours * costPerHour };
}
