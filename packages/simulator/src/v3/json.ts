/** A JSON object of a response. */
export type Json = Record<string, unknown>
