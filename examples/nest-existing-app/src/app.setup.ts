import { ValidationPipe } from '@nestjs/common'
import type { INestApplication } from '@nestjs/common'

/** What both the server and the tests set up. */
export function setUpApp(app: INestApplication): INestApplication {
  app.setGlobalPrefix('api')
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true }))
  return app
}
