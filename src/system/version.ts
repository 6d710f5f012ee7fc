declare const STOPGATE_VERSION: string | undefined;

/** Set by the build; the sources run as `dev`. */
export const version: string = typeof STOPGATE_VERSION === 'string' ? STOPGATE_VERSION : 'dev';
