/** The seam below the HTTP client: one request, one answer. Unix socket and TLS stand behind it, and a test's stand-in. */

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** Called synchronously right before the first byte is handed to the socket; what it throws is what the call rejects with. */
  readonly guard?: () => void;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** To be read to its end, or left with `break` or `return()`, or the connection stays taken. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Rejects with TransportError when no answer came; with the signal's reason when that aborted. Never sends a request
 * twice.
 */
export interface Transport {
  request(request: HttpRequest): Promise<HttpResponse>;
  close(): Promise<void>;
}
