/** Injects the {@link Settings}. */
export const SETTINGS = Symbol('settings')

/** Injects the `Clock` that all waits go by. */
export const CLOCK = Symbol('clock')
