import { SetMetadata } from '@nestjs/common'

/** The metadata key of {@link Public}. */
export const IS_PUBLIC = 'isPublic'

/** Opens a route, or a controller's routes, to callers without the API key. */
export const Public = () => SetMetadata(IS_PUBLIC, true)
