/** Events that operators count: `logEvent('stop_hook_capped', { … })`. Never contains secrets or conversation text. */
export type LogEvent = (name: string, fields: Readonly<Record<string, string | number | boolean | undefined>>) => void;

export const noLog: LogEvent = () => {};
