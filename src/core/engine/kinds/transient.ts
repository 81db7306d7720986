/** Messages of failures that may pass by themselves (Argo 4.1 behaviour 3.32). */

const PATTERNS: readonly string[] = [
  "exceeded quota",
  "resource quota",
  "unexpected error when reading response body",
  "stream error when reading response body",
  "Connection closed by foreign host",
  "net/http: TLS handshake timeout",
  "i/o timeout",
  "connection timed out",
  "connection reset by peer",
  "http2: client connection lost",
  "http2: server sent GOAWAY and closed the connection",
  "request did not complete within requested timeout",
  "connect: connection refused",
  "invalid connection",
  "etcdserver: leader changed",
  "etcdserver: request timed out",
  "etcdserver: too many requests",
  "client rate limiter Wait returned an error",
  "upper: no more rows in",
];

export function isTransient(message: string): boolean {
  return PATTERNS.some((pattern) => message.includes(pattern));
}
