/** The instrumentation scope of all metrics and spans. */
export const SCOPE_NAME = '@tonplug/core'
/** The version in `package.json`; a test compares them. */
export const SCOPE_VERSION = '0.0.0'
