import { Catch, HttpException, Logger } from '@nestjs/common'
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'

/** Responds to every error in one format; internal errors are only logged. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger(ProblemFilter.name)

  constructor(private readonly adapterHost: HttpAdapterHost) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const { status, problem } = describe(error)
    if (status >= 500) this.logger.error(error)
    const response: unknown = host.switchToHttp().getResponse()
    this.adapterHost.httpAdapter.reply(response, { problem }, status)
  }
}

function describe(error: unknown): { status: number; problem: string | object } {
  return error instanceof HttpException
    ? { status: error.getStatus(), problem: error.getResponse() }
    : { status: 500, problem: { message: 'Internal server error' } }
}
