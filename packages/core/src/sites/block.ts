import { z } from 'zod';

/**
 * An object that refuses keys it does not know. The issue's message lists those it does know, for the writer of the
 * file (see `describeIssues`): zod's issue itself does not tell.
 */
export function block<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape).join(', ');
  return z.strictObject(shape, { error: (issue) => (issue.code === 'unrecognized_keys' ? known : undefined) });
}
