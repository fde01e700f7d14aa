/** The injection token of the `Settings`. */
export const SETTINGS = Symbol('settings')
