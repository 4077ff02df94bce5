/** What stands in place of a secret. */
export const REDACTED = '***';

const passwordInUrl = /([a-z][a-z0-9+.-]*:\/\/[^\s/?#"@:]*):[^\s/?#"]*@/giu;
const secretParameter = /([?&;](?:password|passwd|pwd|token|access_token|api_?key|secret|signature)=)[^&\s"'#\\]+/giu;

/**
 * A URL fit for logs and messages: its password, and query parameters that carry secrets, replaced by `***`.
 * Text that is no URL passes through {@link redactText}, so it is safe to hand in whatever a user wrote.
 */
export function redactUrl(url: string | URL): string {
  return redactText(String(url));
}

/** Replaces passwords in every URL that a text contains; the rest stays as it is. */
export function redactText(text: string): string {
  // Nearly every log line has neither sign: two searches are cheaper than two regular expressions.
  if (text.includes('@')) text = text.replace(passwordInUrl, `$1:${REDACTED}@`);
  if (text.includes('=')) text = text.replace(secretParameter, `$1${REDACTED}`);
  return text;
}
