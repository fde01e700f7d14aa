import { fail, ok, type Check } from '../check.js'

/** Compares the version of Node with the supported ones. */
export const nodeVersion: Check = {
  name: 'Node',
  run({ nodeVersion: version }) {
    const [major = 0, minor = 0] = version.split('.').map(Number)
    const isSupported = major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22
    if (isSupported) return ok(version)
    return fail(`Node ${version} is not supported`, 'Install Node 20.19, 22.12 or newer.')
  },
}
