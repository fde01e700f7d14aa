import { NestFactory } from '@nestjs/core'
import { AppModule } from './app.module'
import { setUpApp } from './app.setup'

async function bootstrap(): Promise<void> {
  const app = setUpApp(await NestFactory.create(AppModule))
  app.enableShutdownHooks()
  await app.listen(process.env.PORT ?? 3000)
}

void bootstrap()
