/** An object of an answer. */
export type Json = Record<string, unknown>
