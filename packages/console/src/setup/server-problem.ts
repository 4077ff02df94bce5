import { ServersMissingError, ServerStartError } from '@dist-crawl/testbed';

/** Whether private servers could not be had: their messages say all that the user needs, a stack would only hide it. */
export function isServerProblem(error: unknown): error is ServersMissingError | ServerStartError {
  return error instanceof ServersMissingError || error instanceof ServerStartError;
}
