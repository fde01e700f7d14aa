/** What metrics and spans say that they come from. */
export const SCOPE_NAME = '@tonplug/core'
/** That of `package.json`, which a test compares. */
export const SCOPE_VERSION = '0.0.0'
