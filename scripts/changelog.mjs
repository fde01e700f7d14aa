// How changesets writes change logs: as by default, but a package whose dependencies were updated says to what, without
// the list of every commit since the last release.
import changelog from '@changesets/cli/changelog'

export default {
  ...changelog,
  getDependencyReleaseLine: async (_changesets, dependencies) =>
    dependencies.length === 0
      ? ''
      : [
          '- Updated dependencies',
          ...dependencies.map(({ name, newVersion }) => `  - ${name}@${newVersion}`),
        ].join('\n'),
}
