/** The injection token of the `Settings`. */
export const SETTINGS = Symbol('settings')

/** The injection token of the `Clock`. */
export const CLOCK = Symbol('clock')
