import type { FactoryProvider } from '@nestjs/common'
import { DiscoveryService, HttpAdapterHost, ModulesContainer } from '@nestjs/core'
import { ConfigurationError } from '@tonplug/core'

/** The parts of the app's own copy of `@nestjs/core` that tonplug uses. */
export interface NestCore {
  /** Its `httpAdapter` is absent without an HTTP server. */
  host: HttpAdapterHost
  discovery: DiscoveryService
}

/** The token of {@link NestCore}. */
export const NEST_CORE = Symbol.for('tonplug:nest-core')

/**
 * Provides {@link NestCore}. Other providers of tonplug inject nothing else of `@nestjs/core`: with a second copy of that package
 * Nest cannot find its classes, and its own error names neither the package nor the fix.
 */
export const nestCoreProvider: FactoryProvider<NestCore> = {
  provide: NEST_CORE,
  inject: [
    { token: HttpAdapterHost, optional: true },
    { token: ModulesContainer, optional: true },
  ],
  useFactory: (host?: HttpAdapterHost, modules?: ModulesContainer) => {
    if (host !== undefined && modules !== undefined) {
      return { host, discovery: new DiscoveryService(modules) }
    }
    const problem =
      'must be installed once; the app and @tonplug/nestjs load different copies. List them with npm ls @nestjs/core ' +
      '(pnpm why, yarn why), give all of them one version, and install again'
    throw new ConfigurationError({ option: '@nestjs/core', problem })
  },
}
