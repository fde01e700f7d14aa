import 'reflect-metadata'
import type { ModulesContainer } from '@nestjs/core'
import { INSTANCE } from '../tonplug.tokens.js'
import type { Wrapper } from '../webhook/webhook-routes.js'

/** Returns the name of a class or factory of the app that injects a token; this package's own providers do not count. */
export function findInjector(modules: ModulesContainer, token: string): string | undefined {
  const wrappers = [...modules.values()].flatMap(({ providers, controllers, injectables }) => [
    ...providers.values(),
    ...controllers.values(),
    ...injectables.values(),
  ])
  const found = wrappers.find(
    (wrapper) => !isOwn(wrapper.token) && injectionsOf(wrapper).includes(token),
  )
  return found && String(found.name)
}

function isOwn(token: unknown): boolean {
  return token === INSTANCE || (typeof token === 'string' && token.startsWith('tonplug:'))
}

// The metadata keys of Nest's decorators; the same in all majors, and exported in none of them.

function injectionsOf({ inject, metatype }: Wrapper): unknown[] {
  if (inject) return inject.map((one) => (isOptional(one) ? one.token : one))
  if (typeof metatype !== 'function') return []
  return [
    ...metadataOf<{ param: unknown }>('self:paramtypes', metatype).map(({ param }) => param),
    ...metadataOf<{ type: unknown }>('self:properties_metadata', metatype).map(({ type }) => type),
  ]
}

function isOptional(injection: unknown): injection is { token: unknown } {
  return typeof injection === 'object' && injection !== null && 'token' in injection
}

function metadataOf<Fact>(key: string, target: object): Fact[] {
  return (Reflect.getMetadata(key, target) as Fact[] | undefined) ?? []
}
