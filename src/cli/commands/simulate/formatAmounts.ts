export const amountText = (value: number) =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 1 : 0 });

export const moneyText = (value: number) =>
  `$${value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

export const percentText = (share: number) => `${(share * 100).toFixed(1).replace(/\.0$/, '')}%`;
