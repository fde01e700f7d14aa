import 'reflect-metadata'
import { RequestMethod, VERSION_NEUTRAL, VersioningType } from '@nestjs/common'
import type { VersioningOptions } from '@nestjs/common'
import type { ApplicationConfig } from '@nestjs/core'

/** A method of a controller that answers requests. */
export interface RouteSource {
  /** The module of the controller. */
  module: object
  controller: object
  method: object
}

/** What in the set-up of an app decides where its routes are. */
export interface PathSetUp {
  config: ApplicationConfig
  /** By it RouterModule keeps the path of a module. */
  applicationId: string
  /** Of the Fastify plugin that the app is, or ''. */
  pluginPrefix: string
}

type Version = VersioningOptions['defaultVersion']

// The keys under which Nest's decorators keep their facts; the same in all majors, and exported in none of them.

/** The request method of a route; `undefined` for methods that are none. */
export function requestMethodOf({ method }: RouteSource): RequestMethod | undefined {
  return Reflect.getMetadata('method', method) as RequestMethod | undefined
}

/** Whole paths, in the order in which Nest joins them: global prefix, version, module, controller, method. */
export function fullPathsOf(source: RouteSource, setUp: PathSetUp): string[] {
  const { config, pluginPrefix } = setUp
  const versioning = config.getVersioning()
  const versions = isVersionInPath(config) ? [versionOf(source, config)].flat() : [undefined]
  return versions.flatMap((version) =>
    ownPathsOf(source, setUp).map((path) => {
      const prefix = isExcluded(path, requestMethodOf(source), config)
        ? ''
        : config.getGlobalPrefix()
      return normalize([pluginPrefix, prefix, toSegment(version, versioning), path].join('/'))
    }),
  )
}

/** What else tells routes of one path apart: host, and a version that is not in the path. */
export function restOfPlace(source: RouteSource, config: ApplicationConfig): unknown[] {
  const version = isVersionInPath(config) ? [] : [versionOf(source, config)].flat().map(String)
  return [Reflect.getMetadata('host', source.controller), version]
}

function isVersionInPath(config: ApplicationConfig): boolean {
  return config.getVersioning()?.type === VersioningType.URI
}

function versionOf({ controller, method }: RouteSource, config: ApplicationConfig): Version {
  const ofMethod = Reflect.getMetadata('__version__', method) as Version
  const ofController = Reflect.getMetadata('__version__', controller) as Version
  return ofMethod ?? ofController ?? config.getVersioning()?.defaultVersion
}

function toSegment(
  version: string | symbol | undefined,
  versioning: VersioningOptions | undefined,
): string {
  if (version === undefined || version === VERSION_NEUTRAL) return ''
  const prefix = versioning?.type === VersioningType.URI ? (versioning.prefix ?? 'v') : ''
  return `${prefix === false ? '' : prefix}${String(version)}`
}

/** Those of module, controller and method, joined as Nest compares them with the excluded ones. */
function ownPathsOf({ module, controller, method }: RouteSource, { applicationId }: PathSetUp) {
  const ofModule =
    pathsUnder(`__module_path__${applicationId}`, module) ?? pathsUnder('__module_path__', module)
  const parts = [ofModule, pathsUnder('path', controller), pathsUnder('path', method)]
  return parts.reduce<string[]>(
    (paths, more = ['']) => paths.flatMap((path) => more.map((part) => join(path, part))),
    [''],
  )
}

function pathsUnder(key: string, target: object): string[] | undefined {
  const found = Reflect.getMetadata(key, target) as string | string[] | undefined
  return found === undefined ? undefined : [found].flat()
}

function join(path: string, part: string): string {
  return part === '' ? path : `${path.replace(/\/$/, '')}/${part.replace(/^\//, '')}`
}

function isExcluded(
  path: string,
  method: RequestMethod | undefined,
  config: ApplicationConfig,
): boolean {
  const { exclude = [] } = config.getGlobalPrefixOptions()
  return exclude.some(
    ({ requestMethod, pathRegex }) =>
      [RequestMethod.ALL, method].includes(requestMethod) && pathRegex.test(path),
  )
}

function normalize(path: string): string {
  return `/${path.split('/').filter(Boolean).join('/')}`
}
