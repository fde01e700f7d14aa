import { ValidationPipe } from '@nestjs/common'
import type { INestApplication } from '@nestjs/common'

/** Configures the app; used by the server and the tests. */
export function setUpApp(app: INestApplication): INestApplication {
  app.setGlobalPrefix('api')
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true }))
  return app
}
